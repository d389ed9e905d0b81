// SPDX-License-Identifier: Apache-2.0
package program.verbs;

import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.RdmaCmEvent;
import com.ibm.disni.verbs.RdmaCmId;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Raw verbs without endpoints: publishes its memory to one client, which reads and writes it, and closes when the client does. */
public final class Server {
    static final byte[] TEXT = "read by the lkey of the server".getBytes(StandardCharsets.US_ASCII);
    static final int TEXT_OFFSET = 64;
    /** Where the client writes; each byte is its own offset when the client is done. */
    static final int WRITTEN_OFFSET = 128;

    static final int WRITTEN_BYTES = 64;

    private Server() {}

    /** {@code HOST PORT} */
    public static void main(String[] args) throws Exception {
        Peer peer = new Peer();
        peer.listen(args[0], Integer.parseInt(args[1]));
        System.out.println("listening");
        RdmaCmId listener = peer.request();
        peer.receive(1, 32, 16);
        peer.accept();

        peer.buffer.putLong(0, peer.mr.getAddr()).putInt(8, peer.mr.getLkey());
        peer.buffer.put(TEXT_OFFSET, TEXT);
        int flags = IbvSendWR.IBV_SEND_SIGNALED | IbvSendWR.IBV_SEND_INLINE;
        peer.record(peer.send(IbvSendWR.IBV_WR_SEND, 2, flags, 0, 12)).execute().free();
        peer.buffer.putLong(0, 0); // The data was inline, so the post has copied it.
        List<IbvWC> done = peer.awaitByEvents(2);
        long wrong = done.stream().filter(each -> each.getStatus() != 0).count();
        for (int i = 0; i < WRITTEN_BYTES; i++) {
            wrong += peer.buffer.get(WRITTEN_OFFSET + i) == (byte) (WRITTEN_OFFSET + i) ? 0 : 1;
        }

        RdmaCmEvent event = peer.channel.getCmEvent(-1);
        if (event == null || event.getEvent() != RdmaCmEvent.EventType.RDMA_CM_EVENT_DISCONNECTED.ordinal()) {
            throw new IllegalStateException("the client did not disconnect");
        }
        peer.id.destroyQP();
        peer.id.destroyId();
        event.ackEvent();
        listener.destroyId();
        System.out.println("server: wrong " + wrong);
        if (wrong != 0) {
            throw new IllegalStateException("wrong data, or a completion with an error");
        }
    }
}
