// SPDX-License-Identifier: Apache-2.0
package program.verbs;

import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.RdmaCmEvent;
import com.ibm.disni.verbs.SVCPostSend;
import java.util.Arrays;

/** Raw verbs without endpoints: reads and writes the memory of the server by its lkey, with batches that are recorded once. */
public final class Client {
    private final Peer peer = new Peer();
    private long address;
    private int key;
    private long wrong;

    private Client() throws Exception {}

    /** {@code HOST PORT ORDER}, where the order of closing is {@code usual} or {@code reverse} */
    public static void main(String[] args) throws Exception {
        Client client = new Client();
        client.connect(args[0], Integer.parseInt(args[1]));
        client.read();
        client.write();
        client.finish();
        client.close(args[2].equals("reverse"));
        System.out.println("client: wrong " + client.wrong);
        if (client.wrong != 0) {
            throw new IllegalStateException("wrong data, or a completion with an error");
        }
    }

    private void connect(String host, int port) throws Exception {
        peer.resolve(host, port);
        peer.receive(1, 0, 16);
        peer.connect();
        peer.expect(RdmaCmEvent.EventType.RDMA_CM_EVENT_ESTABLISHED);
        check(peer.awaitByEvents(1).getFirst(), 1);
        address = peer.buffer.getLong(0);
        key = peer.buffer.getInt(8);
    }

    /** One recorded READ, whose length grows. */
    private void read() throws Exception {
        IbvSendWR request = peer.send(IbvSendWR.IBV_WR_RDMA_READ, 2, IbvSendWR.IBV_SEND_SIGNALED, 64, 0);
        request.getRdma().setRemote_addr(address + Server.TEXT_OFFSET);
        request.getRdma().setRkey(key);
        SVCPostSend recorded = peer.record(request);
        for (int length = 1; length <= Server.TEXT.length; length++) {
            recorded.getWrMod(0).getSgeMod(0).setLength(length);
            recorded.execute();
            check(peer.await(1).getFirst(), 2);
            byte[] found = new byte[length];
            peer.buffer.get(64, found);
            wrong += Arrays.equals(found, Arrays.copyOf(Server.TEXT, length)) ? 0 : 1;
        }
        recorded.free();
    }

    /** One recorded batch: an unsignaled WRITE of a byte, and a READ that returns it. */
    private void write() throws Exception {
        SVCPostSend recorded = peer.record(
                peer.send(IbvSendWR.IBV_WR_RDMA_WRITE, 0, 0, 0, 1),
                peer.send(IbvSendWR.IBV_WR_RDMA_READ, 0, IbvSendWR.IBV_SEND_SIGNALED, 200, 1));
        for (int i = 0; i < Server.WRITTEN_BYTES; i++) {
            byte value = (byte) (Server.WRITTEN_OFFSET + i);
            peer.buffer.put(i, value);
            recorded.getWrMod(0).getSgeMod(0).setAddr(peer.mr.getAddr() + i);
            for (int each = 0; each < 2; each++) {
                recorded.getWrMod(each).setWr_id(100 + i);
                recorded.getWrMod(each).getRdmaMod().setRemote_addr(address + Server.WRITTEN_OFFSET + i);
                recorded.getWrMod(each).getRdmaMod().setRkey(key);
            }
            recorded.execute();
            check(peer.await(1).getFirst(), 100 + i);
            wrong += peer.buffer.get(200) == value ? 0 : 1;
        }
        recorded.free();
    }

    private void finish() throws Exception {
        peer.record(peer.send(IbvSendWR.IBV_WR_SEND, 3, IbvSendWR.IBV_SEND_SIGNALED, 0, 4))
                .execute()
                .free();
        check(peer.awaitByEvents(1).getFirst(), 3);
    }

    private void close(boolean reverse) throws Exception {
        peer.id.disconnect();
        peer.expect(RdmaCmEvent.EventType.RDMA_CM_EVENT_DISCONNECTED);
        if (reverse) {
            peer.closeInReverse();
        } else {
            peer.close();
        }
    }

    private void check(IbvWC completion, long id) {
        wrong += completion.getStatus() == 0 && completion.getWr_id() == id ? 0 : 1;
    }
}
