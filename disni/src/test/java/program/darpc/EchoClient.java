// SPDX-License-Identifier: Apache-2.0
package program.darpc;

import com.ibm.darpc.DaRPCClientEndpoint;
import com.ibm.darpc.DaRPCClientGroup;
import com.ibm.darpc.DaRPCFuture;
import com.ibm.darpc.DaRPCProtocol;
import com.ibm.darpc.DaRPCStream;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A client of DaRPC, in each of the ways in which a program can wait for its answers. */
public final class EchoClient implements DaRPCProtocol<EchoMessage, EchoMessage> {
    /** The ways. */
    public enum Mode {
        FUTURE_POLL,
        FUTURE_TAKE,
        STREAM_POLL,
        STREAM_TAKE,
        BATCH_STREAM_POLL,
        BATCH_STREAM_TAKE;

        int batch() {
            return this == BATCH_STREAM_POLL || this == BATCH_STREAM_TAKE ? EchoServer.QUEUE : 1;
        }

        boolean streamed() {
            return this != FUTURE_POLL && this != FUTURE_TAKE;
        }
    }

    private final DaRPCClientGroup<EchoMessage, EchoMessage> group;
    private final List<DaRPCClientEndpoint<EchoMessage, EchoMessage>> endpoints = new ArrayList<>();

    public EchoClient(int inline) throws Exception {
        group = DaRPCClientGroup.createClientGroup(this, 100, inline, EchoServer.QUEUE, EchoServer.QUEUE);
    }

    /** {@code HOST MODE CALLS CONNECTIONS INLINE} */
    public static void main(String[] args) throws Exception {
        EchoClient client = new EchoClient(Integer.parseInt(args[4]));
        client.connect(args[0], Integer.parseInt(args[3]));
        long wrong = client.call(Mode.valueOf(args[1]), Integer.parseInt(args[2]));
        client.close();
        System.out.println("calls " + args[2] + ", wrong " + wrong);
        System.exit(wrong == 0 ? 0 : 1);
    }

    public void connect(String host, int connections) throws Exception {
        for (int i = 0; i < connections; i++) {
            DaRPCClientEndpoint<EchoMessage, EchoMessage> endpoint = group.createEndpoint();
            endpoint.connect(new InetSocketAddress(host, EchoServer.PORT), 1000);
            endpoints.add(endpoint);
        }
    }

    /** Makes calls over all connections in turn; returns how many answers were wrong. */
    public long call(Mode mode, int calls) throws Exception {
        List<DaRPCStream<EchoMessage, EchoMessage>> streams = new ArrayList<>();
        for (DaRPCClientEndpoint<EchoMessage, EchoMessage> endpoint : endpoints) {
            streams.add(endpoint.createStream());
        }
        long wrong = 0;
        for (int done = 0; done < calls; done += mode.batch()) {
            wrong += batch(mode, streams.get(done / mode.batch() % streams.size()), done);
        }
        return wrong;
    }

    private static long batch(Mode mode, DaRPCStream<EchoMessage, EchoMessage> stream, int first) throws Exception {
        DaRPCFuture<EchoMessage, EchoMessage> future = null;
        for (int i = 0; i < mode.batch(); i++) {
            EchoMessage request = new EchoMessage();
            request.set(first + i);
            future = stream.request(request, new EchoMessage(), mode.streamed());
        }
        long wrong = 0;
        for (int i = 0; i < mode.batch(); i++) {
            DaRPCFuture<EchoMessage, EchoMessage> done = await(mode, stream, future);
            if (!done.getReceiveMessage().is(done.getSendMessage().number + 1)) {
                wrong++;
            }
        }
        return wrong;
    }

    private static DaRPCFuture<EchoMessage, EchoMessage> await(
            Mode mode, DaRPCStream<EchoMessage, EchoMessage> stream, DaRPCFuture<EchoMessage, EchoMessage> future)
            throws Exception {
        return switch (mode) {
            case FUTURE_POLL -> {
                while (!future.isDone()) {}
                yield future;
            }
            case FUTURE_TAKE -> {
                future.get(30_000, TimeUnit.MILLISECONDS); // DaRPC takes any unit for milliseconds
                yield future;
            }
            case STREAM_TAKE, BATCH_STREAM_TAKE -> stream.take(30_000);
            case STREAM_POLL, BATCH_STREAM_POLL -> {
                DaRPCFuture<EchoMessage, EchoMessage> done = stream.poll();
                while (done == null) {
                    done = stream.poll();
                }
                yield done;
            }
        };
    }

    public void close() throws Exception {
        for (DaRPCClientEndpoint<EchoMessage, EchoMessage> endpoint : endpoints) {
            endpoint.close();
        }
        group.close();
    }

    @Override
    public EchoMessage createRequest() {
        return new EchoMessage();
    }

    @Override
    public EchoMessage createResponse() {
        return new EchoMessage();
    }
}
