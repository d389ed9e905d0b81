package dev.verbena.lnd;

import dev.verbena.verbs.Errno;
import dev.verbena.verbs.WorkCompletion;
import org.jspecify.annotations.Nullable;

/** Handles completions, each in one step of the clock. Source: {@code kiblnd_scheduler}, {@code kiblnd_complete}. */
final class CompletionFlow {

    private CompletionFlow() {}

    /**
     * A connection's turn: handles one completion. Returns false if no further one is pending. Takes the node's lock.
     */
    static boolean turn(Connection connection) {
        Net net = connection.net();
        synchronized (net.lock()) {
            @Nullable Endpoint endpoint = connection.endpoint();
            if (endpoint == null || connection.state() == ConnectionState.DESTROYED) {
                return false;
            }
            boolean more;
            try {
                more = handleNext(net, connection, endpoint);
            } catch (Throwable thrown) {
                // The step is done in part: a credit may be missing. A new connection begins with all of them.
                connection.close(-Errno.EIO.number());
                throw thrown;
            }
            if (connection.state() == ConnectionState.DISCONNECTED && connection.isDrained()) {
                net.daemon().wake();
            }
            return more;
        }
    }

    private static boolean handleNext(Net net, Connection connection, Endpoint endpoint) {
        @Nullable WorkCompletion completion;
        try {
            completion = endpoint.completions().next();
        } catch (IllegalStateException e) {
            connection.close(-Errno.EIO.number());
            return false;
        }
        if (completion == null) {
            return false;
        }
        net.clock().begin();
        try {
            handle(net, connection, endpoint, completion);
        } finally {
            net.clock().end();
        }
        try {
            return endpoint.completions().hasNext();
        } catch (IllegalStateException e) {
            connection.close(-Errno.EIO.number());
            return false;
        }
    }

    private static void handle(Net net, Connection connection, Endpoint endpoint, WorkCompletion completion) {
        net.counters().completed(completion.status());
        boolean success = completion.isSuccess();
        int index = WorkId.index(completion.workRequestId());
        switch (WorkId.kind(completion.workRequestId())) {
            case WorkId.TX ->
                connection
                        .engine()
                        .sendCompleted(connection.partition().transmits().get(index), success, net.now());
            case WorkId.RX -> {
                RxDescriptor rx = endpoint.received(connection, index, success ? (int) completion.byteLength() : 0);
                if (success) {
                    ReceiveFlow.arrived(rx);
                } else {
                    connection.close(-Errno.EIO.number());
                }
            }
            // WRITEs complete only when they fail, and then the SEND after them fails, too.
            default -> connection.close(-Errno.EIO.number());
        }
    }
}
