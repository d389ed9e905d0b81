// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.queue;

import dev.verbena.verbs.WorkCompletionOpcode;
import dev.verbena.verbs.WorkCompletionStatus;
import java.lang.invoke.VarHandle;

/**
 * A ring of completions. Producers and consumers use separate locks, so that a thread that adds a completion does not wait for
 * a thread that polls.
 *
 * <p>Each completion in the ring has a valid mark. A producer writes the valid mark of a completion after all other bytes
 * of the completion. Like the owner bit of a hardware CQE, the valid mark shows a polling thread that the completion is
 * valid. A polling thread need not read the cache line with the producers' index.
 *
 * <p>The ring begins with few slots. When the ring is full, the number of slots doubles, up to the depth of the CQ.
 * Applications usually poll completions soon, so a ring contains far fewer completions than the depth of the CQ, and
 * stays small enough for the processor's cache.
 */
public final class CompletionRing extends Ring {
    /**
     * One less than the initial number of slots in the ring. The producer reads the consumer's index once per wrap-around
     * of the ring. A smaller initial ring is measurably slower, because the producer reads the consumer's index more often.
     */
    private static final int FIRST_MASK = 31;

    /**
     * One less than the maximum number of slots in the ring; computed from the depth of the CQ. A thread that writes
     * {@code mostMask} holds the locks of the ring's producers and consumers.
     */
    private volatile int mostMask;

    public CompletionRing(int entries) {
        super(Math.min(FIRST_MASK, maskOf(entries)), Cqe.LENGTH);
        mostMask = maskOf(entries);
    }

    @Override
    public int capacity() {
        return mostMask;
    }

    /** Acquires the producers' lock. If the ring is full, doubles the number of slots, up to the depth of the CQ. */
    public void beginAdding() {
        lockProducer();
        while (isFull() && producerMask < mostMask) {
            int more = 2 * producerMask + 1;
            unlockProducer();
            grow(more);
            lockProducer();
        }
    }

    public void endAdding() {
        unlockProducer();
    }

    private void grow(int mask) {
        Slots more = newSlots(mask);
        lockBoth();
        try {
            // Another thread may have grown the completion ring before this thread acquired the locks of the ring.
            if (mask == 2 * producerMask + 1 && mask <= mostMask) {
                move(more, mask);
            }
        } finally {
            unlockBoth();
        }
    }

    /** Adds a completion; this ring must not be full. Call between {@link #beginAdding} and {@link #endAdding}. */
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
     * Returns the mark that makes a CQE at this index valid, like the owner bit of an HCA. The mark is never 0, because 0
     * stands for an unused slot. Two successive CQEs in the same slot have different marks.
     */
    private static int markOf(int index) {
        return index << 1 | 1;
    }

    public void beginTaking() {
        lockConsumer();
    }

    public void endTaking() {
        unlockConsumer();
    }

    /**
     * Returns whether the ring has a completion, without acquiring a lock. Another thread may remove the completion
     * before the caller polls.
     */
    public boolean isWorthTaking() {
        int index = consumer();
        Slots slots = slots();
        // If another thread has just replaced the slots, this fence makes the contents of the new slots visible here.
        VarHandle.acquireFence();
        // This method computes the mask from the length of `slots` and does not read the mask field. If another thread
        // has replaced the ring's slots, the mask field is valid only for the new slots.
        long at = (long) index * Cqe.LENGTH & slots.length() - 1;
        // If another thread has removed the completion at this index, a producer may have overwritten the slot with a
        // later completion, whose valid mark differs. Removing a completion changes the ring's consumer index.
        return Cqe.isMarked(slots, at, markOf(index)) || consumer() != index;
    }

    /**
     * Removes the oldest completions from the ring and copies them into the given array. Call only between
     * {@link #beginTaking()} and {@link #endTaking()}.
     *
     * @return the number of completions moved
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
     * Removes the completions of a queue pair, and moves later completions into the slots that become free. A move of a
     * completion never clears the valid mark of the target slot. A cleared valid mark would mean an empty slot, and a
     * thread that calls {@link #isWorthTaking()} could miss the completion.
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
     * @param entries the new depth, as a number of completions
     * @return the number of completions in the ring; if it exceeds the new depth, the ring was not changed
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
