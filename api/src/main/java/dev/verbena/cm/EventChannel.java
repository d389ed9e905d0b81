// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cm;

import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.nio.channels.SelectableChannel;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A queue of connection events ({@code struct rdma_event_channel}). May be used from several threads.
 *
 * @see <a href="https://man7.org/linux/man-pages/man3/rdma_get_cm_event.3.html">rdma_get_cm_event(3)</a>
 * @since 1.0
 */
public interface EventChannel extends AutoCloseable {
    /**
     * Takes an event if there is one.
     *
     * @return the oldest event, to be closed by the caller, or empty
     * @throws VerbsException {@code EBADF} after the channel was closed
     */
    Optional<CmEvent> poll() throws VerbsException;

    /**
     * Waits for an event.
     *
     * @param timeout how long to wait at most, in the time of the provider's runtime
     * @return the oldest event, to be closed by the caller, or empty when the time ran out
     * @throws VerbsException {@code EBADF} if the channel is closed, also while waiting
     * @throws InterruptedException if the calling thread was interrupted
     */
    Optional<CmEvent> await(Duration timeout) throws VerbsException, InterruptedException;

    /**
     * Makes a stage that completes, once, as soon as the channel has an event to {@link #poll}. A dependent action
     * without an executor of its own runs in the common pool, under virtual time in a task of the runtime. Another
     * thread that polls may take the event first. The channel keeps the stage until it completes; a program that no
     * longer waits cancels the stage's {@link CompletionStage#toCompletableFuture()}.
     *
     * @return a new stage; it fails with {@code EBADF} when the channel is closed first
     * @throws VerbsException {@code EOPNOTSUPP} if the provider has no such stages
     */
    default CompletionStage<Void> ready() throws VerbsException {
        throw new VerbsException(
                Errno.EOPNOTSUPP,
                "rdma_get_cm_event",
                "this provider has no stages for channels; await in a thread of its own instead");
    }

    /**
     * Returns a channel for a {@link java.nio.channels.Selector}: it is readable while this channel has an event to
     * {@link #poll}. The program reads nothing from it. After a selection the program polls until the poll is empty,
     * which makes the channel unreadable again.
     *
     * @return the source of a pipe, in non-blocking mode and the same each time; closing this channel closes it
     * @throws VerbsException {@code EBADF} after the channel was closed, {@code EOPNOTSUPP} under virtual time, in
     *     which no selector waits, and if the provider has no such channels
     */
    default SelectableChannel selectable() throws VerbsException {
        throw new VerbsException(
                Errno.EOPNOTSUPP,
                "rdma_get_cm_event",
                "this provider has no channels for selectors; await in a thread of its own instead");
    }

    /**
     * Delivers events to a handler instead of queueing them. Events already queued are delivered first.
     *
     * @param handler the handler, or null to queue again
     */
    void setHandler(@Nullable CmEventHandler handler);

    /**
     * Destroys the channel; calls that wait fail with {@code EBADF}.
     *
     * @throws VerbsException {@code EBUSY} while an id uses it
     */
    @Override
    void close() throws VerbsException;
}
