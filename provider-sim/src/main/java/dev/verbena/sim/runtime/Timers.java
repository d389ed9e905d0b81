// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.runtime;

/**
 * The alarms of wall time. Each ACK postpones a retransmission alarm, so postponing must be cheap. Clearing or postponing
 * an alarm costs only one volatile write. If an alarm is postponed, the {@link DeadlineHeap} keeps the old deadline of the
 * alarm. When the old deadline expires, the alarm is added again with its new deadline. Setting an alarm acquires the lock
 * only if the new deadline is before the alarm's deadline in the heap.
 *
 * <p>The thread that runs the alarms calls {@link #runDue}, and then waits until the deadline that {@link #runDue}
 * returned, or until {@code onEarlier} is called.
 */
final class Timers {
    private final Runnable onEarlier;

    /** The queued alarms. Guarded by this. */
    private final DeadlineHeap<WallAlarm> heap = new DeadlineHeap<>();

    /**
     * Makes an empty set of alarms.
     *
     * @param onEarlier the function to call after {@link #queue} has put an alarm at the front of the heap. The caller
     *     holds no lock
     */
    Timers(Runnable onEarlier) {
        this.onEarlier = onEarlier;
    }

    /** Makes an alarm that schedules a task when it expires. */
    Alarm newAlarm(RuntimeTask expiry) {
        return new WallAlarm(this, expiry);
    }

    /** Runs the alarms that are due, earliest first. Returns the earliest deadline in the heap, or {@link Deadlines#NEVER}. */
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
     * Queues an alarm with its new deadline, unless the heap already contains the alarm with an earlier or equal deadline.
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
