// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.qp;

import dev.verbena.sim.memory.GrantedRange;
import dev.verbena.sim.memory.QpRole;
import dev.verbena.sim.queue.Slots;
import java.lang.foreign.MemorySegment;
import java.util.random.RandomGenerator;

/**
 * Delays most received bytes, and writes them to memory in a random order, as the specification permits ({@code
 * Placement.ADVERSARIAL}). Received bytes are always written before a receive completion, or another event that guarantees
 * their visibility. With a probability of 1/{@link #EARLY_ODDS}, the payload of a packet is written immediately, so that
 * the end of a message may become visible before its beginning.
 *
 * <p>If received bytes overlap earlier bytes that are not yet written, all earlier bytes are written first. The access
 * check is repeated at each write, so that a write does not change memory that has been deregistered in the meantime.
 */
final class DelayedWrites {
    private static final int SLOTS = 32;
    private static final int SLOT_SIZE = 4096;
    private static final int EARLY_ODDS = 4;

    private final GrantedRange grant;
    private final RandomGenerator random;
    private final MemorySegment bytes = Slots.of(SLOTS, SLOT_SIZE).segment();
    private final long[] addresses = new long[SLOTS];
    private final int[] lengths = new int[SLOTS];
    private final int[] slots = new int[SLOTS];
    private int key;
    private int access;
    private boolean remote;
    private int count;

    DelayedWrites(QpContext qp, RandomGenerator random) {
        grant = new GrantedRange(qp.memory, qp.user, QpRole.RESPONDER);
        this.random = random;
        for (int i = 0; i < SLOTS; i++) {
            slots[i] = i;
        }
    }

    /**
     * Copies the payload of a packet, to write the copy later to a receive buffer or to the target of an RDMA WRITE.
     * The caller must have checked the access to the receive buffer or target.
     */
    void delay(
            boolean forPeer, int grantingKey, int right, long address, MemorySegment packet, long offset, int length) {
        boolean sameKey = remote == forPeer && key == grantingKey && access == right;
        if (!sameKey || overlaps(address, length)) {
            flushDelayed();
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

    void flushDelayed() {
        while (count > 0) {
            writeOne(random.nextInt(count));
        }
    }

    private boolean overlaps(long address, int length) {
        for (int i = 0; i < count; i++) {
            // The code compares the differences of addresses, not the end addresses: addresses are unsigned, and the
            // end of a range at the highest address would overflow.
            if (Long.compareUnsigned(address - addresses[i], lengths[i]) < 0
                    || Long.compareUnsigned(addresses[i] - address, length) < 0) {
                return true;
            }
        }
        return false;
    }

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
