// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A completion queue ({@code struct ibv_cq}).
 *
 * <p>{@link #poll} and {@link #requestNotification} may be called from several threads, neither allocate nor block.
 *
 * @see <a href="https://man7.org/linux/man-pages/man3/ibv_create_cq.3.html">ibv_create_cq(3)</a>
 * @since 1.0
 */
public interface CompletionQueue extends AutoCloseable {
    /**
     * Returns the device of this queue.
     *
     * @return the open device
     */
    Device device();

    /**
     * Returns how many completions fit.
     *
     * @return the real capacity, at least the requested one
     */
    int capacity();

    /**
     * Returns the object that the creator attached.
     *
     * @return the context object, or null
     */
    @Nullable Object context();

    /**
     * Returns the channel on which completions are announced.
     *
     * @return the channel given at creation, or empty
     */
    Optional<CompletionChannel> channel();

    /**
     * Makes a batch to poll into, laid out as this provider needs it.
     *
     * @param capacity how many completions one poll may return, at least 1
     * @return a new batch, to be used by one thread at a time and reused
     */
    WorkCompletions newCompletions(int capacity);

    /**
     * Takes completions from the queue ({@code ibv_poll_cq}). The calling thread then sees the data that the device
     * wrote for successful requests. The {@linkplain dev.verbena.verbs chapter on visibility} has the rules, also for
     * other threads.
     *
     * @param into a batch made by {@link #newCompletions} of this queue's device; its former content is lost
     * @return how many were taken, 0 if the queue is empty
     * @throws IllegalStateException if the queue is closed; or if it is broken, which a CQ_ERR event reports, and all
     *     completions from before the failure have been polled
     */
    int poll(WorkCompletions into);

    /**
     * Polls until at least one completion was taken, for programs that need one to continue. A data path polls or uses
     * announcements instead.
     *
     * @param into a batch made by {@link #newCompletions} of this queue's device; its former content is lost
     * @param timeout how long to wait at most
     * @return how many were taken, at least 1
     * @throws VerbsException {@code ETIMEDOUT} if none came in time; the message ends with {@link #explain()}
     * @throws InterruptedException if the calling thread was interrupted
     * @throws IllegalStateException as {@link #poll}; or in a task, alarm or handler of the runtime, which may not wait
     */
    default int await(WorkCompletions into, Duration timeout) throws VerbsException, InterruptedException {
        if (!device().runtime().await(() -> poll(into) > 0, timeout)) {
            throw new VerbsException(
                    Errno.ETIMEDOUT,
                    "ibv_poll_cq",
                    "no completion came within " + timeout.toMillis() + " ms.\n" + explain() + "\n");
        }
        return into.count();
    }

    /**
     * Explains the queue to people: where the provider knows, the queue pairs that complete into it, as {@link
     * QueuePair#explain()} explains them. Control path.
     *
     * @return the explanation
     */
    default Explanation explain() {
        return new Explanation(
                "CQ of " + device().name(), List.of("capacity: " + capacity()), Optional.empty(), List.of(), List.of());
    }

    /**
     * Arms the queue: the next completion of that kind is announced once, on the channel or to the handler
     * ({@code ibv_req_notify_cq}).
     *
     * <p>Completions that are already in the queue are not announced: poll once more after arming. A completion with an
     * error counts as solicited.
     *
     * @param kind which completions to announce
     * @throws IllegalStateException if the queue is closed; or if it is broken, which a CQ_ERR event reports, and
     *     nothing is left to poll
     */
    void requestNotification(Notification kind);

    /**
     * Changes the capacity ({@code ibv_resize_cq}). The completions in the queue stay, in order.
     *
     * @param capacity the new capacity, at least the number of completions in the queue
     * @throws VerbsException {@code EINVAL} when out of range; {@link CapabilityException} without
     *     {@link Capability#CQ_RESIZE}
     */
    void resize(int capacity) throws VerbsException;

    /** The largest count and the longest period, in microseconds, of {@link #moderate}: both are 16 bits. */
    int MOST_MODERATION = 0xFFFF;

    /**
     * Makes the device announce completions less often ({@code ibv_modify_cq} with {@code IBV_CQ_ATTR_MODERATE}). An
     * armed queue announces after {@code count} completions, or when {@code period} has passed since the first of them.
     * Polling is not affected.
     *
     * @param count how many completions, 0 to {@link #MOST_MODERATION}; with 0 or 1 no announcement waits for further
     *     completions
     * @param period the longest delay, in whole microseconds, 0 to {@link #MOST_MODERATION}; zero does not delay
     * @throws VerbsException {@code EINVAL} when out of range; {@link CapabilityException} without
     *     {@link Capability#CQ_MODERATION}
     * @see <a href="https://man7.org/linux/man-pages/man3/ibv_modify_cq.3.html">ibv_modify_cq(3)</a>
     */
    default void moderate(int count, Duration period) throws VerbsException {
        throw new CapabilityException(Capability.CQ_MODERATION, "ibv_modify_cq", device().name());
    }

    /**
     * Destroys the queue ({@code ibv_destroy_cq}).
     *
     * <p>Waits without a time limit until the queue's handler does not run and will not run again, as
     * {@code ibv_destroy_cq} waits for the acknowledgement of all events. So a handler that blocks also blocks the
     * caller. A handler that closes its own queue does not wait for itself.
     *
     * @throws VerbsException {@code EBUSY} while a queue pair uses it
     */
    @Override
    void close() throws VerbsException;
}
