package dev.verbena.lnd;

import dev.verbena.lnd.engine.PageAllocator;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.VerbsArena;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.Set;

/**
 * The node's own arena as one registered region, handed out in pages: the registration strategy "global region". Used under
 * the node's lock.
 */
final class NodeMemory {

    private static final long IOVA = 1L << 32;

    private final VerbsArena arena;
    private final MemorySegment segment;
    private final MemoryRegion region;
    private final PageAllocator pages;

    NodeMemory(Device device, ProtectionDomain domain, long bytes) throws VerbsException {
        int count = Math.toIntExact(Math.ceilDiv(bytes, VerbsArena.PAGE_SIZE));
        arena = device.newArena();
        segment = arena.allocatePages(count * VerbsArena.PAGE_SIZE);
        try {
            region = register(device, domain, segment);
        } catch (VerbsException e) {
            arena.close();
            throw e;
        }
        pages = new PageAllocator(count);
    }

    /** The address that peers see is the same in every run, where the device lets us choose it; so runs can be repeated. */
    private static MemoryRegion register(Device device, ProtectionDomain domain, MemorySegment segment)
            throws VerbsException {
        Set<AccessFlag> access = EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
        return device.capabilities().contains(Capability.IOVA_MR)
                ? domain.registerMemory(segment, IOVA, access)
                : domain.registerMemory(segment, access);
    }

    MemorySegment segment() {
        return segment;
    }

    MemoryRegion region() {
        return region;
    }

    /** Takes a run of pages; -1 if there is none. */
    long allocate(long bytes) {
        long count = pageCount(bytes);
        int first = count > Integer.MAX_VALUE ? -1 : pages.allocate((int) count);
        return first < 0 ? -1 : first * VerbsArena.PAGE_SIZE;
    }

    void free(long offset, long bytes) {
        pages.free((int) (offset / VerbsArena.PAGE_SIZE), (int) pageCount(bytes));
    }

    private static long pageCount(long bytes) {
        return Math.max(1, Math.ceilDiv(bytes, VerbsArena.PAGE_SIZE));
    }

    long freeBytes() {
        return pages.freePages() * VerbsArena.PAGE_SIZE;
    }

    /** Where memory lies within the region; -1 if it lies elsewhere. */
    long offsetOf(MemorySegment memory) {
        long offset = memory.address() - segment.address();
        boolean inside = memory.isNative() && offset >= 0 && offset <= segment.byteSize() - memory.byteSize();
        return inside ? offset : -1;
    }

    void close() throws VerbsException {
        region.close();
        arena.close();
    }
}
