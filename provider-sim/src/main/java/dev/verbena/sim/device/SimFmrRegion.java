// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import dev.verbena.sim.memory.FmrMemory;
import dev.verbena.sim.memory.MemoryPieces;
import dev.verbena.spi.ProviderArena;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.kernel.FmrRegion;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

final class SimFmrRegion extends SimRegion implements FmrRegion {
    /** The maximum number of mappings of an FMR without an unmap. Equals {@code IB_FMR_MAX_REMAPS} of Linux. */
    private static final int MAX_MAPS = 32;

    private final FmrMemory registered;
    private final int maxPages;
    private final Set<AccessFlag> access;
    private volatile long start;
    private volatile long length;
    private Set<ProviderArena> under = Set.of();

    SimFmrRegion(
            ProtectionDomain domain,
            Children siblings,
            Registrar registrar,
            FmrMemory registered,
            int maxPages,
            Set<AccessFlag> access) {
        super(domain, siblings, registrar, registered);
        this.registered = registered;
        this.maxPages = maxPages;
        this.access = RegistrationRules.copyOf(access);
    }

    @Override
    public MemorySegment memory() {
        throw new UnsupportedOperationException(this + " is mapped from a list and has no single segment");
    }

    @Override
    public long address() {
        return start;
    }

    @Override
    public long length() {
        return length;
    }

    @Override
    public Set<AccessFlag> access() {
        return access;
    }

    @Override
    public synchronized void map(List<MemorySegment> pages, long iova) throws VerbsException {
        String verb = "ib_map_phys_fmr";
        checkOpen(verb);
        RegistrationRules rules = new RegistrationRules(registrar(), verb);
        long bytes = 0;
        for (MemorySegment piece : pages) {
            bytes += piece.byteSize();
        }
        long count = Math.ceilDiv(bytes, PageRules.PAGE);
        if (pages.isEmpty() || count > maxPages) {
            throw rules.refuse(Errno.EINVAL, "the list has " + count + " pages; this region maps 1 to " + maxPages);
        }
        if (iova % PageRules.PAGE != 0) {
            throw rules.refuse(
                    Errno.EINVAL,
                    "address 0x" + Long.toHexString(iova) + " is not a multiple of the page size " + PageRules.PAGE);
        }
        Set<ProviderArena> arenas = new LinkedHashSet<>();
        for (MemorySegment piece : pages) {
            arenas.add(rules.arenaOfPiece(piece, access));
            if (piece.byteSize() % PageRules.PAGE != 0 || piece.address() % PageRules.PAGE != 0) {
                throw rules.refuse(
                        Errno.EINVAL,
                        piece.byteSize() + " bytes at 0x" + Long.toHexString(piece.address())
                                + " are not whole pages of " + PageRules.PAGE);
            }
        }
        hold(arenas, verb);
        if (!registered.map(MemoryPieces.of(pages), iova, MAX_MAPS)) {
            holdOnly(under);
            throw rules.refuse(
                    Errno.EBUSY,
                    this + " was mapped " + MAX_MAPS + " times without an unmap; call FmrRegistration.unmap() first");
        }
        start = iova;
        length = bytes;
        under = arenas;
        holdOnly(arenas);
    }

    synchronized void unmap() {
        registered.unmap();
        length = 0;
        under = Set.of();
        holdOnly(under);
    }
}
