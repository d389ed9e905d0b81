package dev.verbena.lnd.memory;

import dev.verbena.lnd.engine.PageAllocator;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.VerbsArena;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** The node's own arena as one registered region, handed out in pages. Not thread-safe. */
public final class NodeMemory {

    /** Bytes of a page. */
    public static final long PAGE = VerbsArena.PAGE_SIZE;

    private static final long IOVA = 1L << 32;

    private final VerbsArena arena;
    private final MemorySegment segment;
    private final MemoryRegion region;
    private final PageAllocator pages;

    /**
     * Allocates and registers memory.
     *
     * @param device the device
     * @param domain its domain
     * @param bytes how many; rounded up to pages
     * @param windows whether windows are to be bound to the region
     * @throws VerbsException if the device refuses
     */
    public NodeMemory(Device device, ProtectionDomain domain, long bytes, boolean windows) throws VerbsException {
        int count = Math.toIntExact(Math.ceilDiv(bytes, VerbsArena.PAGE_SIZE));
        arena = device.newArena();
        segment = arena.allocatePages(count * VerbsArena.PAGE_SIZE);
        try {
            region = register(device, domain, segment, windows);
        } catch (VerbsException e) {
            arena.close();
            throw e;
        }
        pages = new PageAllocator(count);
    }

    /** The address that peers see is the same in every run, where the device lets us choose it; so runs can be repeated. */
    private static MemoryRegion register(Device device, ProtectionDomain domain, MemorySegment segment, boolean windows)
            throws VerbsException {
        Set<AccessFlag> access = EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
        if (windows) {
            access.add(AccessFlag.MW_BIND);
        }
        return device.capabilities().contains(Capability.IOVA_MR)
                ? domain.registerMemory(segment, IOVA, access)
                : domain.registerMemory(segment, access);
    }

    /**
     * All of the memory.
     *
     * @return a segment as long as the node
     */
    public MemorySegment segment() {
        return segment;
    }

    /**
     * The region over all of the memory.
     *
     * @return a region that a peer may write to, by its key
     */
    public MemoryRegion region() {
        return region;
    }

    /**
     * Takes a run of pages.
     *
     * @param bytes how many bytes
     * @return where it starts, or -1 if there is none
     */
    public long allocate(long bytes) {
        long count = pageCount(bytes);
        int first = count > Integer.MAX_VALUE ? -1 : pages.allocate((int) count);
        return first < 0 ? -1 : first * VerbsArena.PAGE_SIZE;
    }

    /**
     * Gives a run of pages back.
     *
     * @param offset where it starts
     * @param bytes as when it was taken
     */
    public void free(long offset, long bytes) {
        pages.free((int) (offset / VerbsArena.PAGE_SIZE), (int) pageCount(bytes));
    }

    private static long pageCount(long bytes) {
        return Math.max(1, Math.ceilDiv(bytes, VerbsArena.PAGE_SIZE));
    }

    /**
     * Bytes in free pages.
     *
     * @return 0 or more
     */
    public long freeBytes() {
        return pages.freePages() * VerbsArena.PAGE_SIZE;
    }

    /**
     * Finds memory within the region.
     *
     * @param memory any memory
     * @return where it starts in the region, or -1 if it is not, or not all, in there
     */
    public long offsetOf(MemorySegment memory) {
        long offset = memory.address() - segment.address();
        boolean inside = memory.isNative() && offset >= 0 && offset <= segment.byteSize() - memory.byteSize();
        return inside ? offset : -1;
    }

    /**
     * The bytes of pieces, neighbours as one segment.
     *
     * @param pieces pieces of this memory
     * @return as few segments as hold the same bytes in the same order
     */
    List<MemorySegment> runs(PieceList pieces) {
        List<MemorySegment> runs = new ArrayList<>(pieces.count());
        for (int i = 0; i < pieces.count(); ) {
            long first = pieces.offset(i);
            long end = first;
            while (i < pieces.count() && pieces.offset(i) == end) {
                end += pieces.length(i++);
            }
            runs.add(segment.asSlice(first, end - first));
        }
        return runs;
    }

    /**
     * Ends the registration and frees the memory.
     *
     * @throws VerbsException if the device refuses
     */
    public void close() throws VerbsException {
        region.close();
        arena.close();
    }
}
