// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import dev.verbena.sim.memory.FastMemory;
import dev.verbena.sim.memory.MemoryPieces;
import dev.verbena.spi.ProviderArena;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.SendWorkRequest;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.kernel.FastRegistrationRegion;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A region of fast registration. The last call of {@code map} determines the address and the length of the region. When an
 * application writes a REG_MR into a work request, the region gets the REG_MR's key and access flags, as the kernel's
 * {@code struct ib_mr} does. The region keeps the new key and access flags even if the REG_MR is never executed.
 */
final class SimFastRegistrationRegion extends SimRegion implements FastRegistrationRegion {
    private final FastMemory registered;
    private final int maxPages;
    private final boolean gaps;
    private volatile int key;
    private volatile int access;
    private volatile Extent extent = new Extent(0, 0);
    private @Nullable MemoryPieces mapped;
    private Set<ProviderArena> underMapped = Set.of();
    private Set<ProviderArena> underFormer = Set.of();

    SimFastRegistrationRegion(
            ProtectionDomain domain,
            Children siblings,
            Registrar registrar,
            FastMemory registered,
            int maxPages,
            boolean gaps) {
        super(domain, siblings, registrar, registered);
        this.registered = registered;
        this.maxPages = maxPages;
        this.gaps = gaps;
        key = registered.key();
    }

    @Override
    public int lkey() {
        return key;
    }

    @Override
    public MemorySegment memory() {
        throw new UnsupportedOperationException(this + " is mapped from a list and has no single segment");
    }

    @Override
    public long address() {
        return extent.start;
    }

    @Override
    public long length() {
        return extent.bytes;
    }

    @Override
    public Set<AccessFlag> access() {
        return AccessFlag.ofMask(access);
    }

    @Override
    public SendWorkRequest registerBy(SendWorkRequest request, int newKey, Set<AccessFlag> newAccess) {
        if (!(request instanceof SimSendWorkRequest own)) {
            throw new IllegalArgumentException(request + " does not belong to provider sim, but " + this
                    + " does; use a request from newSendRequests() of a queue pair of its device");
        }
        int rights = AccessFlag.maskOf(newAccess);
        own.registerMemory(this, newKey, rights);
        key = newKey;
        access = rights;
        return request;
    }

    @Override
    public synchronized int map(List<MemorySegment> pieces, long pageSize, long iova) throws VerbsException {
        String verb = "ib_map_mr_sg";
        checkOpen(verb);
        RegistrationRules rules = new RegistrationRules(registrar(), verb);
        if (Long.bitCount(pageSize) != 1
                || pageSize < PageRules.PAGE
                || (pageSize & device().attributes().pageSizeCap()) == 0) {
            throw rules.refuse(
                    Errno.EINVAL,
                    "page size " + pageSize + " is not one of device " + device().name()
                            + "; it must be a power of two of at least " + PageRules.PAGE);
        }
        List<ProviderArena> arenas = new ArrayList<>();
        for (MemorySegment piece : pieces) {
            arenas.add(rules.arenaOfPiece(piece, Set.of(AccessFlag.LOCAL_WRITE)));
        }
        if (!pieces.isEmpty() && (iova - pieces.getFirst().address()) % pageSize != 0) {
            throw rules.refuse(
                    Errno.EINVAL,
                    "address 0x" + Long.toHexString(iova) + " and the first piece at 0x"
                            + Long.toHexString(pieces.getFirst().address()) + " have different offsets in a page of "
                            + pageSize);
        }
        int count = gaps ? PageRules.withGaps(pieces, maxPages) : PageRules.withoutGaps(pieces, pageSize, maxPages);
        if (count == 0) {
            throw rules.refuse(
                    Errno.EINVAL,
                    pieces.isEmpty()
                            ? "the list of memory segments is empty"
                            : "the first piece alone needs more than the region's " + maxPages + " pages");
        }
        Set<ProviderArena> under = new LinkedHashSet<>(arenas.subList(0, count));
        hold(under, verb);
        MemoryPieces memory = MemoryPieces.of(pieces.subList(0, count));
        underFormer = underValid(registered.stage(memory, iova));
        mapped = memory;
        underMapped = under;
        Set<ProviderArena> needed = new LinkedHashSet<>(under);
        needed.addAll(underFormer);
        holdOnly(needed);
        extent = new Extent(iova, memory.length());
        return count;
    }

    /** Returns the arenas of the currently registered memory {@code valid}, or an empty set if {@code valid} is null. */
    @SuppressWarnings("ReferenceEquality")
    private Set<ProviderArena> underValid(@Nullable MemoryPieces valid) {
        if (valid == null) {
            return Set.of();
        }
        return valid == mapped ? underMapped : underFormer;
    }

    private record Extent(long start, long bytes) {}
}
