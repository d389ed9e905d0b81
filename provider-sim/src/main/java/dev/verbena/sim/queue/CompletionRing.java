package dev.verbena.sim.queue;

import dev.verbena.verbs.WorkCompletionOpcode;
import dev.verbena.verbs.WorkCompletionStatus;
import java.lang.invoke.VarHandle;

/**
 * A ring of completions, each side of which any thread may take under a lock of its own, so that the two do not wait for each other.
 *
 * <p>Each entry is {@linkplain Cqe#mark marked} when it is there, so that who looks for one again and again reads what it will take,
 * and nothing that those who add write besides.
 *
 * <p>It begins with few slots, and gets twice as many when they are full, up to its depth. For programs make queues for the most
 * that could be under way, and take the completions soon: so the slots of many queues are used again while they are in the cache.
 */
public final class CompletionRing extends Ring {
    /**
     * How many slots there are at first, less one. Each time that so many were added one looks at what those who take write: between two
     * threads that is felt if there are few.
     */
    private static final int FIRST_MASK = 31;

    /** Written under both locks. */
    private volatile int mostMask;

    /**
     * Makes an empty ring.
     *
     * @param entries how many completions it must hold
     */
    public CompletionRing(int entries) {
        super(Math.min(FIRST_MASK, maskOf(entries)), Cqe.LENGTH);
        mostMask = maskOf(entries);
    }

    @Override
    public int capacity() {
        return mostMask;
    }

    /**
     * Waits until nobody else adds, and keeps others from it from then on. If all slots are taken there are more, unless it is as deep
     * as it may be.
     */
    public void beginAdding() {
        lockProducer();
        while (isFull() && producerMask < mostMask) {
            int more = 2 * producerMask + 1;
            unlockProducer();
            grow(more);
            lockProducer();
        }
    }

    /** Lets others add. */
    public void endAdding() {
        unlockProducer();
    }

    private void grow(int mask) {
        Slots more = newSlots(mask);
        lockBoth();
        try {
            // Unless somebody else did it meanwhile.
            if (mask == 2 * producerMask + 1 && mask <= mostMask) {
                move(more, mask);
            }
        } finally {
            unlockBoth();
        }
    }

    /**
     * Adds a completion, if it is not full; between {@link #beginAdding()} and {@link #endAdding()}.
     *
     * @param workRequestId the poster's id
     * @param status how it ended
     * @param opcode what it was
     * @param byteLength bytes moved
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

    /** Other than that of any entry which its slot had before, and than what a new slot has. */
    private static int markOf(int index) {
        return index << 1 | 1;
    }

    /** Waits until nobody else takes, and keeps others from it from then on. */
    public void beginTaking() {
        lockConsumer();
    }

    /** Lets others take. */
    public void endTaking() {
        unlockConsumer();
    }

    /**
     * Tells whether there is a completion, without the lock.
     *
     * @return false if there was none
     */
    public boolean isWorthTaking() {
        int index = consumer();
        Slots slots = slots();
        // With what was copied there before it became the ring's.
        VarHandle.acquireFence();
        // By what one sees of the memory alone, as it may be replaced meanwhile.
        long at = (long) index * Cqe.LENGTH & slots.length() - 1;
        // If another thread took it meanwhile its slot may be used again, while there are others behind it.
        return Cqe.isMarked(slots, at, markOf(index)) || consumer() != index;
    }

    /**
     * Takes the oldest completions; between {@link #beginTaking()} and {@link #endTaking()}.
     *
     * @param into gets them, from the first one on
     * @return how many there were, at most as many as fit
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
     * Takes back the completions of a queue pair. Who looks meanwhile whether there is one must not miss those that stay, as perhaps
     * he sleeps then: so what is kept stays marked.
     *
     * @param qpNumber its number
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
     * @param entries how many completions it must hold
     * @return how many are in it: if that is more than the depth asked for, nothing was changed
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
