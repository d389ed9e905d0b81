package dev.verbena.sim.qp;

import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.sim.memory.Grant;
import java.lang.foreign.MemorySegment;

/** Bytes of a send request that a packet refers to instead of carrying them. Nobody can take the memory away meanwhile. */
final class LentPayload implements SimPacket.Payload {
    private final Grant grant;

    LentPayload(QpContext qp) {
        grant = new Grant(qp.memory, qp.user);
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

    @Override
    public MemorySegment segment() {
        return grant.segment();
    }

    @Override
    public long offset() {
        return grant.offset();
    }

    @Override
    public void close() {
        grant.close();
    }
}
