// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.queue;

import dev.verbena.sim.runtime.SpinLock;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A ring of entries of one size: {@code rxe_queue} with its buffer. The number of slots is a power of two, and one slot
 * stays empty. The two indices increase without bound and are masked to find a slot, so that they stay valid when the
 * ring gets other memory. Each side publishes its index with release and reads the other's with acquire. Several
 * threads on one side must hold the lock of that side.
 *
 * <p>Each side caches the other side's index, and reads it again only when the cached value shows no free slot or no
 * entry. Until then it does not need the cache line that the other side writes. Except for the entries, each side has
 * all its fields in a cache line of its own, because with many queues each line is a cache miss. So each side also has
 * its own lock and its own reference to the memory.
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
     * @param slotSize the bytes of a slot
     */
    Ring(int mask, int slotSize) {
        super(Slots.of(mask + 1, slotSize), mask, slotSize);
        consumerMask = mask;
        consumerSlots = producerSlots;
    }

    /**
     * Returns the number of slots for a number of entries, less one.
     *
     * @param entries the number of entries that must fit, 0 to 2^30 - 1
     * @return that number, rounded up to 2^k - 1
     */
    static int maskOf(int entries) {
        if (entries < 0 || entries >= 1 << 30) {
            throw new IllegalArgumentException("a ring holds 0 to " + ((1 << 30) - 1) + " entries, not " + entries);
        }
        return entries == 0 ? 0 : (Integer.highestOneBit(entries) << 1) - 1;
    }

    /**
     * Returns the number of entries that fit.
     *
     * @return the requested number, rounded up to 2^k - 1
     */
    public int capacity() {
        return producerMask;
    }

    /**
     * Returns the index after the newest entry.
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
     * @return the index of the next slot
     */
    public final int next(int index) {
        return index + 1;
    }

    /**
     * Returns the number of entries; an approximation if both sides are active.
     *
     * @return 0 to {@link #capacity()}
     */
    public final int count() {
        // In this order, so that the consumer is never ahead of the producer. The producer may be too far ahead.
        int oldest = consumer();
        return Math.min(producer() - oldest, capacity());
    }

    /**
     * Returns whether the ring has no entry.
     *
     * @return true if empty
     */
    public final boolean isEmpty() {
        return producer() == consumer();
    }

    /**
     * Returns whether the ring has an entry. Only for the consumer.
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
     * Returns whether all slots are taken. Only for the producer.
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

    /** Releases the slot of {@link #consumer()} to the producer; the ring must not be empty. */
    public final void consume() {
        CONSUMER.setRelease(this, consumer + 1);
    }

    /**
     * Removes the newest entries, from an index on. Neither side may be active.
     *
     * @param end the next index to fill
     */
    public final void truncate(int end) {
        PRODUCER.setRelease(this, end);
        producerSeen = end;
    }

    /** Removes all entries. Neither side may be active. */
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
     * Returns the offset of the producer's slot.
     *
     * @return its offset in {@link #producerSlots()}
     */
    public final long producerOffset() {
        return offset(producer, producerMask);
    }

    /**
     * Returns the offset of the entry of an index, for the consumer.
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

    /** Acquires the producers' lock. Not reentrant; hold it only for a short time. */
    public final void lockProducer() {
        SpinLock.lock(PRODUCER_LOCK, this);
    }

    /** Releases the producers' lock. */
    public final void unlockProducer() {
        SpinLock.unlock(PRODUCER_LOCK, this);
    }

    /**
     * Acquires the consumers' lock. A thread that needs both locks must acquire this one before {@link
     * #lockProducer()}.
     */
    final void lockConsumer() {
        SpinLock.lock(CONSUMER_LOCK, this);
    }

    /** Releases the consumers' lock. */
    final void unlockConsumer() {
        SpinLock.unlock(CONSUMER_LOCK, this);
    }

    /**
     * Makes memory for {@link #move}, without a lock.
     *
     * @param mask the number of slots, less one
     * @return zeroed memory
     */
    final Slots newSlots(int mask) {
        return Slots.of(mask + 1, slotSize);
    }

    /** Replaces the memory by another that has room for the present entries. Neither side may be active. */
    final void move(Slots to, int mask) {
        for (int index = consumer; index != producer; index++) {
            to.copyFrom(consumerSlots, offset(index), offset(index, mask), slotSize);
        }
        // A thread that polls without the lock must not see the new memory without the entries.
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
