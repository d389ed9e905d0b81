package dev.verbena.sim.qp;

import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.sim.memory.Grant;
import dev.verbena.sim.memory.Half;
import java.lang.foreign.MemorySegment;

/** Bytes of a send request that a packet refers to instead of carrying them. Nobody can take the memory away meanwhile. */
final class LentPayload implements SimPacket.Payload {
    private final Grant grant;
    private boolean rests;

    /** Memory of the requests of a queue pair, and what leaves all that its thread is in before it waits. */
    LentPayload(QpContext qp, Half half, Runnable beforeWaiting) {
        grant = new Grant(qp.memory, qp.user, half, beforeWaiting);
    }

    /** Lets a packet refer to a range; false if the key does not grant it, or not in one piece. */
    boolean lend(SimPacket packet, int key, int access, long address, int bytes) {
        if (!grant.openLocal(key, access, address, bytes)) {
            return false;
        }
        if (!grant.isOnePiece(bytes)) {
            grant.close();
            return false;
        }
        packet.refer(this);
        return true;
    }

    /** Says whether the memory is left at the end of a run, and not already when the packet is used. */
    void rests(boolean untilEnd) {
        rests = untilEnd;
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
        if (rests) {
            grant.rest();
        } else {
            grant.close();
        }
    }

    @Override
    public void close() {
        grant.close();
    }
}
