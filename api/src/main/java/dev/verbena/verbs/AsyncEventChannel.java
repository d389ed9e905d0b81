// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The queue of the asynchronous events of a device, except the events for which an object has its own handler. Thread-safe.
 *
 * <p>The software device queues at most 4096 events and then drops the oldest events.
 *
 * <p>Events need no acknowledgement; {@link CompletionChannel} explains why.
 *
 * @see <a href="https://man7.org/linux/man-pages/man3/ibv_get_async_event.3.html">ibv_get_async_event(3)</a>
 * @since 1.0
 */
public interface AsyncEventChannel {
    /** {@return the oldest event, which the call removes from the channel without waiting; empty if the channel has no event} */
    Optional<AsyncEvent> poll();

    /**
     * Waits for an event.
     *
     * @param timeout the maximum time to wait, measured by the clock of the device's runtime
     * @return the oldest event; empty if no event arrived before the timeout
     * @throws VerbsException {@code EBADF} if the device is closed, also while the call waits
     * @throws InterruptedException if the calling thread was interrupted
     */
    Optional<AsyncEvent> await(Duration timeout) throws VerbsException, InterruptedException;

    /**
     * Delivers events to a handler instead of queueing them. The handler first gets the events that are already queued.
     *
     * @param handler the handler, or null to queue events again
     */
    void setHandler(@Nullable AsyncEventHandler handler);
}
