package dev.verbena.sim.counters;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * What one task counts for its device, without an atomic operation: one thread at a time adds, any thread reads. Only the
 * counters that each packet moves are here.
 */
public final class CounterShare {
    private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);
    private static final int COVERED = Counter.ACK_DEFERRED.ordinal() + 1;

    private final long[] counts = new long[COVERED];

    CounterShare() {}

    /**
     * Tells whether a counter is here.
     *
     * @param counter which
     * @return false if it has to be counted at the device
     */
    public static boolean covers(Counter counter) {
        return counter.ordinal() < COVERED;
    }

    /**
     * Counts several, or bytes.
     *
     * @param counter one that is {@linkplain #covers covered}
     * @param amount how often, or how many
     */
    public void add(Counter counter, long amount) {
        int index = counter.ordinal();
        LONGS.setOpaque(counts, index, (long) LONGS.getOpaque(counts, index) + amount);
    }

    long get(Counter counter) {
        return covers(counter) ? (long) LONGS.getOpaque(counts, counter.ordinal()) : 0;
    }
}
