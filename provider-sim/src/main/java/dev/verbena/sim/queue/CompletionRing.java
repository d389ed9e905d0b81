// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.queue;

import dev.verbena.verbs.WorkCompletionOpcode;
import dev.verbena.verbs.WorkCompletionStatus;
import java.lang.invoke.VarHandle;

/**
 * A ring of completions. Producers and consumers hold separate locks, so that a thread that adds does not wait for one
 * that takes.
 *
 * <p>Each entry is {@linkplain Cqe#mark marked} when it has been written. So a polling thread reads only memory that it
 * will take, and no other field that producers write.
 *
 * <p>The ring begins with few slots and doubles them when they are full, up to its depth. Applications create queues
 * for the greatest number of outstanding requests, but poll the completions soon. So a few slots are reused while they
 * are in the cache, even with many queues.
 */
public final class CompletionRing extends Ring {
    /**
     * The initial number of slots, less one. The producer reads the consumer's index once each time it has filled all
     * slots. With fewer slots that transfer between two processors would be measurable.
     */
    private static final int FIRST_MASK = 31;

    /** The greatest mask, from the depth. Written under both locks. */
    private volatile int mostMask;

    /**
     * Makes an empty ring.
     *
     * @param entries the number of completions that must fit
     */
    public CompletionRing(int entries) {
        super(Math.min(FIRST_MASK, maskOf(entries)), Cqe.LENGTH);
        mostMask = maskOf(entries);
    }

    @Override
    public int capacity() {
        return mostMask;
    }

    /** Acquires the producers' lock. If all slots are taken, first doubles them, unless the depth is reached. */
    public void beginAdding() {
        lockProducer();
        while (isFull() && producerMask < mostMask) {
            int more = 2 * producerMask + 1;
            unlockProducer();
            grow(more);
            lockProducer();
        }
    }

    /** Releases the producers' lock. */
    public void endAdding() {
        unlockProducer();
    }

    private void grow(int mask) {
        Slots more = newSlots(mask);
        lockBoth();
        try {
            // Unless another thread has grown the ring meanwhile.
            if (mask == 2 * producerMask + 1 && mask <= mostMask) {
                move(more, mask);
            }
        } finally {
            unlockBoth();
        }
    }

    /**
     * Adds a completion, which must fit; between {@link #beginAdding()} and {@link #endAdding()}.
     *
     * @param workRequestId the poster's id
     * @param status the status
     * @param opcode the operation
     * @param byteLength the number of bytes moved
     * @param qpNumber the local queue pair
     * @param sourceQp the sender of a UD message
     * @param flags a mask of {@link dev.verbena.verbs.CompletionFlag}
     * @param immediate immediate data or invalidated key
     */
    public void add(
            long workRequestId,
            WorkCompletionStatus status,
            WorkCompletionOpcode opcode,
            long byteLength,
            int qpNumber,
            int sourceQp,
            int flags,
            int immediate) {
        Slots slots = producerSlots();
        long at = producerOffset();
        Cqe.write(slots, at, workRequestId, status, opcode, byteLength, qpNumber, sourceQp, flags, immediate);
        int mark = markOf(producer);
        produce();
        Cqe.mark(slots, at, mark);
    }

    /**
     * Returns the mark of an index. It differs from the mark of each earlier entry in the same slot, and from that of a
     * new slot, 0.
     */
    private static int markOf(int index) {
        return index << 1 | 1;
    }

    /** Acquires the consumers' lock. */
    public void beginTaking() {
        lockConsumer();
    }

    /** Releases the consumers' lock. */
    public void endTaking() {
        unlockConsumer();
    }

    /**
     * Returns whether there is a completion, without the lock.
     *
     * @return false if the ring was empty
     */
    public boolean isWorthTaking() {
        int index = consumer();
        Slots slots = slots();
        // Orders this read of the memory's contents after the writes that filled it before it became the ring's.
        VarHandle.acquireFence();
        // Computed from the length of this memory alone, because the ring may get other memory meanwhile.
        long at = (long) index * Cqe.LENGTH & slots.length() - 1;
        // If another thread took the entry meanwhile, its slot may be reused, while later entries exist.
        return Cqe.isMarked(slots, at, markOf(index)) || consumer() != index;
    }

    /**
     * Takes the oldest completions; between {@link #beginTaking()} and {@link #endTaking()}.
     *
     * @param into receives the completions, from index 0 on
     * @return the number taken, at most the length of {@code into}
     */
    public int take(Cqe[] into) {
        Slots slots = slots();
        int index = consumer();
        int count = 0;
        while (count < into.length && Cqe.isMarked(slots, offset(index), markOf(index))) {
            into[count].read(slots, offset(index));
            index = next(index);
            consume();
            count++;
        }
        return count;
    }

    /**
     * Removes the completions of a queue pair. Completions of other queue pairs stay marked throughout: a thread that
     * polls {@link #isWorthTaking()} meanwhile must not miss them, because it may sleep afterwards.
     *
     * @param qpNumber the number of the queue pair
     */
    public void remove(int qpNumber) {
        lockBoth();
        try {
            Slots slots = slots();
            int end = producer();
            int keptEnd = consumer();
            for (int index = keptEnd; index != end; index++) {
                long from = offset(index);
                if (Cqe.qpNumber(slots, from) != qpNumber) {
                    Cqe.copy(slots, from, offset(keptEnd));
                    keptEnd++;
                }
            }
            for (int index = keptEnd; index != end; index++) {
                Cqe.mark(slots, offset(index), 0);
            }
            truncate(keptEnd);
        } finally {
            unlockBoth();
        }
    }

    /**
     * Changes the depth.
     *
     * @param entries the number of completions that must fit
     * @return the number of completions present; if it exceeds the new depth, the ring was not changed
     */
    public int resize(int entries) {
        int mask = maskOf(entries);
        Slots fewer = newSlots(mask);
        lockBoth();
        try {
            int present = count();
            if (present <= entries) {
                mostMask = mask;
                if (producerMask > mask) {
                    move(fewer, mask);
                }
            }
            return present;
        } finally {
            unlockBoth();
        }
    }

    private void lockBoth() {
        lockConsumer();
        lockProducer();
    }

    private void unlockBoth() {
        unlockProducer();
        unlockConsumer();
    }
}
