// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Notification;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WorkCompletions;
import org.jspecify.annotations.Nullable;

/**
 * Returns completions one by one, which it polls in batches. After an empty poll the queue is armed and polled once
 * more, since a completion that was added before the arming would not be announced. Not thread-safe.
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
     * Takes the next completion, which is valid until the next call. If there is none, returns null, and the queue
     * announces the next one.
     *
     * @throws IllegalStateException if the queue has overrun
     */
    @Nullable WorkCompletion next() {
        return next < batch.count() || poll() ? batch.get(next++) : null;
    }

    /**
     * Returns whether there is another completion. Call this after handling the last one, which becomes invalid. A
     * batch that was not full has emptied the queue, so the queue is armed at once. If this returns false, the queue
     * announces the next completion, and a call of {@link #next} is not needed for that.
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
        // Only after the poll, since a poll that throws may leave the batch unchanged.
        next = 0;
        return found;
    }
}
