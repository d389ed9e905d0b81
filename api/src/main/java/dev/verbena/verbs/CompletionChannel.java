// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.nio.channels.SelectableChannel;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * A queue of the completion events of armed completion queues ({@code struct ibv_comp_channel}). Thread-safe.
 *
 * <p>Completion events need no acknowledgement. Closing a completion queue removes its completion events, so the program needs
 * no counterpart of {@code ibv_ack_cq_events}. A native provider calls {@code ibv_ack_cq_events} itself.
 *
 * @see <a href="https://man7.org/linux/man-pages/man3/ibv_get_cq_event.3.html">ibv_get_cq_event(3)</a>
 * @since 1.0
 */
public interface CompletionChannel extends AutoCloseable {
    /**
     * Removes the oldest completion event from the channel without waiting.
     *
     * @return the queue that has completions, or empty if the channel has no completion event
     * @throws VerbsException {@code EBADF} after the channel was closed
     */
    Optional<CompletionQueue> poll() throws VerbsException;

    /**
     * Waits for a completion event.
     *
     * @param timeout the maximum time to wait, measured by the clock of the device's runtime
     * @return the queue that has completions; empty if no completion event occurred before the timeout
     * @throws VerbsException {@code EBADF} if the channel is closed, also while the call waits
     * @throws InterruptedException if the calling thread was interrupted
     */
    Optional<CompletionQueue> await(Duration timeout) throws VerbsException, InterruptedException;

    /**
     * Creates a stage that completes, once, as soon as the channel has a completion event to {@link #poll}. If the program
     * adds an action to the returned {@link CompletionStage} without an executor, the action runs in Java's common pool, or
     * under virtual time in a task of the runtime. Another thread may poll the completion event first, so the program's poll
     * may return no queue. The channel keeps the stage until it completes; a program that no longer waits cancels the stage's
     * {@link CompletionStage#toCompletableFuture()}.
     *
     * @return a new stage, which fails with {@code EBADF} if the channel is closed before a completion event occurs
     * @throws VerbsException {@code EOPNOTSUPP} if the provider does not support completion stages
     */
    default CompletionStage<Void> ready() throws VerbsException {
        throw new VerbsException(
                Errno.EOPNOTSUPP,
                "ibv_get_cq_event",
                "this provider does not support ready(); call await() in a separate thread instead");
    }

    /**
     * Returns a channel for a {@link java.nio.channels.Selector}, which is readable while this channel has a completion event
     * to {@link #poll}. The program reads no bytes from the selectable channel. After a selection the program polls this
     * channel until a poll returns no queue; then the selectable channel is no longer readable.
     *
     * @return the source of a non-blocking pipe, the same source for each call; closing the completion channel closes the
     *     source
     * @throws VerbsException {@code EBADF} after the channel was closed; {@code EOPNOTSUPP} if the provider does not support
     *     selectable channels, and always under virtual time, because no selector can wait for virtual time
     */
    default SelectableChannel selectable() throws VerbsException {
        throw new VerbsException(
                Errno.EOPNOTSUPP,
                "ibv_get_cq_event",
                "this provider does not support selectable(); call await() in a separate thread instead");
    }

    /**
     * Destroys the channel; waiting calls fail with {@code EBADF}.
     *
     * @throws VerbsException {@code EBUSY} while a completion queue uses the channel
     */
    @Override
    void close() throws VerbsException;
}
