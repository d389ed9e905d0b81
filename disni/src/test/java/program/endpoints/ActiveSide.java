// SPDX-License-Identifier: Apache-2.0
package program.endpoints;

import com.ibm.disni.RdmaActiveEndpoint;
import com.ibm.disni.RdmaActiveEndpointGroup;
import com.ibm.disni.RdmaEndpoint;
import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.RdmaCmId;
import java.io.IOException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** An endpoint whose completions DiSNI's thread dispatches. */
final class ActiveSide extends RdmaActiveEndpoint implements Side {
    private final Memory memory = new Memory(this);
    private final BlockingQueue<IbvWC> completions = new LinkedBlockingQueue<>();

    ActiveSide(RdmaActiveEndpointGroup<ActiveSide> group, RdmaCmId id, boolean serverSide) throws IOException {
        super(group, id, serverSide);
    }

    @Override
    public synchronized void init() throws IOException {
        super.init();
        memory.open();
    }

    @Override
    public void dispatchCqEvent(IbvWC completion) {
        completions.add(completion.clone());
    }

    @Override
    public RdmaEndpoint endpoint() {
        return this;
    }

    @Override
    public Memory memory() {
        return memory;
    }

    @Override
    public IbvWC next() throws InterruptedException {
        return completions.take();
    }
}
