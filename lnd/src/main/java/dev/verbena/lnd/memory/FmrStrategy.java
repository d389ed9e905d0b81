// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.memory;

import dev.verbena.lnd.engine.FragmentList;
import dev.verbena.lnd.wire.Protocol;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.CapabilityException;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.kernel.FmrRegion;
import dev.verbena.verbs.kernel.FmrRegistration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Registers memory by fast memory regions (FMR). The node chooses the address of each FMR mapping at random. If the page
 * list of an RDMA transfer has gaps, the peer gets one fragment for each page of each memory range.
 *
 * <p>When the last RDMA transfer that uses an FMR completes, the FMR is unmapped if {@code invalidateOnRelease} is true;
 * otherwise it stays mapped. A mapped FMR can be mapped to other pages. After {@value #MAX_MAPS} mappings, an FMR is dirty:
 * it waits until enough dirty regions can be unmapped together. If an RDMA transfer fails, the node unmaps all FMRs that no
 * transfer uses. Source: {@code ib_fmr_pool}, as o2iblnd used it.
 */
public final class FmrStrategy implements PooledStrategy {

    private static final Set<AccessFlag> ACCESS = EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
    private static final int MAX_MAPS = 32;

    private final NodeMemory memory;
    private final LongSupplier clock;
    private final PoolParameters parameters;
    private final FmrRegistration extension;
    private final PoolSet<Mapping> pools;
    /** Whether RDMA transfers of the same pages may reuse an FMR mapping, whose R_Key then stays valid after a transfer. */
    private final boolean cached;

    private long refusedFlushes;
    private final Set<Mapping> dirty = new LinkedHashSet<>();
    /**
     * The cached FMR mappings, keyed by contiguous page ranges; a later RDMA transfer can reuse a mapping unchanged. RDMA
     * transfers in progress may use some of the cached FMR mappings.
     */
    private final Map<PageRuns, Mapping> cache = new HashMap<>();
    /** The pages of the memory that the current call of {@code map} registers. */
    private final PageRuns wanted = new PageRuns();

    private final Deque<MappedRegistration> free = new ArrayDeque<>();

    public FmrStrategy(
            Device device, ProtectionDomain domain, NodeMemory memory, PoolParameters parameters, LongSupplier clock)
            throws VerbsException {
        this.memory = memory;
        this.clock = clock;
        this.parameters = parameters;
        cached = parameters.cache() && !parameters.invalidateOnRelease();
        extension = device.extension(FmrRegistration.class)
                .orElseThrow(() -> new CapabilityException(Capability.FMR, "ib_alloc_fmr", device.name()));
        pools = new PoolSet<>(parameters.size(), PoolSet.Order.FIFO, new PoolSet.Factory<>() {
            @Override
            public Mapping create() throws VerbsException {
                return new Mapping(extension.allocate(domain, Protocol.MAX_FRAGMENTS, ACCESS));
            }

            @Override
            public void destroy(Mapping mapping) throws VerbsException {
                forget(mapping);
                mapping.region.close();
            }
        });
    }

    private static final class Mapping {
        private final FmrRegion region;
        /** A list that contains only the FMR of this mapping, for the verbs call that unmaps a list of FMRs. */
        private final List<FmrRegion> alone;
        /** The map key of this FMR mapping in {@code cache}; null if the FMR mapping is not cached. */
        private @Nullable PageRuns pages;

        private int maps;
        private int users;
        private PoolSet.@Nullable Slot<Mapping> slot;

        Mapping(FmrRegion region) {
            this.region = region;
            alone = List.of(region);
        }
    }

    /**
     * One RDMA transfer's reference to an FMR mapping. Several RDMA transfers may refer to one cached FMR mapping at the
     * same time.
     */
    private final class MappedRegistration extends Registration {
        private Mapping mapping;

        MappedRegistration(Mapping mapping) {
            this.mapping = mapping;
        }

        @Override
        public int rkey() {
            return mapping.region.rkey();
        }

        @Override
        public void release(boolean failed) {
            unref(mapping, failed);
            free.push(this);
        }
    }

    @Override
    public Registration map(PieceList pieces) throws VerbsException {
        boolean gaps = Gaps.in(pieces);
        wanted.set(pieces, gaps);
        Mapping mapping = mappingOfWanted();
        mapping.users++;
        @Nullable MappedRegistration pooled = free.poll();
        MappedRegistration registration = pooled == null ? new MappedRegistration(mapping) : pooled;
        registration.mapping = mapping;
        FragmentList wire = registration.wire();
        wire.clear();
        long base = mapping.region.address();
        if (gaps) {
            for (int i = 0; i < pieces.count(); i++) {
                long page = wire.count() * NodeMemory.PAGE;
                wire.addPages(base, page + pieces.offset(i) % NodeMemory.PAGE, pieces.length(i));
            }
        } else {
            wire.add(base + pieces.offset(0) % NodeMemory.PAGE, pieces.total());
        }
        return registration;
    }

    private Mapping mappingOfWanted() throws VerbsException {
        @Nullable Mapping known = cached ? cache.get(wanted) : null;
        if (known != null && isUsable(known)) {
            return known;
        }
        PoolSet.@Nullable Slot<Mapping> slot = takeClean();
        if (slot == null) {
            throw new VerbsException(Errno.ENOMEM, "ib_fmr_pool_map_phys", "no FMR is available in the pools");
        }
        Mapping mapping = slot.object();
        mapping.slot = slot;
        try {
            forget(mapping);
            mapping.region.map(wanted.in(memory.segment()), memory.randomAddress(0));
        } catch (VerbsException e) {
            pools.release(slot, clock.getAsLong());
            throw e;
        }
        mapping.maps++;
        if (cached) {
            PageRuns pages = wanted.copy();
            mapping.pages = pages;
            cache.put(pages, mapping);
        }
        return mapping;
    }

    /** Returns whether a mapping is reusable. If no transfer uses the mapping, takes the mapping's FMR from the pool. */
    private boolean isUsable(Mapping mapping) {
        PoolSet.@Nullable Slot<Mapping> slot = mapping.slot;
        return mapping.users > 0 || (slot != null && pools.takeIfFree(slot, clock.getAsLong()));
    }

    /** Allocates an FMR that can be mapped at least once more. */
    private PoolSet.@Nullable Slot<Mapping> takeClean() throws VerbsException {
        PoolSet.@Nullable Slot<Mapping> slot = pools.take(clock.getAsLong());
        if (slot != null && slot.object().maps == MAX_MAPS) {
            Mapping mapping = slot.object();
            mapping.slot = slot;
            dirty.add(mapping);
            try {
                flush();
            } catch (VerbsException e) {
                // The FMR stays dirty, and the next transfer that allocates the FMR tries again to unmap it.
                pools.release(slot, clock.getAsLong());
                throw e;
            }
        }
        return slot;
    }

    private void forget(Mapping mapping) {
        if (mapping.pages != null) {
            cache.remove(mapping.pages, mapping);
            mapping.pages = null;
        }
        dirty.remove(mapping);
    }

    private void unref(Mapping mapping, boolean failed) {
        mapping.users--;
        if (mapping.users == 0) {
            PoolSet.Slot<Mapping> slot = Objects.requireNonNull(mapping.slot);
            if (parameters.invalidateOnRelease()) {
                unmap(mapping, slot);
                return;
            }
            if (mapping.maps == MAX_MAPS) {
                dirty.add(mapping);
            }
            // Call `pools.release` last, because this call may destroy the memory region in the slot.
            pools.release(slot, clock.getAsLong());
        }
        if (failed) {
            pools.forEachFree(dirty::add);
        }
        if (failed || dirty.size() >= parameters.flushTrigger()) {
            flushQuietly();
        }
    }

    /** Unmaps an FMR to end the peer's access to the pages. If unmapping fails, deallocates the FMR. */
    private void unmap(Mapping mapping, PoolSet.Slot<Mapping> slot) {
        boolean unmapped = false;
        try {
            extension.unmap(mapping.alone);
            unmapped = true;
        } catch (VerbsException e) {
            refusedFlushes++;
        } finally {
            if (unmapped) {
                mapping.maps = 0;
                pools.release(slot, clock.getAsLong());
            } else {
                pools.discard(slot, clock.getAsLong());
            }
        }
    }

    private void flushQuietly() {
        try {
            flush();
        } catch (VerbsException e) {
            // If unmapping fails, the FMRs stay dirty until a later call of `flush` unmaps the FMRs.
            refusedFlushes++;
        }
    }

    private void flush() throws VerbsException {
        List<Mapping> all = dirty.stream().filter(mapping -> mapping.users == 0).toList();
        extension.unmap(all.stream().map(mapping -> mapping.region).toList());
        for (Mapping mapping : all) {
            forget(mapping);
            mapping.maps = 0;
        }
    }

    /**
     * Destroys each FMR of the failed device as soon as no RDMA transfer uses the FMR. Clears the cache, so that no new
     * RDMA transfer uses an FMR mapping of the failed device.
     */
    @Override
    public void failOver() {
        cache.clear();
        PooledStrategy.super.failOver();
    }

    @Override
    public PoolSet<?> pooled() {
        return pools;
    }

    @Override
    public String toString() {
        return pools.made() + " FMRs, " + dirty.size() + " dirty, " + refusedFlushes + " flushes refused";
    }
}
