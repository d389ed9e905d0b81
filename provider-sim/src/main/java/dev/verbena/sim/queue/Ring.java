package dev.verbena.sim.queue;

import dev.verbena.sim.runtime.ShortLock;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A ring of entries of one size: rxe_queue with its buffer. The number of slots is a power of two, and one slot stays empty. The two
 * indices go on and on, and are masked where a slot is sought, so that they stay what they are when the ring gets other memory. The
 * producer publishes with release and looks at the consumer with acquire, and the other way round. Several threads on one side hold
 * the lock of that side.
 *
 * <p>Each side remembers what it saw of the other's index, and looks again when there seems to be nothing left for it: so as long
 * as there is, neither needs the cache line that the other writes. All that a side needs but the entries is in its own line: its lock,
 * too, and where the memory is, which is there twice. For with many queues each line is far away.
 */
public abstract sealed class Ring extends RingDistance permits WorkQueue, CompletionRing {
    private static final VarHandle PRODUCER;
    private static final VarHandle CONSUMER;
    private static final VarHandle PRODUCER_LOCK;
    private static final VarHandle CONSUMER_LOCK;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            PRODUCER = lookup.findVarHandle(RingProducer.class, "producer", int.class);
            CONSUMER = lookup.findVarHandle(Ring.class, "consumer", int.class);
            PRODUCER_LOCK = lookup.findVarHandle(RingProducer.class, "producerLock", int.class);
            CONSUMER_LOCK = lookup.findVarHandle(Ring.class, "consumerLock", int.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private int consumer;
    private int producerSeen;

    @SuppressWarnings("UnusedVariable") // Reached through its handle.
    private int consumerLock;

    private int consumerMask;
    private Slots consumerSlots;

    /**
     * Makes an empty ring.
     *
     * @param mask one less than the number of slots
     * @param slotSize bytes of one
     */
    Ring(int mask, int slotSize) {
        super(Slots.of(mask + 1, slotSize), mask, slotSize);
        consumerMask = mask;
        consumerSlots = producerSlots;
    }

    /**
     * Tells how many slots a ring has, less one.
     *
     * @param entries how many entries it must hold, 0 to 2^30 - 1
     * @return that, rounded up to 2^k - 1
     */
    static int maskOf(int entries) {
        if (entries < 0 || entries >= 1 << 30) {
            throw new IllegalArgumentException("a ring holds 0 to " + ((1 << 30) - 1) + " entries, not " + entries);
        }
        return entries == 0 ? 0 : (Integer.highestOneBit(entries) << 1) - 1;
    }

    /**
     * Returns how many entries fit.
     *
     * @return the number asked for, rounded up to 2^k - 1
     */
    public int capacity() {
        return producerMask;
    }

    /**
     * Returns the index behind the newest entry.
     *
     * @return an index, to be masked
     */
    public final int producer() {
        return (int) PRODUCER.getAcquire(this);
    }

    /**
     * Returns the index of the oldest entry.
     *
     * @return an index, to be masked
     */
    public final int consumer() {
        return (int) CONSUMER.getAcquire(this);
    }

    /**
     * Returns the index after another.
     *
     * @param index an index
     * @return that of the next slot
     */
    public final int next(int index) {
        return index + 1;
    }

    /**
     * Counts the entries; if both sides go on meanwhile, about.
     *
     * @return 0 to {@link #capacity()}
     */
    public final int count() {
        // In this order, lest the consumer is seen ahead of the producer; so the producer may be seen too far ahead.
        int oldest = consumer();
        return Math.min(producer() - oldest, capacity());
    }

    /**
     * Tells whether there is no entry.
     *
     * @return true if empty
     */
    public final boolean isEmpty() {
        return producer() == consumer();
    }

    /**
     * Tells whether there is an entry; only to be asked by the consumer.
     *
     * @return false if empty
     */
    public final boolean hasEntry() {
        int next = consumer;
        if (next == producerSeen) {
            producerSeen = producer();
        }
        return next != producerSeen;
    }

    /**
     * Tells whether there is no further slot; only to be asked by the producer.
     *
     * @return true if full
     */
    public final boolean isFull() {
        if (producer - consumerSeen == producerMask) {
            consumerSeen = consumer();
        }
        return producer - consumerSeen == producerMask;
    }

    /** Publishes the entry in the slot of {@link #producer()}; the ring must not be full. */
    public final void produce() {
        PRODUCER.setRelease(this, producer + 1);
    }

    /** Gives the slot of {@link #consumer()} back; the ring must not be empty. */
    public final void consume() {
        CONSUMER.setRelease(this, consumer + 1);
    }

    /**
     * Takes the newest entries back, which are those from an index on. Neither side may be active.
     *
     * @param end the index that is to be the next one to fill
     */
    public final void truncate(int end) {
        PRODUCER.setRelease(this, end);
        producerSeen = end;
    }

    /** Forgets all entries. Neither side may be active. */
    public final void clear() {
        CONSUMER.setRelease(this, producer());
        producerSeen = producer;
    }

    /**
     * Returns the memory of all slots, for producers.
     *
     * @return the present memory
     */
    public final Slots producerSlots() {
        return producerSlots;
    }

    /**
     * Returns the memory of all slots, for the consumer.
     *
     * @return the present memory
     */
    public final Slots slots() {
        return consumerSlots;
    }

    /**
     * Returns where the producer's slot begins.
     *
     * @return its offset in {@link #producerSlots()}
     */
    public final long producerOffset() {
        return offset(producer, producerMask);
    }

    /**
     * Returns where the entry of an index begins, for the consumer.
     *
     * @param index an index
     * @return its offset in {@link #slots()}
     */
    public final long offset(int index) {
        return offset(index, consumerMask);
    }

    private long offset(int index, int mask) {
        return (long) (index & mask) * slotSize;
    }

    /** Waits until no other producer holds the ring, and holds it from then on. Not reentrant; only for a moment. */
    public final void lockProducer() {
        ShortLock.lock(PRODUCER_LOCK, this);
    }

    /** Gives the ring to other producers. */
    public final void unlockProducer() {
        ShortLock.unlock(PRODUCER_LOCK, this);
    }

    /** Waits until no other consumer holds the ring, and holds it from then on; comes before {@link #lockProducer()}. */
    final void lockConsumer() {
        ShortLock.lock(CONSUMER_LOCK, this);
    }

    /** Gives the ring to other consumers. */
    final void unlockConsumer() {
        ShortLock.unlock(CONSUMER_LOCK, this);
    }

    /**
     * Makes slots for {@link #move}, which takes no lock.
     *
     * @param mask one less than their number
     * @return zeroed memory
     */
    final Slots newSlots(int mask) {
        return Slots.of(mask + 1, slotSize);
    }

    /** Gives it other slots, which the present entries must fit in. Neither side may be active. */
    final void move(Slots to, int mask) {
        for (int index = consumer; index != producer; index++) {
            to.copyFrom(consumerSlots, offset(index), offset(index, mask), slotSize);
        }
        // Who looks for completions has no lock, and must not find the slots without them.
        VarHandle.releaseFence();
        producerMask = mask;
        producerSlots = to;
        consumerMask = mask;
        consumerSlots = to;
        consumerSeen = consumer;
    }

    @Override
    public String toString() {
        return "producer " + (producer() & producerMask) + " consumer " + (consumer() & producerMask) + " holds "
                + count() + " of " + capacity();
    }
}
