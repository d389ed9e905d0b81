package dev.verbena.lnd.memory;

import dev.verbena.lnd.RegistrationKind;
import dev.verbena.lnd.RegistrationTunables;
import dev.verbena.lnd.engine.FragmentList;
import dev.verbena.lnd.wire.Protocol;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.CapabilityException;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Fmr;
import dev.verbena.verbs.FmrRegion;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.VerbsException;
import java.util.ArrayList;
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
 * FMR: pages mapped by a call, at address 0, so that the peer sees the offset within the first page. A list with holes has a
 * fragment for each piece, the n-th of them in the n-th page.
 *
 * <p>A region that was given back stays mapped. It is mapped again over that, up to {@value #MAX_MAPS} times; then it is dirty
 * and waits until so many are that unmapping them together is worth it. When a transfer fails, all are unmapped that are not
 * in use. Source: {@code ib_fmr_pool} as o2iblnd used it.
 */
final class FmrStrategy implements PooledStrategy {

    private static final Set<AccessFlag> ACCESS = EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
    private static final int MAX_MAPS = 32;

    private final NodeMemory memory;
    private final LongSupplier clock;
    private final RegistrationTunables tunables;
    private final Fmr extension;
    private final PoolSet<Mapping> pools;
    private long refusedFlushes;
    private final Set<Mapping> dirty = new LinkedHashSet<>();
    /** Mappings by their pages, to be used once more as they are; those in use as well. */
    private final Map<List<Pages>, Mapping> cache = new HashMap<>();

    /** Pages one behind the other in the node's memory. */
    private record Pages(long first, long bytes) {}

    FmrStrategy(
            Device device,
            ProtectionDomain domain,
            NodeMemory memory,
            RegistrationTunables tunables,
            LongSupplier clock)
            throws VerbsException {
        this.memory = memory;
        this.clock = clock;
        this.tunables = tunables;
        extension = device.extension(Fmr.class)
                .orElseThrow(() -> new CapabilityException(Capability.FMR, "ib_alloc_fmr", device.name()));
        pools = new PoolSet<>(tunables.fmrPoolSize(), PoolSet.Order.FIFO, new PoolSet.Factory<>() {
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

    /** A region and the pages it is mapped to. */
    private static final class Mapping {
        private final FmrRegion region;
        private List<Pages> pages = List.of();
        private int maps;
        private int users;
        private PoolSet.@Nullable Place<Mapping> place;

        Mapping(FmrRegion region) {
            this.region = region;
        }
    }

    /** One use of a mapping; with the cache there may be several at a time. */
    private final class Use extends Registration {
        private final Mapping mapping;

        Use(Mapping mapping) {
            this.mapping = mapping;
        }

        @Override
        public MemoryRegion region() {
            return mapping.region;
        }

        @Override
        public int rkey() {
            return mapping.region.rkey();
        }

        @Override
        public void release(boolean failed) {
            unuse(mapping, failed);
        }
    }

    @Override
    public RegistrationKind kind() {
        return RegistrationKind.FMR;
    }

    @Override
    public Registration map(FragmentList pieces, boolean sink) throws VerbsException {
        boolean gaps = Gaps.in(pieces);
        List<Pages> pages = pagesOf(pieces, gaps);
        Mapping mapping = mappingOf(pages);
        mapping.users++;
        Use use = new Use(mapping);
        long within = pieces.offset(0) % NodeMemory.PAGE;
        use.local().clear();
        if (gaps) {
            for (int i = 0; i < pieces.count(); i++) {
                use.local().add(pieces.offset(i) % NodeMemory.PAGE + i * NodeMemory.PAGE, pieces.length(i));
            }
        } else {
            use.local().add(within, pieces.total());
        }
        use.wire().set(use.local(), mapping.region.address());
        return use;
    }

    /** The pages of a list, in runs: one page for each piece if the list has holes, else each page once. */
    private static List<Pages> pagesOf(FragmentList pieces, boolean gaps) {
        List<Pages> runs = new ArrayList<>();
        long first = 0;
        long end = 0;
        for (int i = 0; i < pieces.count(); i++) {
            long page = pieces.offset(i) / NodeMemory.PAGE * NodeMemory.PAGE;
            boolean known = !gaps && page == end - NodeMemory.PAGE;
            if (end == 0 || (page != end && !known)) {
                if (end > 0) {
                    runs.add(new Pages(first, end - first));
                }
                first = page;
            }
            end = page + NodeMemory.PAGE;
        }
        runs.add(new Pages(first, end - first));
        return runs;
    }

    private Mapping mappingOf(List<Pages> pages) throws VerbsException {
        @Nullable Mapping known = tunables.fmrCache() ? cache.get(pages) : null;
        if (known != null && isUsable(known)) {
            return known;
        }
        PoolSet.@Nullable Place<Mapping> place = takeClean();
        if (place == null) {
            throw new VerbsException(Errno.ENOMEM, "ib_fmr_pool_map_phys", "no FMR is to be had");
        }
        Mapping mapping = place.thing();
        mapping.place = place;
        try {
            forget(mapping);
            mapping.region.map(
                    pages.stream()
                            .map(run -> memory.segment().asSlice(run.first, run.bytes))
                            .toList(),
                    0);
        } catch (VerbsException e) {
            pools.release(place, clock.getAsLong());
            throw e;
        }
        mapping.maps++;
        mapping.pages = pages;
        if (tunables.fmrCache()) {
            cache.put(pages, mapping);
        }
        return mapping;
    }

    /** Whether a mapping can be used as it is: it is in use, or free and now taken. */
    private boolean isUsable(Mapping mapping) {
        PoolSet.@Nullable Place<Mapping> place = mapping.place;
        return mapping.users > 0 || (place != null && pools.takeIfFree(place, clock.getAsLong()));
    }

    /** Takes a region that may be mapped once more. */
    private PoolSet.@Nullable Place<Mapping> takeClean() throws VerbsException {
        PoolSet.@Nullable Place<Mapping> place = pools.take(clock.getAsLong());
        if (place != null && place.thing().maps == MAX_MAPS) {
            Mapping mapping = place.thing();
            mapping.place = place;
            dirty.add(mapping);
            flush();
        }
        return place;
    }

    private void forget(Mapping mapping) {
        cache.remove(mapping.pages, mapping);
        mapping.pages = List.of();
        dirty.remove(mapping);
    }

    private void unuse(Mapping mapping, boolean failed) {
        mapping.users--;
        if (mapping.users == 0) {
            pools.release(Objects.requireNonNull(mapping.place), clock.getAsLong());
            if (mapping.maps == MAX_MAPS || tunables.invalidateOnRelease()) {
                dirty.add(mapping);
            }
        }
        if (failed) {
            pools.forEachFree(dirty::add);
        }
        if (failed || tunables.invalidateOnRelease() || dirty.size() >= tunables.fmrFlushTrigger()) {
            flushQuietly();
        }
    }

    private void flushQuietly() {
        try {
            flush();
        } catch (VerbsException e) {
            // They stay dirty, and are unmapped with the next ones.
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

    @Override
    public PoolSet<?> pooled() {
        return pools;
    }

    @Override
    public String toString() {
        return pools.made() + " FMRs, " + dirty.size() + " dirty, " + refusedFlushes + " flushes refused";
    }
}
