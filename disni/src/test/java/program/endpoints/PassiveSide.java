// SPDX-License-Identifier: Apache-2.0
package program.endpoints;

import com.ibm.disni.RdmaEndpoint;
import com.ibm.disni.RdmaPassiveEndpointGroup;
import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.SVCPollCq;
import java.io.IOException;

/** An endpoint whose program polls the completion queue. */
final class PassiveSide extends RdmaEndpoint implements Side {
    private final Memory memory = new Memory(this);
    private final IbvWC[] polled = {new IbvWC()};
    private SVCPollCq poll;

    PassiveSide(RdmaPassiveEndpointGroup<PassiveSide> group, RdmaCmId id, boolean serverSide) throws IOException {
        super(group, id, serverSide);
    }

    @Override
    protected synchronized void init() throws IOException {
        super.init();
        memory.open();
        poll = getCqProvider().getCQ().poll(polled, 1);
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
    public synchronized IbvWC next() throws IOException {
        while (poll.execute().getPolls() == 0) {
            Thread.onSpinWait();
        }
        return polled[0].clone();
    }
}
