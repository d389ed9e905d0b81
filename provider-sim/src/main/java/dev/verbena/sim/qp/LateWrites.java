package dev.verbena.sim.qp;

import dev.verbena.sim.memory.Grant;
import dev.verbena.sim.memory.Half;
import dev.verbena.sim.queue.Slots;
import java.lang.foreign.MemorySegment;
import java.util.random.RandomGenerator;

/**
 * Bytes that arrived and that nobody need see yet: adversarial placement. They are kept, and written in a random order when
 * something tells the program of them; now and then one is not kept, so that the end of a message may be seen before its
 * beginning. What is kept never overlaps, as later bytes must win; and its key is asked again when it is written, so that memory
 * whose registration has ended is left alone.
 */
final class LateWrites {
    private static final int SLOTS = 32;
    private static final int SLOT_SIZE = 4096;
    /** One in so many is written at once. */
    private static final int EARLY_ODDS = 4;

    private final Grant grant;
    private final RandomGenerator random;
    private final MemorySegment bytes = Slots.of(SLOTS, SLOT_SIZE).segment();
    private final long[] addresses = new long[SLOTS];
    private final int[] lengths = new int[SLOTS];
    private final int[] slots = new int[SLOTS];
    private int key;
    private int access;
    private boolean remote;
    private int count;

    LateWrites(QpContext qp, RandomGenerator random) {
        grant = new Grant(qp.memory, qp.user, Half.RECEIVING);
        this.random = random;
        for (int i = 0; i < SLOTS; i++) {
            slots[i] = i;
        }
    }

    /** Takes bytes of a packet for the receive buffer or for where the peer wants them. The key grants that now. */
    void keep(
            boolean forPeer, int grantingKey, int right, long address, MemorySegment packet, long offset, int length) {
        boolean sameKey = remote == forPeer && key == grantingKey && access == right;
        if (!sameKey || overlaps(address, length)) {
            settle();
            remote = forPeer;
            key = grantingKey;
            access = right;
        }
        if (count == SLOTS) {
            writeOne(random.nextInt(count));
        }
        addresses[count] = address;
        lengths[count] = length;
        MemorySegment.copy(packet, offset, bytes, (long) slots[count] * SLOT_SIZE, length);
        count++;
        if (random.nextInt(EARLY_ODDS) == 0) {
            writeOne(count - 1);
        }
    }

    /** Writes all that is kept. */
    void settle() {
        while (count > 0) {
            writeOne(random.nextInt(count));
        }
    }

    private boolean overlaps(long address, int length) {
        for (int i = 0; i < count; i++) {
            // Distances, as addresses are unsigned and a range may end at the last one.
            if (Long.compareUnsigned(address - addresses[i], lengths[i]) < 0
                    || Long.compareUnsigned(addresses[i] - address, length) < 0) {
                return true;
            }
        }
        return false;
    }

    /** Writes one and puts the last one into its place. */
    private void writeOne(int index) {
        int slot = slots[index];
        long address = addresses[index];
        int length = lengths[index];
        boolean granted =
                remote ? grant.openRemote(key, access, address, length) : grant.openLocal(key, access, address, length);
        if (granted) {
            grant.copyFrom(bytes, (long) slot * SLOT_SIZE, length);
            grant.close();
        }
        count--;
        addresses[index] = addresses[count];
        lengths[index] = lengths[count];
        slots[index] = slots[count];
        slots[count] = slot;
    }
}
