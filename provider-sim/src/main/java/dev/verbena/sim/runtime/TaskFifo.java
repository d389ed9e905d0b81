// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.runtime;

import org.jspecify.annotations.Nullable;

/** A queue of tasks in order of insertion, linked through the tasks themselves. This class is not thread-safe. */
final class TaskFifo {
    private @Nullable RuntimeTask head;
    private @Nullable RuntimeTask tail;
    private int size;

    void add(RuntimeTask task) {
        RuntimeTask last = tail;
        if (last == null) {
            head = task;
        } else {
            last.next = task;
        }
        tail = task;
        size++;
    }

    @Nullable RuntimeTask poll() {
        RuntimeTask first = head;
        if (first != null) {
            head = first.next;
            first.next = null;
            if (head == null) {
                tail = null;
            }
            size--;
        }
        return first;
    }

    /** Removes and returns the oldest task that never calls application code, or null. Other tasks stay in the queue. */
    @Nullable RuntimeTask pollInner() {
        RuntimeTask before = null;
        RuntimeTask task = head;
        while (task != null && !task.isInner()) {
            before = task;
            task = task.next;
        }
        if (task == null || before == null) {
            return task == null ? null : poll();
        }
        before.next = task.next;
        task.next = null;
        if (before.next == null) {
            tail = before;
        }
        size--;
        return task;
    }

    boolean isEmpty() {
        return head == null;
    }

    int size() {
        return size;
    }

    /** Discards all tasks. A discarded task keeps its bit QUEUED, so that no thread can queue the task again. */
    void clear() {
        head = null;
        tail = null;
        size = 0;
    }
}
