package dev.verbena.verbs;

import java.time.Duration;
import java.util.Optional;

/**
 * A queue of announcements by armed completion queues ({@code struct ibv_comp_channel}).
 *
 * <p>Announcements need no acknowledgement: an object that is destroyed takes its announcements with it, so there is no
 * dangling pointer for {@code ibv_ack_cq_events} to protect against; a native provider acknowledges for its caller.
 *
 * <p>May be used from several threads.
 *
 * @see <a href="https://man7.org/linux/man-pages/man3/ibv_get_cq_event.3.html">ibv_get_cq_event(3)</a>
 */
public interface CompletionChannel extends AutoCloseable {
    /**
     * Takes an announcement if there is one.
     *
     * @return the queue that has completions, or empty
     * @throws VerbsException {@code EBADF} after the channel was closed
     */
    Optional<CompletionQueue> poll() throws VerbsException;

    /**
     * Waits for an announcement.
     *
     * @param timeout how long to wait at most, in the time of the device's runtime
     * @return the queue that has completions, or empty when the time ran out
     * @throws VerbsException {@code EBADF} if the channel is closed, also while waiting
     * @throws InterruptedException if the calling thread was interrupted
     */
    Optional<CompletionQueue> await(Duration timeout) throws VerbsException, InterruptedException;

    /**
     * Destroys the channel; waiters get {@code EBADF}.
     *
     * @throws VerbsException {@code EBUSY} while a completion queue uses it
     */
    @Override
    void close() throws VerbsException;
}
