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
 * The node's own arena as one registered region, handed out in pages, to all partitions of the node. Thread-safe.
 *
 * <p>By default the region grants local access only: peers write by registrations that each grant the sink of one transfer.
 */
public final class NodeMemory {

    /** Bytes of a page of LNet and of page lists, for any page size of the system. */
    public static final long PAGE = 4096;

    /** Addresses sent to peers are at random multiples of this, plus the memory's own offset in a page. */
    private static final long ADDRESS_STEP = 2L << 20;

    /** Upper bits that are 0 in each address, so that no region reaches the end of the address space. */
    private static final int ZERO_BITS = 2;

    private final ProtectionDomain domain;
    private final RandomGenerator random;
    private final boolean choosesAddresses;
    private final long systemPage;
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
     * @param access the rights of the region over all of it; a remote one opens all of the memory to every peer
     * @param random the source of the addresses that are sent to peers
     * @throws VerbsException if the device refuses
     */
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

    /**
     * Registers a part of the memory, where the device lets the node choose at an address that peers cannot guess.
     *
     * @param offset where the part starts
     * @param length its bytes
     * @param access the rights that the region grants
     * @return a new region
     * @throws VerbsException if the device refuses
     */
    MemoryRegion register(long offset, long length, Set<AccessFlag> access) throws VerbsException {
        MemorySegment part = segment.asSlice(offset, length);
        return choosesAddresses
                ? domain.registerMemory(part, randomAddress(offset), access)
                : domain.registerMemory(part, access);
    }

    /**
     * Returns an address by which peers may name memory. The address is random, but has the memory's offset in a page
     * of the system, which may be larger than a page of the device.
     *
     * @param offset where the memory starts
     * @return another address each time
     */
    synchronized long randomAddress(long offset) {
        long withinPage = (segment.address() + offset) % Math.max(PAGE, systemPage);
        return ((random.nextLong() >>> ZERO_BITS) & -ADDRESS_STEP) + withinPage;
    }

    /**
     * Returns a key that peers cannot guess.
     *
     * @param key the key it replaces
     * @return a key of the same region or window
     */
    synchronized int otherKey(int key) {
        return RemoteKey.other(key, random);
    }

    /** {@return all of the memory; the segment lives as long as the node} */
    public MemorySegment segment() {
        return segment;
    }

    /** {@return the region over all of the memory, which local work requests name} */
    public MemoryRegion region() {
        return region;
    }

    /**
     * Takes a run of pages.
     *
     * @param bytes how many bytes
     * @return where it starts, or -1 if there is none
     */
    public synchronized long allocate(long bytes) {
        long count = pageCount(bytes);
        int first = count > Integer.MAX_VALUE ? -1 : pages.allocate((int) count);
        return first < 0 ? -1 : first * PAGE;
    }

    /**
     * Takes a run of pages, but leaves an eighth of the memory to messages and receive buffers, so that data cannot keep peers from
     * connecting.
     *
     * @param bytes how many bytes
     * @return where it starts, or -1 if there is none
     */
    public synchronized long allocateLeavingReserve(long bytes) {
        return freeBytes() - bytes < segment.byteSize() / 8 ? -1 : allocate(bytes);
    }

    /**
     * Frees a run of pages.
     *
     * @param offset where it starts
     * @param bytes as when it was taken
     */
    public synchronized void free(long offset, long bytes) {
        pages.free((int) (offset / PAGE), (int) pageCount(bytes));
    }

    private static long pageCount(long bytes) {
        return Math.max(1, Math.ceilDiv(bytes, PAGE));
    }

    /** {@return the bytes in free pages} */
    public synchronized long freeBytes() {
        return pages.freePages() * PAGE;
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
