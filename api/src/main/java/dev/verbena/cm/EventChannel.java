package dev.verbena.cm;

import dev.verbena.verbs.VerbsException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A queue of connection events ({@code struct rdma_event_channel}). May be used from several threads.
 *
 * @see <a href="https://man7.org/linux/man-pages/man3/rdma_get_cm_event.3.html">rdma_get_cm_event(3)</a>
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
     * Has events delivered to a handler instead of being queued; those already queued are delivered first.
     *
     * @param handler the handler, or null to queue again
     */
    void setHandler(@Nullable CmEventHandler handler);

    /**
     * Destroys the channel; waiters get {@code EBADF}.
     *
     * @throws VerbsException {@code EBUSY} while an id uses it
     */
    @Override
    void close() throws VerbsException;
}
