// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The asynchronous events of a device that no object's own handler takes. May be used from several threads.
 *
 * <p>The software device keeps the 4096 newest events that a program does not read.
 *
 * <p>Events need no acknowledgement; see {@link CompletionChannel} for the reason.
 *
 * @see <a href="https://man7.org/linux/man-pages/man3/ibv_get_async_event.3.html">ibv_get_async_event(3)</a>
 * @since 1.0
 */
public interface AsyncEventChannel {
    /**
     * Takes an event if there is one.
     *
     * @return the oldest event, or empty
     */
    Optional<AsyncEvent> poll();

    /**
     * Waits for an event.
     *
     * @param timeout how long to wait at most, in the time of the device's runtime
     * @return the oldest event, or empty when the time ran out
     * @throws VerbsException {@code EBADF} if the device is closed, also while waiting
     * @throws InterruptedException if the calling thread was interrupted
     */
    Optional<AsyncEvent> await(Duration timeout) throws VerbsException, InterruptedException;

    /**
     * Has events delivered to a handler instead of being queued; those already queued are delivered first.
     *
     * @param handler the handler, or null to queue again
     */
    void setHandler(@Nullable AsyncEventHandler handler);
}
