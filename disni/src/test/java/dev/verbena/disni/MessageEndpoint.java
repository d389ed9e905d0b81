// SPDX-License-Identifier: Apache-2.0
package dev.verbena.disni;

import com.ibm.disni.RdmaActiveEndpoint;
import com.ibm.disni.RdmaActiveEndpointGroup;
import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvRecvWR;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvSge;
import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.RdmaCmId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** An endpoint as DiSNI's programs write it: one buffer for each direction, receives posted before the connection. */
@SuppressWarnings({"NonApiType", "JdkObsolete"}) // The lists of DiSNI.
class MessageEndpoint extends RdmaActiveEndpoint {
    static final int SIZE = 128;

    final ByteBuffer received = ByteBuffer.allocateDirect(SIZE);
    final ByteBuffer sent = ByteBuffer.allocateDirect(SIZE);
    final BlockingQueue<IbvWC> completions = new LinkedBlockingQueue<>();
    private IbvMr receiveRegion;
    private IbvMr sendRegion;

    MessageEndpoint(RdmaActiveEndpointGroup<? extends MessageEndpoint> group, RdmaCmId id, boolean serverSide)
            throws IOException {
        super(group, id, serverSide);
    }

    /** Makes an initialized group whose thread polls without a pause or waits for events. */
    static RdmaActiveEndpointGroup<MessageEndpoint> group(boolean polling) throws IOException {
        RdmaActiveEndpointGroup<MessageEndpoint> group = new RdmaActiveEndpointGroup<>(100, polling, 16, 4, 128);
        group.init((id, serverSide) -> new MessageEndpoint(group, id, serverSide));
        return group;
    }

    @Override
    public synchronized void init() throws IOException {
        super.init();
        receiveRegion = registerMemory(received).execute().free().getMr();
        sendRegion = registerMemory(sent).execute().free().getMr();
        receive(2001);
    }

    void receive(long id) throws IOException {
        IbvRecvWR request = new IbvRecvWR();
        request.setWr_id(id);
        request.setSg_list(entries(receiveRegion));
        postRecv(List.of(request)).execute().free();
    }

    void send(long id, String text) throws IOException {
        sent.clear().put(text.getBytes(StandardCharsets.UTF_8));
        IbvSendWR request = new IbvSendWR();
        request.setWr_id(id);
        request.setOpcode(IbvSendWR.IBV_WR_SEND);
        request.setSend_flags(IbvSendWR.IBV_SEND_SIGNALED);
        request.setSg_list(entries(sendRegion));
        request.getSge(0).setLength(text.length());
        postSend(List.of(request)).execute().free();
    }

    static LinkedList<IbvSge> entries(IbvMr region) {
        IbvSge entry = new IbvSge();
        entry.setAddr(region.getAddr());
        entry.setLength(region.getLength());
        entry.setLkey(region.getLkey());
        return new LinkedList<>(List.of(entry));
    }

    /** Deregisters the memory, after the endpoint was closed. */
    void release() throws IOException {
        receiveRegion.deregMr().execute().free();
        sendRegion.deregMr().execute().free();
    }

    String text(int length) {
        byte[] bytes = new byte[length];
        received.get(0, bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    IbvWC next() throws InterruptedException {
        IbvWC completion = completions.poll(10, TimeUnit.SECONDS);
        if (completion == null) {
            throw new AssertionError("no completion came");
        }
        return completion;
    }

    @Override
    public void dispatchCqEvent(IbvWC completion) {
        completions.add(completion.clone());
    }
}
