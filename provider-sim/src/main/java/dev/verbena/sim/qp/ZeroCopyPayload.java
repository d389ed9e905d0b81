// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.qp;

import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.sim.memory.GrantedRange;
import dev.verbena.sim.memory.QpRole;
import java.lang.foreign.MemorySegment;

/**
 * A zero-copy payload: bytes of a send request that a packet refers to instead of containing a copy. <b>Borrowed memory is
 * granted</b>: while a packet refers to the memory, the memory grant is open, and deregistration of the memory waits.
 */
final class ZeroCopyPayload implements SimPacket.Payload {
    private final GrantedRange grant;
    private boolean retained;

    /**
     * Creates a payload with a closed memory grant. Before it waits for a deregistration, the payload calls
     * {@code beforeWaiting}, which must close every other memory grant of the thread.
     */
    ZeroCopyPayload(QpContext qp, QpRole role, Runnable beforeWaiting) {
        grant = new GrantedRange(qp.memory, qp.user, role, beforeWaiting);
    }

    /** Makes a packet refer to registered memory. Returns false if the key does not grant the range as one contiguous piece. */
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

    /** Sets whether the memory grant stays open until the end of the pass, rather than until the packet has been used. */
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
