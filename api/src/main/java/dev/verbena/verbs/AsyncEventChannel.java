// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A device's queue of asynchronous events. Events of an object that has its own event handler are not queued. Thread-safe.
 *
 * <p>The software device queues at most 4096 events. If 4096 events are queued when another event arrives, the software
 * device drops the oldest event.
 *
 * <p>The program need not acknowledge events; {@link CompletionChannel} explains the reason.
 *
 * @see <a href="https://man7.org/linux/man-pages/man3/ibv_get_async_event.3.html">ibv_get_async_event(3)</a>
 * @since 1.0
 */
public interface AsyncEventChannel {
    /** {@return the oldest event, or empty if the channel has no event. The call does not wait, and removes the event} */
    Optional<AsyncEvent> poll();

    /**
     * Waits for an event.
     *
     * @param timeout the maximum time to wait, measured by the clock of the device's {@link VerbsRuntime}
     * @return the oldest event; empty if no event arrived before the timeout
     * @throws VerbsException {@code EBADF} if the device is closed before or during the call
     * @throws InterruptedException if the calling thread was interrupted
     */
    Optional<AsyncEvent> await(Duration timeout) throws VerbsException, InterruptedException;

    /**
     * Sets the handler that gets the events. While a handler is set, the channel queues no events. A new handler first
     * gets the events that are already queued.
     *
     * @param handler the handler; null removes the handler, so that the channel queues events
     */
    void setHandler(@Nullable AsyncEventHandler handler);
}
