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
        NetworkInterface ni = connection.ni();
        synchronized (ni.lock()) {
            @Nullable Endpoint endpoint = connection.endpoint();
            if (endpoint == null || connection.state() == ConnectionState.DESTROYED) {
                return false;
            }
            boolean more;
            try {
                more = handleNext(ni, connection, endpoint);
            } catch (Throwable thrown) {
                // The step is done in part: a credit may be missing. A new connection begins with all of them.
                connection.close(-Errno.EIO.number());
                throw thrown;
            }
            if (connection.state() == ConnectionState.DISCONNECTED && connection.isDrained()) {
                ni.daemon().wake();
            }
            return more;
        }
    }

    private static boolean handleNext(NetworkInterface ni, Connection connection, Endpoint endpoint) {
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
        ni.clock().begin();
        try {
            handle(ni, connection, endpoint, completion);
        } finally {
            ni.clock().end();
        }
        try {
            return endpoint.completions().hasNext();
        } catch (IllegalStateException e) {
            connection.close(-Errno.EIO.number());
            return false;
        }
    }

    private static void handle(
            NetworkInterface ni, Connection connection, Endpoint endpoint, WorkCompletion completion) {
        ni.counters().completed(completion.status());
        boolean success = completion.isSuccess();
        int index = WorkId.index(completion.workRequestId());
        switch (WorkId.kind(completion.workRequestId())) {
            case WorkId.TX ->
                connection
                        .engine()
                        .sendCompleted(connection.partition().transmits().get(index), success, ni.now());
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
