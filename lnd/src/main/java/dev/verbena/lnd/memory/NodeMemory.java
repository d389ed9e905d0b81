// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.memory;

import dev.verbena.lnd.engine.PageAllocator;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.RemoteKey;
import dev.verbena.verbs.VerbsArena;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * A node's registered memory: one memory region, allocated in pages and shared by all CPU partitions. Thread-safe.
 *
 * <p>By default the memory region grants local access only. For each RDMA transfer, another memory region or a memory
 * window grants the peer access to the destination buffer.
 */
public final class NodeMemory {

    /** The page size in bytes that LNet and page lists use, even if the operating system has another page size. */
    public static final long PAGE = 4096;

    /** A random address is the sum of a multiple of {@code ADDRESS_STEP} and the offset of the memory in its page. */
    private static final long ADDRESS_STEP = 2L << 20;

    /** The upper {@code ZERO_BITS} bits of a random address are 0, so that no region exceeds the address space. */
    private static final int ZERO_BITS = 2;

    private final ProtectionDomain domain;
    private final RandomGenerator random;
    private final boolean choosesAddresses;
    private final long systemPage;
    private final VerbsArena arena;
    private final MemorySegment segment;
    private final MemoryRegion region;
    private final PageAllocator pages;

    public NodeMemory(
            Device device, ProtectionDomain domain, long bytes, Set<AccessFlag> access, RandomGenerator random)
            throws VerbsException {
        this.domain = domain;
        this.random = random;
        choosesAddresses = device.capabilities().contains(Capability.IOVA_MR);
        systemPage = device.attributes().systemPageSize();
        int count = Math.toIntExact(Math.ceilDiv(bytes, PAGE));
        pages = new PageAllocator(count);
        arena = device.newArena();
        try {
            segment = arena.allocate(count * PAGE, Math.max(PAGE, systemPage));
            region = register(0, segment.byteSize(), access);
        } catch (VerbsException | RuntimeException | Error e) {
            arena.close();
            throw e;
        }
    }

    /** Registers a range of {@code segment}, at a random virtual address if the device lets the node choose the address. */
    MemoryRegion register(long offset, long length, Set<AccessFlag> access) throws VerbsException {
        MemorySegment part = segment.asSlice(offset, length);
        return choosesAddresses
                ? domain.registerMemory(part, randomAddress(offset), access)
                : domain.registerMemory(part, access);
    }

    /**
     * Returns a random virtual address by which peers access the node's registered memory at {@code offset}. The random
     * address has the same offset within a page as the memory's address in this process. The page size is the larger one of
     * the operating system's page size and {@link #PAGE}.
     */
    synchronized long randomAddress(long offset) {
        long withinPage = (segment.address() + offset) % Math.max(PAGE, systemPage);
        return ((random.nextLong() >>> ZERO_BITS) & -ADDRESS_STEP) + withinPage;
    }

    /** Returns a new, random R_Key for the memory region or memory window that has the given R_Key. */
    synchronized int otherKey(int key) {
        return RemoteKey.other(key, random);
    }

    public MemorySegment segment() {
        return segment;
    }

    public MemoryRegion region() {
        return region;
    }

    /** Allocates contiguous pages. Returns the offset of the first page, or -1 if too few contiguous pages are free. */
    public synchronized long allocate(long bytes) {
        long count = pageCount(bytes);
        int first = count > Integer.MAX_VALUE ? -1 : pages.allocate((int) count);
        return first < 0 ? -1 : first * PAGE;
    }

    /**
     * Allocates contiguous pages, but keeps an eighth of the memory free for messages and receive buffers, so that payloads
     * cannot prevent peers from connecting. Returns the offset of the first allocated page in the memory, or -1.
     */
    public synchronized long allocateLeavingReserve(long bytes) {
        return freeBytes() - bytes < segment.byteSize() / 8 ? -1 : allocate(bytes);
    }

    public synchronized void free(long offset, long bytes) {
        pages.free((int) (offset / PAGE), (int) pageCount(bytes));
    }

    private static long pageCount(long bytes) {
        return Math.max(1, Math.ceilDiv(bytes, PAGE));
    }

    public synchronized long freeBytes() {
        return pages.freePages() * PAGE;
    }

    /** Returns the offset of a memory segment in the region; -1 if the segment is not completely inside the region. */
    public long offsetOf(MemorySegment memory) {
        long offset = memory.address() - segment.address();
        boolean inside = memory.isNative() && offset >= 0 && offset <= segment.byteSize() - memory.byteSize();
        return inside ? offset : -1;
    }

    /** Returns the given ranges of the node's registered memory as memory segments, with adjacent ranges joined. */
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

    public void close() throws VerbsException {
        Cleanup cleanup = new Cleanup(null);
        cleanup.step(region::close);
        cleanup.step(arena::close);
        cleanup.end();
    }
}
