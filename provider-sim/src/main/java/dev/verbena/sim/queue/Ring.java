// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.queue;

import dev.verbena.sim.runtime.SpinLock;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A ring buffer with entries of equal size, like {@code rxe_queue} in the Linux kernel. The number of slots is a power of
 * two, and one slot stays empty. The producer index and the consumer index increase without bound. The low bits of an index
 * select a slot of the ring. Both indices are stored without reduction modulo the number of slots, so that they stay valid
 * when this number changes. Producers publish the producer index by a release store, and read the consumer index by an
 * acquire load; consumers do the reverse. Concurrent producers must hold the ring's producers' lock; concurrent consumers
 * must hold the ring's consumers' lock.
 *
 * <p>Producers cache the consumers' index, and read it again only when the cached value shows no free slot; consumers do
 * the same with the producers' index. Because of the cached indices, adding an entry seldom reads a cache line that
 * consumers write, and removing an entry seldom reads a cache line that producers write. All fields that producers use are
 * in one cache line, and all fields that consumers use are in another cache line. More cache lines for each ring would
 * cause more cache misses in an application with many queues.
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

    /** Makes an empty ring with {@code mask + 1} slots of {@code slotSize} bytes. */
    Ring(int mask, int slotSize) {
        super(Slots.of(mask + 1, slotSize), mask, slotSize);
        consumerMask = mask;
        consumerSlots = producerSlots;
    }

    /**
     * Returns the index mask of a ring, the smallest number 2^k - 1 that is at least {@code entries}. The mask is one less
     * than the ring's number of slots.
     */
    static int maskOf(int entries) {
        if (entries < 0 || entries >= 1 << 30) {
            throw new IllegalArgumentException("a ring holds 0 to " + ((1 << 30) - 1) + " entries, not " + entries);
        }
        return entries == 0 ? 0 : (Integer.highestOneBit(entries) << 1) - 1;
    }

    public int capacity() {
        return producerMask;
    }

    /** Returns the index after the newest entry of the ring, not reduced modulo the number of slots. */
    public final int producer() {
        return (int) PRODUCER.getAcquire(this);
    }

    /** Returns the index of the oldest entry of the ring, not reduced modulo the number of slots. */
    public final int consumer() {
        return (int) CONSUMER.getAcquire(this);
    }

    /** Returns the index that follows the given index in the ring, not reduced modulo the number of slots. */
    public final int next(int index) {
        return index + 1;
    }

    /**
     * Returns the number of entries in this ring buffer. The result is approximate if other threads add or remove
     * entries during the call.
     */
    public final int count() {
        // The consumers' index is read first, so that it is never greater than the producers' index.
        int oldest = consumer();
        return Math.min(producer() - oldest, capacity());
    }

    public final boolean isEmpty() {
        return producer() == consumer();
    }

    /** Returns whether the ring has an entry. Only the consumer may call this method. */
    public final boolean hasEntry() {
        int next = consumer;
        if (next == producerSeen) {
            producerSeen = producer();
        }
        return next != producerSeen;
    }

    /** Returns whether the ring has no free slot. Only the producer may call this method. */
    public final boolean isFull() {
        if (producer - consumerSeen == producerMask) {
            consumerSeen = consumer();
        }
        return producer - consumerSeen == producerMask;
    }

    /** Publishes the ring entry that the producer wrote to slot {@link #producer()}; the ring must not be full. */
    public final void produce() {
        PRODUCER.setRelease(this, producer + 1);
    }

    /** Frees the slot of the oldest entry for reuse by the producer; the ring must not be empty. */
    public final void consume() {
        CONSUMER.setRelease(this, consumer + 1);
    }

    /** Removes the entry at index {@code end} and all later entries. Neither producers nor consumers may be active. */
    public final void truncate(int end) {
        PRODUCER.setRelease(this, end);
        producerSeen = end;
    }

    public final void clear() {
        CONSUMER.setRelease(this, producer());
        producerSeen = producer;
    }

    public final Slots producerSlots() {
        return producerSlots;
    }

    public final Slots slots() {
        return consumerSlots;
    }

    public final long producerOffset() {
        return offset(producer, producerMask);
    }

    public final long offset(int index) {
        return offset(index, consumerMask);
    }

    private long offset(int index, int mask) {
        return (long) (index & mask) * slotSize;
    }

    /** Acquires the producers' lock. The producers' lock is not reentrant; hold it only for a short time. */
    public final void lockProducer() {
        SpinLock.lock(PRODUCER_LOCK, this);
    }

    public final void unlockProducer() {
        SpinLock.unlock(PRODUCER_LOCK, this);
    }

    /**
     * Acquires the consumers' lock. A thread that holds the producers' lock of the ring must not acquire the consumers'
     * lock.
     */
    final void lockConsumer() {
        SpinLock.lock(CONSUMER_LOCK, this);
    }

    final void unlockConsumer() {
        SpinLock.unlock(CONSUMER_LOCK, this);
    }

    /** Allocates {@code mask + 1} zeroed ring slots. The caller passes the slots to {@link #move}. Needs no lock. */
    final Slots newSlots(int mask) {
        return Slots.of(mask + 1, slotSize);
    }

    /**
     * Moves all entries of the ring to new slots, which the ring uses from then on. Neither producers nor consumers may be
     * active.
     */
    final void move(Slots to, int mask) {
        for (int index = consumer; index != producer; index++) {
            to.copyFrom(consumerSlots, offset(index), offset(index, mask), slotSize);
        }
        // A thread may poll this ring of queue entries without a lock. The release fence makes the entries of the
        // resized ring visible before the references to the ring's new slots.
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
