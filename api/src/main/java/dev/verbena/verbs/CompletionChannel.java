package dev.verbena.verbs;

import java.nio.channels.SelectableChannel;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * A queue of announcements by armed completion queues ({@code struct ibv_comp_channel}).
 *
 * <p>Announcements need no acknowledgement: an object that is destroyed takes its announcements with it, so there is no
 * dangling pointer for {@code ibv_ack_cq_events} to protect against; a native provider acknowledges for its caller.
 *
 * <p>May be used from several threads.
 *
 * @see <a href="https://man7.org/linux/man-pages/man3/ibv_get_cq_event.3.html">ibv_get_cq_event(3)</a>
 * @since 1.0
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
     * Makes a stage that is complete as soon as the channel has something to {@link #poll}. It completes once; what depends on it
     * without an executor of its own runs in the common pool, under virtual time in a task of the runtime. Another thread that polls may
     * take the announcement first. The
     * channel keeps the stage until then; a program that waits no longer cancels the stage's {@link
     * CompletionStage#toCompletableFuture()}.
     *
     * @return a new stage; it fails with {@code EBADF} when the channel is closed first
     * @throws VerbsException {@code EOPNOTSUPP} if the provider has no such stages
     */
    default CompletionStage<Void> ready() throws VerbsException {
        throw new VerbsException(
                Errno.EOPNOTSUPP,
                "ibv_get_cq_event",
                "this provider has no stages for channels; await in a thread of its own instead");
    }

    /**
     * Returns a channel for a {@link java.nio.channels.Selector}: it is readable while there is something to {@link #poll}. The program
     * reads nothing from it: after a selection it polls until the poll is empty, which makes it unreadable again.
     *
     * @return the source of a pipe, in non-blocking mode and the same each time; closing this channel closes it
     * @throws VerbsException {@code EBADF} after the channel was closed, {@code EOPNOTSUPP} under virtual time, in which no selector
     *     waits, and if the provider has no such channels
     */
    default SelectableChannel selectable() throws VerbsException {
        throw new VerbsException(
                Errno.EOPNOTSUPP,
                "ibv_get_cq_event",
                "this provider has no channels for selectors; await in a thread of its own instead");
    }

    /**
     * Destroys the channel; waiters get {@code EBADF}.
     *
     * @throws VerbsException {@code EBUSY} while a completion queue uses it
     */
    @Override
    void close() throws VerbsException;
}
