// SPDX-License-Identifier: Apache-2.0
package program.endpoints;

import com.ibm.disni.RdmaEndpointGroup;
import com.ibm.disni.RdmaServerEndpoint;
import com.ibm.disni.verbs.IbvSendWR;
import java.net.InetSocketAddress;
import java.util.List;

/** Publishes its memory to several clients, one after the other, by an endpoint group. */
public final class Server {
    /** A client's first thread writes here, the second one after {@link #AREA} bytes. */
    static final int WRITTEN_OFFSET = 1024;

    static final int AREA = 1024;

    private Server() {}

    /** {@code HOST PORT KIND CLIENTS} */
    public static void main(String[] args) throws Exception {
        RdmaEndpointGroup<?> group = Group.make(args[2]);
        RdmaServerEndpoint<?> listener = group.createServerEndpoint();
        listener.bind(new InetSocketAddress(args[0], Integer.parseInt(args[1])), 10);
        System.out.println("listening");
        long wrong = 0;
        for (int i = 0; i < Integer.parseInt(args[3]); i++) {
            wrong += serve((Side) listener.accept());
        }
        listener.close();
        group.close();
        System.out.println("server: wrong " + wrong);
        if (wrong != 0) {
            throw new IllegalStateException("wrong data, or a completion with an error");
        }
    }

    private static long serve(Side side) throws Exception {
        Memory memory = side.memory();
        memory.buffer
                .putLong(16, memory.region().getAddr())
                .putInt(24, memory.region().getLkey());
        side.endpoint()
                .postSend(List.of(memory.request(IbvSendWR.IBV_WR_SEND, 2, 16, 12)))
                .execute()
                .free();
        long wrong = 0;
        // The published address, and the message of the client that is done.
        for (int i = 0; i < 2; i++) {
            wrong += side.next().getStatus() == 0 ? 0 : 1;
        }
        for (int i = 0; i < 2 * AREA; i++) {
            wrong += memory.buffer.get(WRITTEN_OFFSET + i) == (byte) (i * 7) ? 0 : 1;
        }
        side.endpoint().close();
        memory.close();
        return wrong;
    }
}
