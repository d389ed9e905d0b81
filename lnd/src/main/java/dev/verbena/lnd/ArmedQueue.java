package dev.verbena.lnd;

import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Notification;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WorkCompletions;
import org.jspecify.annotations.Nullable;

/**
 * Takes completions one by one, which are polled in batches. When there are none the queue is armed and polled once more, as one
 * that came in between would be announced to nobody. Not thread-safe.
 */
final class ArmedQueue {

    private static final int BATCH = 16;

    private final CompletionQueue queue;
    private final WorkCompletions batch;
    private int next;

    ArmedQueue(CompletionQueue queue) {
        this.queue = queue;
        batch = queue.newCompletions(BATCH);
    }

    /**
     * Takes the next completion, good until the next call; null if there is none, and then the queue announces the next.
     *
     * @throws IllegalStateException if the queue has overrun
     */
    @Nullable WorkCompletion next() {
        return next < batch.count() || poll() ? batch.get(next++) : null;
    }

    /**
     * Whether there is another one; to be asked when the last one has been handled, which is over then. A batch that was not full
     * has emptied the queue, so that it is armed at once; if there is none, the queue announces the next, and {@link #next} need
     * not be called to learn that.
     *
     * @throws IllegalStateException if the queue has overrun
     */
    boolean hasNext() {
        return next < batch.count() || (batch.count() < BATCH ? armAndPoll() : poll());
    }

    private boolean poll() {
        return take() || armAndPoll();
    }

    private boolean armAndPoll() {
        queue.requestNotification(Notification.NEXT_COMPLETION);
        return take();
    }

    private boolean take() {
        boolean found = queue.poll(batch) > 0;
        // Only now, as a poll that throws may leave the batch as it was.
        next = 0;
        return found;
    }
}
