// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A completion queue ({@code struct ibv_cq}).
 *
 * <p>{@link #poll} and {@link #requestNotification} are thread-safe, do not allocate and do not block.
 *
 * @see <a href="https://man7.org/linux/man-pages/man3/ibv_create_cq.3.html">ibv_create_cq(3)</a>
 * @since 1.0
 */
public interface CompletionQueue extends AutoCloseable {
    /** {@return the open device of this queue} */
    Device device();

    /** {@return the capacity in completions, which is at least the requested capacity} */
    int capacity();

    /** {@return the object that the application attached to this queue when it created the queue, or null} */
    @Nullable Object context();

    /** {@return the channel that receives the completion events of this queue; empty if the queue has no channel} */
    Optional<CompletionChannel> channel();

    /**
     * Creates a batch of completions for {@link #poll}. The batch has the memory layout that this provider needs.
     *
     * @param capacity the maximum number of completions of one poll, at least 1
     * @return a new batch of completions, which the application may reuse, but which only one thread may use at a time
     */
    WorkCompletions newCompletions(int capacity);

    /**
     * Removes completions from the queue ({@code ibv_poll_cq}). After a poll, the calling thread sees the data that the
     * device wrote for successful work requests. The section "Visibility" in the Javadoc of package {@code
     * dev.verbena.verbs} specifies when a thread sees data that a device wrote.
     *
     * @param into a batch of completions, from {@link #newCompletions} of a CQ of this device; the method overwrites the batch
     * @return the number of completions removed, 0 if the queue is empty
     * @throws IllegalStateException if the queue is closed, or if the queue is in the error state (event CQ_ERR) and has no
     *     more completions
     */
    int poll(WorkCompletions into);

    /**
     * Polls until at least one completion was removed. This method suits an application that cannot continue without a
     * completion. On the data path, use {@link #poll} or completion events instead of this method.
     *
     * @param into a batch of completions, from {@link #newCompletions} of a CQ of this device; the method overwrites the batch
     * @param timeout the longest time to wait
     * @return the number of completions removed, at least 1
     * @throws VerbsException {@code ETIMEDOUT} if no completion arrived before the timeout; the exception message ends with
     *     the text of {@link #explain()}
     * @throws InterruptedException if the calling thread was interrupted
     * @throws IllegalStateException if {@link #poll} throws an {@code IllegalStateException}, or if the caller is a task,
     *     timer callback or handler of the {@link VerbsRuntime}; such a caller must not wait
     */
    default int await(WorkCompletions into, Duration timeout) throws VerbsException, InterruptedException {
        if (!device().runtime().await(() -> poll(into) > 0, timeout)) {
            throw new VerbsException(
                    Errno.ETIMEDOUT,
                    "ibv_poll_cq",
                    "no completion arrived within " + timeout.toMillis() + " ms.\n" + explain() + "\n");
        }
        return into.count();
    }

    /**
     * Diagnoses this completion queue for a human reader. If the provider knows the queue pairs that complete into this
     * queue, the diagnosis includes their {@link QueuePair#explain()}. Do not call {@code explain} on the data path.
     *
     * @return the diagnosis
     */
    default Explanation explain() {
        return new Explanation(
                "CQ of " + device().name(), List.of("capacity: " + capacity()), Optional.empty(), List.of(), List.of());
    }

    /**
     * Arms the queue ({@code ibv_req_notify_cq}). The next completion of the requested type (any or solicited) generates a
     * completion event for the completion channel or handler, and disarms the queue.
     *
     * <p>Completions that are already in the queue cause no completion event, so the application must poll the queue once
     * more after it has armed the queue. A completion with an error counts as solicited.
     *
     * @param kind the type of completions that cause a completion event: any, or only solicited ones
     * @throws IllegalStateException if the queue is closed, or if the queue is in the error state (event CQ_ERR) and has no
     *     more completions
     */
    void requestNotification(Notification kind);

    /**
     * Changes the capacity ({@code ibv_resize_cq}). A resize neither removes nor reorders the completions in the queue.
     *
     * @param capacity the new capacity, at least the number of completions in the queue
     * @throws VerbsException {@code EINVAL} if the capacity is out of range; {@link CapabilityException} without
     *     {@link Capability#CQ_RESIZE}
     */
    void resize(int capacity) throws VerbsException;

    /**
     * The maximum of the parameter {@code count} of {@link #moderate}, and the maximum of the parameter {@code period} in
     * microseconds. In C, {@code count} and {@code period} are 16-bit fields of {@code struct ibv_moderate_cq}.
     */
    int MOST_MODERATION = 0xFFFF;

    /**
     * Reduces the number of completion events ({@code ibv_modify_cq} with {@code IBV_CQ_ATTR_MODERATE}). An armed queue
     * causes a completion event after the given number of new completions, or when the given period has passed since the
     * first new completion. Polling is not affected.
     *
     * @param count the number of completions, 0 to {@link #MOST_MODERATION}; 0 and 1 mean no delay
     * @param period the maximum delay in whole microseconds, 0 to {@link #MOST_MODERATION}; zero means no delay
     * @throws VerbsException {@code EINVAL} if an argument is out of range; {@link CapabilityException} without
     *     {@link Capability#CQ_MODERATION}
     * @see <a href="https://man7.org/linux/man-pages/man3/ibv_modify_cq.3.html">ibv_modify_cq(3)</a>
     */
    default void moderate(int count, Duration period) throws VerbsException {
        throw new CapabilityException(Capability.CQ_MODERATION, "ibv_modify_cq", device().name());
    }

    /**
     * Destroys the queue ({@code ibv_destroy_cq}).
     *
     * <p>The method {@code close} waits until no call of the handler is running, without a time limit. After {@code close}
     * returns, the handler is not called again. In C, {@code ibv_destroy_cq} waits until the application has acknowledged
     * all completion events. If the handler itself closes its queue, {@code close} does not wait for the handler.
     *
     * @throws VerbsException {@code EBUSY} while a queue pair uses this queue
     */
    @Override
    void close() throws VerbsException;
}
