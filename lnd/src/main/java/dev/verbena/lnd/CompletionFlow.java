// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import dev.verbena.verbs.Errno;
import dev.verbena.verbs.WorkCompletion;
import org.jspecify.annotations.Nullable;

/**
 * Handles the completions of a connection's CQ. While one completion is handled, the {@link StepClock} is read at most
 * once. Source: {@code kiblnd_complete}.
 */
final class CompletionFlow {

    private CompletionFlow() {}

    /** Handles one completion under the lock of the CPU partition; returns false if no other completion is pending. */
    static boolean turn(Connection connection) {
        synchronized (connection.cpt().lock()) {
            @Nullable Endpoint endpoint = connection.endpoint();
            if (endpoint == null || connection.state() == ConnectionState.DESTROYED) {
                return false;
            }
            boolean more;
            try {
                more = handleNext(connection, endpoint);
            } catch (Throwable thrown) {
                // Close the connection, because the exception may have prevented the return of a credit to the peer.
                connection.close(-Errno.EIO.number());
                throw thrown;
            }
            connection.reportDrained();
            return more;
        }
    }

    private static boolean handleNext(Connection connection, Endpoint endpoint) {
        @Nullable WorkCompletion completion;
        try {
            completion = endpoint.completions().next();
        } catch (IllegalStateException e) {
            connection.cpt().failures().report(connection, e);
            connection.close(-Errno.EIO.number());
            return false;
        }
        if (completion == null) {
            return false;
        }
        StepClock clock = connection.cpt().clock();
        clock.begin();
        try {
            handle(connection, endpoint, completion);
        } finally {
            clock.end();
        }
        try {
            return endpoint.completions().hasNext();
        } catch (IllegalStateException e) {
            connection.cpt().failures().report(connection, e);
            connection.close(-Errno.EIO.number());
            return false;
        }
    }

    private static void handle(Connection connection, Endpoint endpoint, WorkCompletion completion) {
        connection.cpt().counters().completed(completion.status());
        boolean success = completion.isSuccess();
        int index = WorkId.index(completion.workRequestId());
        switch (WorkId.kind(completion.workRequestId())) {
            case WorkId.TX ->
                connection
                        .engine()
                        .sendCompleted(connection.partition().transmits().get(index), success, connection.now());
            case WorkId.RX -> {
                int page = endpoint.received(index);
                if (success) {
                    ReceiveFlow.arrived(new RxDescriptor(connection, index, page, (int) completion.byteLength()));
                } else {
                    connection.close(-Errno.EIO.number());
                }
            }
            // An RDMA WRITE or a memory registration is unsignaled, and has a completion only if the request fails. The
            // SEND after a failed WRITE or registration fails too.
            default -> connection.close(-Errno.EIO.number());
        }
    }
}
