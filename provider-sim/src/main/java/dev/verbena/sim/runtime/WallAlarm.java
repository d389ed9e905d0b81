package dev.verbena.sim.runtime;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * An alarm of {@link Timers}. What is meant and what is queued are told apart: whoever sets writes {@code meantFor} and
 * then reads {@code queuedFor}; whoever takes it out of the heap writes {@code queuedFor} and then reads
 * {@code meantFor}. So one of the two sees the other's, and no alarm is forgotten.
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

    /** When it is to go off, or never. */
    volatile long meantFor = Deadlines.NEVER;

    /** Its deadline in the heap, or never if it is not there. Written under the lock of {@link Timers}. */
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

    /** The time it was queued for has come, and it is not queued any more. */
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
