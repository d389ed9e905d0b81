// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.qp;

import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.sim.memory.GrantedRange;
import dev.verbena.sim.memory.QpRole;
import java.lang.foreign.MemorySegment;

/**
 * A zero-copy payload: bytes of a send request's buffer, to which a packet refers instead of containing a copy.
 * Deregistration of a memory region waits while a packet refers to the region (invariant "Borrowed memory is granted").
 */
final class ZeroCopyPayload implements SimPacket.Payload {
    private final GrantedRange grant;
    private boolean retained;

    /**
     * Creates a payload to which no packet refers. The method {@link #borrow} calls {@code beforeWaiting} before it waits for a
     * thread that deregisters memory. The function {@code beforeWaiting} must close every other {@link GrantedRange} of the
     * calling thread.
     */
    ZeroCopyPayload(QpContext qp, QpRole role, Runnable beforeWaiting) {
        grant = new GrantedRange(qp.memory, qp.user, role, beforeWaiting);
    }

    /**
     * Makes a packet refer to memory. Returns false if access is denied, or the memory can be freed or is not contiguous.
     */
    boolean borrow(SimPacket packet, int key, int access, long address, int bytes) {
        if (!grant.openLocal(key, access, address, bytes)) {
            return false;
        }
        if (grant.isGuarded() || !grant.isOnePiece(bytes)) {
            grant.close();
            return false;
        }
        packet.refer(this);
        return true;
    }

    /**
     * If {@code untilEnd} is true, a deregistration of the memory waits until {@link #close} is called. If {@code untilEnd}
     * is false, a deregistration of the memory waits only until {@link #used} is called.
     */
    void retained(boolean untilEnd) {
        retained = untilEnd;
    }

    @Override
    public MemorySegment segment() {
        return grant.segment();
    }

    @Override
    public long offset() {
        return grant.offset();
    }

    @Override
    public void used() {
        if (retained) {
            grant.retain();
        } else {
            grant.close();
        }
    }

    @Override
    public void close() {
        grant.close();
    }
}
