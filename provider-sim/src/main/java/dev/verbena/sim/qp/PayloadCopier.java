package dev.verbena.sim.qp;

import dev.verbena.sim.memory.RegisteredMemory;
import dev.verbena.sim.queue.ScatterList;
import dev.verbena.sim.queue.SendWqe;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.SendFlag;
import java.lang.foreign.MemorySegment;

/** Moves bytes between packets and the memory that scatter-gather lists name, through the checks of the memory table. */
final class PayloadCopier {
    private static final int READ = 0;
    private static final int WRITE = AccessFlag.LOCAL_WRITE.mask();
    private static final int REMOTE_WRITE = AccessFlag.REMOTE_WRITE.mask();

    private final QpContext qp;

    PayloadCopier(QpContext qp) {
        this.qp = qp;
    }

    /** Copies the next bytes of a request into a packet; false if an entry is not covered by a region that allows it. */
    boolean gather(SendWqe wqe, MemorySegment packet, long offset, int bytes) {
        if (wqe.has(SendFlag.INLINE)) {
            ScatterList list = wqe.scatter();
            long from = wqe.inlineOffset() + list.length() - list.remaining();
            MemorySegment.copy(wqe.slots(), from, packet, offset, bytes);
            list.advanceInline(bytes);
            return true;
        }
        return walk(wqe.scatter(), packet, offset, bytes, READ);
    }

    /** Copies bytes of a packet to the next bytes of a list; false if an entry is not covered by a region that allows it. */
    boolean scatter(ScatterList list, MemorySegment packet, long offset, int bytes) {
        return walk(list, packet, offset, bytes, WRITE);
    }

    /** Copies bytes of a packet to where the peer wants them; false if no region grants it. */
    boolean place(int rkey, long address, MemorySegment packet, long offset, int bytes) {
        return copy(rkey, REMOTE_WRITE, address, packet, offset, bytes);
    }

    /** Skips bytes that need not be sent again. */
    void skip(SendWqe wqe, int bytes) {
        ScatterList list = wqe.scatter();
        if (wqe.has(SendFlag.INLINE)) {
            list.advanceInline(bytes);
            return;
        }
        int left = bytes;
        while (left > 0) {
            int step = Math.min(left, list.currentRemaining());
            list.advance(step);
            left -= step;
        }
    }

    private boolean walk(ScatterList list, MemorySegment packet, long packetOffset, int bytes, int access) {
        int done = 0;
        while (done < bytes) {
            int step = Math.min(bytes - done, list.currentRemaining());
            // The key of an empty entry is not looked at.
            if (step > 0
                    && !copy(list.currentKey(), access, list.currentAddress(), packet, packetOffset + done, step)) {
                return false;
            }
            list.advance(step);
            done += step;
        }
        return true;
    }

    private boolean copy(int key, int access, long address, MemorySegment packet, long packetOffset, int bytes) {
        RegisteredMemory region = qp.memory.acquire(key, qp.domain, access);
        if (region == null) {
            return false;
        }
        try {
            long at = region.offset(address, bytes);
            if (at < 0) {
                return false;
            }
            if (access == READ) {
                MemorySegment.copy(region.memory(), at, packet, packetOffset, bytes);
            } else {
                MemorySegment.copy(packet, packetOffset, region.memory(), at, bytes);
            }
            return true;
        } finally {
            region.unpin();
        }
    }
}
