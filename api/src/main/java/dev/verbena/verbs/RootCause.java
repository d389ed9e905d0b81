// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.util.Optional;

/**
 * The error that moved a queue pair to ERR or SQE. The later requests of the queue pair were flushed. On UC and UD, also
 * the error of a failed receive that left the queue pair usable.
 *
 * @param description a human-readable description of the error
 * @param failure the first request that failed; empty if the error had another cause, such as a call that modified the
 *     queue pair to ERR
 * @since 1.0
 */
public record RootCause(String description, Optional<Failure> failure) {
    /**
     * The first completion of a queue pair with a status other than SUCCESS and WR_FLUSH_ERR.
     *
     * @param workRequestId the work request id
     * @param status the status of the completion
     * @param receive whether the failed request was a receive and not a send
     * @since 1.0
     */
    public record Failure(long workRequestId, WorkCompletionStatus status, boolean receive) {
        @Override
        public String toString() {
            return (receive ? "receive " : "send ") + workRequestId + " failed with " + status;
        }
    }

    @Override
    public String toString() {
        return failure.map(first -> first + ": ").orElse("") + description;
    }
}
