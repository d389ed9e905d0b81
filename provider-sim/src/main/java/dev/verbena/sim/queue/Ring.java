package dev.verbena.sim.queue;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The two indices of a ring, in the rules of rxe_queue: the number of slots is a power of two, one slot stays empty, indices
 * are always masked. The producer publishes with release and looks at the consumer with acquire, and the other way round.
 * Several threads on one side need a lock of their own.
 *
 * <p>Each side remembers what it saw of the other's index, and looks again when there seems to be nothing left for it: so as long
 * as there is, neither needs the cache line that the other writes.
 */
@SuppressWarnings("UnusedVariable") // Some keep a distance.
public final class Ring extends RingProducer {
    private static final VarHandle PRODUCER;
    private static final VarHandle CONSUMER;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            PRODUCER = lookup.findVarHandle(RingProducer.class, "producer", int.class);
            CONSUMER = lookup.findVarHandle(Ring.class, "consumer", int.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    // Between what the two sides write: a superclass's fields come first, and larger ones before smaller ones.
    private long between1;
    private long between2;
    private long between3;
    private long between4;
    private long between5;
    private long between6;
    private long between7;
    private int consumer;
    private int producerSeen;
    private final int mask;

    /**
     * Makes an empty ring.
     *
     * @param entries how many entries it must hold, 0 to 2^30 - 1
     */
    public Ring(int entries) {
        if (entries < 0 || entries >= 1 << 30) {
            throw new IllegalArgumentException("a ring holds 0 to " + ((1 << 30) - 1) + " entries, not " + entries);
        }
        mask = entries == 0 ? 0 : (Integer.highestOneBit(entries) << 1) - 1;
    }

    /**
     * Returns how many entries fit.
     *
     * @return the number asked for, rounded up to 2^k - 1
     */
    public int capacity() {
        return mask;
    }

    /**
     * Returns the index behind the newest entry.
     *
     * @return a slot
     */
    public int producer() {
        return (int) PRODUCER.getAcquire(this);
    }

    /**
     * Returns the index of the oldest entry.
     *
     * @return a slot
     */
    public int consumer() {
        return (int) CONSUMER.getAcquire(this);
    }

    /**
     * Returns the slot after another.
     *
     * @param index a slot
     * @return the next slot
     */
    public int next(int index) {
        return (index + 1) & mask;
    }

    /**
     * Counts the entries.
     *
     * @return 0 to {@link #capacity()}
     */
    public int count() {
        return (producer() - consumer()) & mask;
    }

    /**
     * Tells whether there is no entry.
     *
     * @return true if empty
     */
    public boolean isEmpty() {
        return producer() == consumer();
    }

    /**
     * Tells whether there is an entry; only to be asked by the consumer.
     *
     * @return false if empty
     */
    public boolean hasEntry() {
        int next = consumer;
        if (next == producerSeen) {
            producerSeen = producer();
        }
        return next != producerSeen;
    }

    /**
     * Tells whether no entry fits any more; only to be asked by the producer.
     *
     * @return true if full
     */
    public boolean isFull() {
        int next = (producer + 1) & mask;
        if (next == consumerSeen) {
            consumerSeen = consumer();
        }
        return next == consumerSeen;
    }

    /** Publishes the entry in slot {@link #producer()}; the ring must not be full. */
    public void produce() {
        PRODUCER.setRelease(this, next(producer));
    }

    /** Gives the slot {@link #consumer()} back; the ring must not be empty. */
    public void consume() {
        CONSUMER.setRelease(this, next(consumer));
    }

    /**
     * Takes the newest entries back, which are those from a slot on. Neither side may be active.
     *
     * @param end the slot that is to be the next one to fill
     */
    public void truncate(int end) {
        PRODUCER.setRelease(this, end);
        producerSeen = end;
    }

    /** Forgets all entries. Neither side may be active. */
    public void clear() {
        CONSUMER.setRelease(this, producer());
        producerSeen = producer;
    }

    @Override
    public String toString() {
        return "producer " + producer() + " consumer " + consumer() + " holds " + count() + " of " + capacity();
    }
}
