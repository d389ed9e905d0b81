// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.runtime;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A timer of {@link Timers}. After a timer's deadline was postponed, the {@link DeadlineHeap} still has the earlier
 * deadline. A thread that sets the timer writes {@code meantFor} (the new deadline), and then reads {@code queuedFor} (the
 * deadline in the heap). A thread that removes the timer from the heap writes {@code queuedFor}, and then reads {@code
 * meantFor}. At least one of the setting thread and the removing thread sees the other thread's write, so no timer is lost.
 */
final class WallAlarm extends DeadlineHeap.Entry implements Alarm {
    private static final VarHandle MEANT_FOR;

    static {
        try {
            MEANT_FOR = MethodHandles.lookup().findVarHandle(WallAlarm.class, "meantFor", long.class);
        } catch (ReflectiveOperationException missing) {
            throw new ExceptionInInitializerError(missing);
        }
    }

    private final Timers timers;
    private final RuntimeTask expiry;

    /** The deadline to which the timer was last set, or {@link Deadlines#NEVER} for a cleared timer. */
    volatile long meantFor = Deadlines.NEVER;

    /**
     * The deadline in the heap, or {@link Deadlines#NEVER} if the timer is not in the heap. Only a thread that holds the
     * lock of {@link Timers} writes this field.
     */
    volatile long queuedFor = Deadlines.NEVER;

    WallAlarm(Timers timers, RuntimeTask expiry) {
        this.timers = timers;
        this.expiry = expiry;
    }

    @Override
    public void set(long nanoTime) {
        meantFor = nanoTime;
        if (nanoTime < queuedFor) {
            timers.queue(this);
        }
    }

    @Override
    public void clear() {
        meantFor = Deadlines.NEVER;
    }

    @Override
    public void close() {
        clear();
        timers.remove(this);
    }

    /** Handles an expired deadline, after {@link Timers} has removed this timer from the heap. */
    void onTime(long now) {
        while (true) {
            long meant = meantFor;
            if (meant > now) {
                timers.queue(this);
                return;
            }
            if (MEANT_FOR.compareAndSet(this, meant, Deadlines.NEVER)) {
                expiry.schedule();
                return;
            }
        }
    }
}
