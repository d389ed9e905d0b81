// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Notification;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WorkCompletions;
import org.jspecify.annotations.Nullable;

/**
 * Polls completions in batches, and returns them one at a time. After arming an empty CQ, this class polls again,
 * because a completion that was added between the last poll and the arming raises no event. Not thread-safe.
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

    /** Returns the next completion, which is valid until the next call; null if the CQ is empty and armed. */
    @Nullable WorkCompletion next() {
        return next < batch.count() || poll() ? batch.get(next++) : null;
    }

    /**
     * Returns whether another completion is pending, and arms the CQ if none is pending. This call invalidates the
     * completion that the last {@link #next} returned.
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
        // A poll that throws an exception leaves the batch unchanged. If `next` were reset before the poll, `next()`
        // would return the same completions again.
        next = 0;
        return found;
    }
}
