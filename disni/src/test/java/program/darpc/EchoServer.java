// SPDX-License-Identifier: Apache-2.0
package program.darpc;

import com.ibm.darpc.DaRPCServerEndpoint;
import com.ibm.darpc.DaRPCServerEvent;
import com.ibm.darpc.DaRPCServerGroup;
import com.ibm.darpc.DaRPCService;
import com.ibm.disni.RdmaServerEndpoint;
import java.io.IOException;
import java.net.InetSocketAddress;

/** A server of DaRPC that answers each number with its successor. */
public final class EchoServer implements DaRPCService<EchoMessage, EchoMessage> {
    static final int QUEUE = 16;
    static final int PORT = 1919;

    /** {@code HOST POLLING INLINE CLUSTERS} */
    public static void main(String[] args) throws Exception {
        start(args[0], Boolean.parseBoolean(args[1]), Integer.parseInt(args[2]), Integer.parseInt(args[3]));
        System.out.println("listening");
    }

    public static void start(String host, boolean polling, int inline, int clusters) throws Exception {
        long[] affinities = new long[clusters];
        for (int i = 0; i < clusters; i++) {
            affinities[i] = 1L << i;
        }
        DaRPCServerGroup<EchoMessage, EchoMessage> group = DaRPCServerGroup.createServerGroup(
                new EchoServer(), affinities, -1, inline, polling, QUEUE, QUEUE, QUEUE, 32);
        RdmaServerEndpoint<DaRPCServerEndpoint<EchoMessage, EchoMessage>> listener = group.createServerEndpoint();
        listener.bind(new InetSocketAddress(host, PORT), 100);
        Thread accepting = new Thread(
                () -> {
                    try {
                        while (true) {
                            listener.accept();
                        }
                    } catch (IOException e) {
                        System.out.println("accept: " + e);
                    }
                },
                "accept");
        accepting.setDaemon(true);
        accepting.start();
    }

    @Override
    public EchoMessage createRequest() {
        return new EchoMessage();
    }

    @Override
    public EchoMessage createResponse() {
        return new EchoMessage();
    }

    @Override
    public void processServerEvent(DaRPCServerEvent<EchoMessage, EchoMessage> event) throws IOException {
        EchoMessage request = event.getReceiveMessage();
        event.getSendMessage().set(request.is(request.number) ? request.number + 1 : -1);
        event.triggerResponse();
    }

    @Override
    public void open(DaRPCServerEndpoint<EchoMessage, EchoMessage> endpoint) {}

    @Override
    public void close(DaRPCServerEndpoint<EchoMessage, EchoMessage> endpoint) {}
}
