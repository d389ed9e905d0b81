// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.runtime;

/**
 * The timers ({@link Alarm}) of {@link ThreadRuntime}, in wall-clock time. Each ACK postpones a retransmission timer, so
 * postponing must be cheap. Clearing or postponing a timer costs only one volatile write. If a timer is postponed, the
 * {@link DeadlineHeap} keeps the timer's old deadline. When the old deadline expires, the timer is added again with its new
 * deadline. Setting a timer acquires the lock only if the heap lacks the timer or contains it with a later deadline.
 *
 * <p>The runtime's timer thread calls {@link #runDue}, and then waits until the deadline that {@link #runDue} returned, or
 * until {@code onEarlier} is called.
 */
final class Timers {
    private final Runnable onEarlier;

    /** The queued timers. Guarded by this. */
    private final DeadlineHeap<WallAlarm> heap = new DeadlineHeap<>();

    /**
     * Makes an empty set of timers.
     *
     * @param onEarlier the function to call after {@link #queue} has put a timer at the front of the heap. The caller holds
     *     no lock
     */
    Timers(Runnable onEarlier) {
        this.onEarlier = onEarlier;
    }

    /** Makes a timer whose expiry schedules a task. */
    Alarm newAlarm(RuntimeTask expiry) {
        return new WallAlarm(this, expiry);
    }

    /** Runs the due timers, earliest first. Returns the earliest deadline in the heap, or {@link Deadlines#NEVER}. */
    long runDue(long now) {
        while (true) {
            WallAlarm due;
            synchronized (this) {
                due = heap.peek();
                if (due == null) {
                    return Deadlines.NEVER;
                }
                if (due.deadline() > now) {
                    return due.deadline();
                }
                heap.remove(due);
                due.queuedFor = Deadlines.NEVER;
            }
            due.onTime(now);
        }
    }

    /**
     * Queues a timer with its new deadline, unless the heap already contains the timer with an earlier or equal deadline.
     */
    void queue(WallAlarm alarm) {
        synchronized (this) {
            long meant = alarm.meantFor;
            if (meant >= alarm.queuedFor) {
                return;
            }
            heap.put(alarm, meant);
            alarm.queuedFor = meant;
            if (!alarm.equals(heap.peek())) {
                return;
            }
        }
        onEarlier.run();
    }

    synchronized void remove(WallAlarm alarm) {
        heap.remove(alarm);
        alarm.queuedFor = Deadlines.NEVER;
    }

    synchronized int queued() {
        return heap.size();
    }

    synchronized void clear() {
        heap.clear();
    }
}
