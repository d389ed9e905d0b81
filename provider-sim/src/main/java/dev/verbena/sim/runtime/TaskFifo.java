package dev.verbena.sim.runtime;

import org.jspecify.annotations.Nullable;

/** Tasks that want to run, in order, linked through themselves. Not thread-safe. */
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

    /** Takes the task that was added first, or null. */
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

    /** Takes the first task that is {@linkplain RuntimeTask#isInner() inner}, or null; passes over those before it. */
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

    /** Forgets all tasks; they keep their marks and are of no use any more. */
    void clear() {
        head = null;
        tail = null;
        size = 0;
    }
}
