// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.nio.channels.SelectableChannel;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * A channel that receives completion events from armed completion queues ({@code struct ibv_comp_channel}). Thread-safe.
 *
 * <p>The program need not acknowledge completion events, so this interface has no counterpart of
 * {@code ibv_ack_cq_events}. Closing a completion queue removes its completion events from the channel. A native
 * provider calls {@code ibv_ack_cq_events} itself.
 *
 * @see <a href="https://man7.org/linux/man-pages/man3/ibv_get_cq_event.3.html">ibv_get_cq_event(3)</a>
 * @since 1.0
 */
public interface CompletionChannel extends AutoCloseable {
    /**
     * Removes the oldest completion event from the channel without waiting.
     *
     * @return the completion queue that raised the event; empty if the channel has no completion event
     * @throws VerbsException {@code EBADF} after the channel was closed
     */
    Optional<CompletionQueue> poll() throws VerbsException;

    /**
     * Waits for a completion event.
     *
     * @param timeout the maximum time to wait, measured by the clock of the device's runtime
     * @return the completion queue that raised the event; empty if no completion event occurred before the timeout
     * @throws VerbsException {@code EBADF} if the channel is closed before or during the call
     * @throws InterruptedException if the calling thread was interrupted
     */
    Optional<CompletionQueue> await(Duration timeout) throws VerbsException, InterruptedException;

    /**
     * Creates a stage that completes when the channel has a completion event to {@link #poll}. If the program calls {@link
     * CompletionStage#thenRun} before the stage completes, the action runs in Java's common pool. Under virtual time, the
     * action of {@code thenRun} runs in a task of the runtime. If another thread polls the completion event first, the
     * program's poll may return no queue. The channel keeps the stage until the stage completes. When the program no longer
     * needs the stage, the program must cancel the stage's {@link CompletionStage#toCompletableFuture()}.
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
     * Returns a selectable channel for a {@link java.nio.channels.Selector}. The selectable channel is readable while
     * this completion channel has a completion event to {@link #poll}. The program must not read bytes from the
     * selectable channel. When a selector has selected the channel, the program must poll this completion channel until
     * a poll returns no queue. After a poll that returned no queue, the selectable channel is no longer readable.
     *
     * @return the source of a non-blocking pipe, the same source for each call; closing the completion channel closes the
     *     source
     * @throws VerbsException {@code EBADF} after the channel was closed. {@code EOPNOTSUPP} if the provider lacks
     *     selectable channels. {@code EOPNOTSUPP} if the device runs in virtual time, because a selector waits in
     *     wall-clock time
     */
    default SelectableChannel selectable() throws VerbsException {
        throw new VerbsException(
                Errno.EOPNOTSUPP,
                "ibv_get_cq_event",
                "this provider does not support selectable(); call await() in a separate thread instead");
    }

    /**
     * Destroys the channel. Each {@link #await} call in progress fails with {@code EBADF}.
     *
     * @throws VerbsException {@code EBUSY} while a completion queue uses the channel
     */
    @Override
    void close() throws VerbsException;
}
