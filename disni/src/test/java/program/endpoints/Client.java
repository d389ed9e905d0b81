// SPDX-License-Identifier: Apache-2.0
package program.endpoints;

import com.ibm.disni.RdmaEndpointGroup;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.SVCPostSend;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;

/** Writes the memory of the server from two threads over one endpoint, and reads it again. */
public final class Client {
    private static final int OUTSTANDING = 4;
    private static final int PIECE = 8;

    private final Side side;
    private final long address;
    private final int key;
    private final AtomicLong wrong = new AtomicLong();

    private Client(Side side) throws Exception {
        this.side = side;
        count(side.next().getStatus());
        address = side.memory().buffer.getLong(0);
        key = side.memory().buffer.getInt(8);
    }

    /** {@code HOST PORT KIND} */
    public static void main(String[] args) throws Exception {
        RdmaEndpointGroup<?> group = Group.make(args[2]);
        Side side = (Side) group.createEndpoint();
        side.endpoint().connect(new InetSocketAddress(args[0], Integer.parseInt(args[1])), 2000);
        Client client = new Client(side);
        client.write();
        client.read();
        client.finish();
        side.endpoint().close();
        side.memory().close();
        group.close();
        System.out.println("client: wrong " + client.wrong);
        if (client.wrong.get() != 0) {
            throw new IllegalStateException("wrong data, or a completion with an error");
        }
    }

    private void count(int status) {
        if (status != 0) {
            wrong.incrementAndGet();
        }
    }

    /** Two threads post, each a request of its own, recorded once. This thread polls for both. */
    private void write() throws Exception {
        for (int i = 0; i < 2 * Server.AREA; i++) {
            side.memory().buffer.put(Server.WRITTEN_OFFSET + i, (byte) (i * 7));
        }
        List<Semaphore> slots = List.of(new Semaphore(OUTSTANDING), new Semaphore(OUTSTANDING));
        List<Thread> threads =
                List.of(new Thread(() -> post(0, slots.get(0))), new Thread(() -> post(1, slots.get(1))));
        threads.forEach(Thread::start);
        for (int i = 0; i < 2 * Server.AREA / PIECE; i++) {
            var done = side.next();
            count(done.getStatus());
            slots.get((int) done.getWr_id()).release();
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private void post(int thread, Semaphore slots) {
        int begin = Server.WRITTEN_OFFSET + thread * Server.AREA;
        try {
            SVCPostSend recorded =
                    side.endpoint().postSend(List.of(remote(IbvSendWR.IBV_WR_RDMA_WRITE, thread, begin, PIECE)));
            for (int offset = begin; offset < begin + Server.AREA; offset += PIECE) {
                slots.acquire();
                recorded.getWrMod(0).getSgeMod(0).setAddr(side.memory().region().getAddr() + offset);
                recorded.getWrMod(0).getRdmaMod().setRemote_addr(address + offset);
                recorded.execute();
            }
            recorded.free();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void read() throws Exception {
        Memory memory = side.memory();
        memory.buffer.put(Server.WRITTEN_OFFSET, new byte[2 * Server.AREA]);
        side.endpoint()
                .postSend(List.of(remote(IbvSendWR.IBV_WR_RDMA_READ, 3, Server.WRITTEN_OFFSET, 2 * Server.AREA)))
                .execute()
                .free();
        count(side.next().getStatus());
        for (int i = 0; i < 2 * Server.AREA; i++) {
            count(memory.buffer.get(Server.WRITTEN_OFFSET + i) - (byte) (i * 7));
        }
    }

    private IbvSendWR remote(int opcode, long id, int offset, int length) {
        IbvSendWR request = side.memory().request(opcode, id, offset, length);
        request.getRdma().setRemote_addr(address + offset);
        request.getRdma().setRkey(key);
        return request;
    }

    private void finish() throws Exception {
        side.endpoint()
                .postSend(List.of(side.memory().request(IbvSendWR.IBV_WR_SEND, 4, 0, 4)))
                .execute()
                .free();
        count(side.next().getStatus());
    }
}
