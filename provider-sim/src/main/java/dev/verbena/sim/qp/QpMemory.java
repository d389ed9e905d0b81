package dev.verbena.sim.qp;

import dev.verbena.sim.memory.RegisteredMemory;
import dev.verbena.sim.queue.ScatterList;
import dev.verbena.sim.queue.SendWqe;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.SendFlag;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The memory as one queue pair may use it: moves bytes between packets and the buffers of work requests, and does to registered
 * memory what requests ask for, always through the checks of the memory table.
 */
final class QpMemory {
    private static final int READ = 0;
    private static final int WRITE = AccessFlag.LOCAL_WRITE.mask();
    private static final int REMOTE_WRITE = AccessFlag.REMOTE_WRITE.mask();
    private static final int REMOTE_READ = AccessFlag.REMOTE_READ.mask();
    private static final int REMOTE_ATOMIC = AccessFlag.REMOTE_ATOMIC.mask();
    private static final VarHandle EIGHT_BYTES = ValueLayout.JAVA_LONG.varHandle();

    /** How an operation on eight bytes ended. */
    enum AtomicOutcome {
        DONE,
        /** The key does not grant it. */
        REFUSED,
        /** The bytes are not where a processor can change them at once. */
        MISALIGNED
    }

    private final QpContext qp;
    private long original;

    QpMemory(QpContext qp) {
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

    /** Copies bytes of a packet to where the peer wants them; false if the key does not grant it. */
    boolean place(int rkey, long address, MemorySegment packet, long offset, int bytes) {
        return copy(rkey, REMOTE_WRITE, address, packet, offset, bytes, true);
    }

    /** Copies what the peer wants to read into a packet; false if the key does not grant it. */
    boolean fetch(int rkey, long address, MemorySegment packet, long offset, int bytes) {
        return copy(rkey, REMOTE_READ, address, packet, offset, bytes, false);
    }

    /** Tells whether a key grants the peer a range at this moment. */
    boolean isGranted(int rkey, int access, long address, long bytes) {
        RegisteredMemory region = qp.memory.acquire(rkey, qp.domain, access);
        if (region == null) {
            return false;
        }
        boolean inside = region.offset(address, bytes) >= 0;
        region.unpin();
        return inside;
    }

    /** Tells whether a key grants the peer something at this moment, wherever that is. */
    boolean isGranted(int rkey, int access) {
        RegisteredMemory region = qp.memory.acquire(rkey, qp.domain, access);
        if (region == null) {
            return false;
        }
        region.unpin();
        return true;
    }

    /** Adds to eight bytes; {@link #original()} has what they were. */
    AtomicOutcome fetchAndAdd(int rkey, long address, long add) {
        RegisteredMemory region = qp.memory.acquire(rkey, qp.domain, REMOTE_ATOMIC);
        long at = eightBytes(region, address);
        if (region == null || at < 0) {
            return AtomicOutcome.REFUSED;
        }
        try {
            if (isMisaligned(region, at)) {
                return AtomicOutcome.MISALIGNED;
            }
            original = (long) EIGHT_BYTES.getAndAdd(region.memory(), at, add);
            return AtomicOutcome.DONE;
        } finally {
            region.unpin();
        }
    }

    /** Replaces eight bytes if they hold a value; {@link #original()} has what they were. */
    AtomicOutcome compareAndSwap(int rkey, long address, long compare, long swap) {
        RegisteredMemory region = qp.memory.acquire(rkey, qp.domain, REMOTE_ATOMIC);
        long at = eightBytes(region, address);
        if (region == null || at < 0) {
            return AtomicOutcome.REFUSED;
        }
        try {
            if (isMisaligned(region, at)) {
                return AtomicOutcome.MISALIGNED;
            }
            original = (long) EIGHT_BYTES.compareAndExchange(region.memory(), at, compare, swap);
            return AtomicOutcome.DONE;
        } finally {
            region.unpin();
        }
    }

    /** Writes eight bytes at once, as they lie in a packet. */
    AtomicOutcome placeAtomically(int rkey, long address, MemorySegment packet, long offset) {
        RegisteredMemory region = qp.memory.acquire(rkey, qp.domain, REMOTE_WRITE);
        long at = eightBytes(region, address);
        if (region == null || at < 0) {
            return AtomicOutcome.REFUSED;
        }
        try {
            if (isMisaligned(region, at)) {
                return AtomicOutcome.MISALIGNED;
            }
            EIGHT_BYTES.setVolatile(region.memory(), at, packet.get(ValueLayout.JAVA_LONG_UNALIGNED, offset));
            return AtomicOutcome.DONE;
        } finally {
            region.unpin();
        }
    }

    /** {@return what the last atomic found} */
    long original() {
        return original;
    }

    /** Where eight bytes are in a region, or -1; then the region is no longer pinned. */
    private static long eightBytes(@Nullable RegisteredMemory region, long address) {
        if (region == null) {
            return -1;
        }
        long at = region.offset(address, Long.BYTES);
        if (at < 0) {
            region.unpin();
        }
        return at;
    }

    private static boolean isMisaligned(RegisteredMemory region, long at) {
        return (region.memory().address() + at) % Long.BYTES != 0;
    }

    private boolean walk(ScatterList list, MemorySegment packet, long packetOffset, int bytes, int access) {
        int done = 0;
        while (done < bytes) {
            int step = Math.min(bytes - done, list.currentRemaining());
            // The key of an empty entry is not looked at.
            if (step > 0
                    && !copy(
                            list.currentKey(),
                            access,
                            list.currentAddress(),
                            packet,
                            packetOffset + done,
                            step,
                            access == WRITE)) {
                return false;
            }
            list.advance(step);
            done += step;
        }
        return true;
    }

    private boolean copy(
            int key, int access, long address, MemorySegment packet, long packetOffset, int bytes, boolean toMemory) {
        RegisteredMemory region = qp.memory.acquire(key, qp.domain, access);
        if (region == null) {
            return false;
        }
        try {
            long at = region.offset(address, bytes);
            if (at < 0) {
                return false;
            }
            if (toMemory) {
                MemorySegment.copy(packet, packetOffset, region.memory(), at, bytes);
            } else {
                MemorySegment.copy(region.memory(), at, packet, packetOffset, bytes);
            }
            return true;
        } finally {
            region.unpin();
        }
    }
}
