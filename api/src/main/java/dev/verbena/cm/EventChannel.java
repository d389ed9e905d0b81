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
 * A queue of connection management events ({@code struct rdma_event_channel}). Thread-safe.
 *
 * @see <a href="https://man7.org/linux/man-pages/man3/rdma_get_cm_event.3.html">rdma_get_cm_event(3)</a>
 * @since 1.0
 */
public interface EventChannel extends AutoCloseable {
    /**
     * Removes the oldest event from the channel without waiting.
     *
     * @return the event, which the caller must close; empty if the channel has no event
     * @throws VerbsException {@code EBADF} after the channel was closed
     */
    Optional<CmEvent> poll() throws VerbsException;

    /**
     * Waits for an event.
     *
     * @param timeout the maximum time to wait, measured by the provider's clock ({@code VerbsRuntime})
     * @return the oldest event, which the caller must close; empty if no event arrived before the timeout
     * @throws VerbsException {@code EBADF} if the channel is closed before or during the call
     * @throws InterruptedException if the calling thread was interrupted
     */
    Optional<CmEvent> await(Duration timeout) throws VerbsException, InterruptedException;

    /**
     * Creates a stage that completes, once, as soon as the channel has an event to {@link #poll}. If the application calls
     * {@link CompletionStage#thenRun} before the stage completes, Java's common pool runs the callback. Under virtual time,
     * a task of the provider's scheduler ({@code VerbsRuntime}) runs the callback. Another thread may poll the event first,
     * so the application's poll may return no event. The channel keeps an incomplete stage in memory. To release an
     * incomplete stage, the application cancels the result of {@link CompletionStage#toCompletableFuture()}.
     *
     * @return a new stage, which fails with {@code EBADF} if the channel is closed before an event arrives
     * @throws VerbsException {@code EOPNOTSUPP} if the provider does not support completion stages
     */
    default CompletionStage<Void> ready() throws VerbsException {
        throw new VerbsException(
                Errno.EOPNOTSUPP,
                "rdma_get_cm_event",
                "this provider does not support ready(); call await() in a separate thread instead");
    }

    /**
     * Returns a selectable channel for a {@link java.nio.channels.Selector}. The selectable channel is readable while this
     * event channel has an event to {@link #poll}. The application must not read bytes from the returned selectable
     * channel. When a selector has selected the channel, the application polls this event channel until a poll returns no
     * event. After a poll that returns no event, the selectable channel is no longer readable.
     *
     * @return the readable end of a non-blocking pipe, always the same; closing the event channel closes the pipe
     * @throws VerbsException {@code EBADF} after the channel was closed; {@code EOPNOTSUPP} if the provider does not
     *     support selectable channels; {@code EOPNOTSUPP} also in virtual time, because a selector waits in wall-clock time
     */
    default SelectableChannel selectable() throws VerbsException {
        throw new VerbsException(
                Errno.EOPNOTSUPP,
                "rdma_get_cm_event",
                "this provider does not support selectable(); call await() in a separate thread instead");
    }

    /**
     * Delivers events to a handler instead of queueing them. When a handler is set, the channel first delivers the
     * queued events to the handler.
     *
     * @param handler the handler; null removes the handler, so that the channel queues later events
     */
    void setHandler(@Nullable CmEventHandler handler);

    /**
     * Destroys the channel; waiting calls fail with {@code EBADF}.
     *
     * @throws VerbsException {@code EBUSY} while a connection id uses the event channel
     */
    @Override
    void close() throws VerbsException;
}
