// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.runtime;

/**
 * The alarms of wall time. Clearing an alarm or postponing it, as a retransmission timer does with each ACK, costs one
 * volatile write. The heap keeps the earlier deadline of a postponed alarm. When the earlier deadline expires, the
 * alarm is added to the heap again with its new deadline. The lock is acquired only when an alarm is set to a time
 * before its queued deadline.
 *
 * <p>The owner of the alarms calls {@link #runDue}, and then waits until the deadline that {@link #runDue} returned, or until
 * {@code onEarlier} is called.
 */
final class Timers {
    private final Runnable onEarlier;

    /** The queued alarms. Guarded by this. */
    private final DeadlineHeap<WallAlarm> heap = new DeadlineHeap<>();

    /**
     * Makes an empty set of alarms.
     *
     * @param onEarlier the function to call, without a lock, when the owner of the alarms must wait for less time than before
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
     * Queues an alarm with its new deadline, unless the heap already contains the alarm with an earlier or equal
     * deadline.
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
