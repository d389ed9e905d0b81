package dev.verbena.lnd.memory;

import dev.verbena.lnd.RegistrationKind;
import dev.verbena.lnd.RegistrationTunables;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Plain regions over whole pages, kept for the next transfer of the same pages; those not used for longest go first when
 * there are too many. Takes one run of bytes, and shows it to the peer under one fragment.
 */
final class RegionCacheStrategy implements RegistrationStrategy {

    private static final Set<AccessFlag> ACCESS = EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);

    private final ProtectionDomain domain;
    private final NodeMemory memory;
    private final RegistrationTunables tunables;
    private final boolean chosenAddress;
    private final Map<Pages, Entry> regions = new LinkedHashMap<>(16, 0.75f, true);
    private final Deque<Use> free = new ArrayDeque<>();
    private int inUse;
    private long refused;

    RegionCacheStrategy(ProtectionDomain domain, NodeMemory memory, RegistrationTunables tunables) {
        this.domain = domain;
        this.memory = memory;
        this.tunables = tunables;
        chosenAddress = domain.device().capabilities().contains(Capability.IOVA_MR);
    }

    /** Pages by offset and bytes. */
    private record Pages(long offset, long bytes) {}

    private static final class Entry {
        private final Pages pages;
        private final MemoryRegion region;
        private int users;
        private boolean doomed;

        Entry(Pages pages, MemoryRegion region) {
            this.pages = pages;
            this.region = region;
        }
    }

    private final class Use extends Registration {
        private Entry entry;

        Use(Entry entry) {
            this.entry = entry;
        }

        @Override
        public MemoryRegion region() {
            return entry.region;
        }

        @Override
        public int rkey() {
            return entry.region.rkey();
        }

        @Override
        public void release(boolean failed) {
            inUse--;
            entry.users--;
            if (failed || tunables.invalidateOnRelease()) {
                doom(entry);
            }
            if (entry.users == 0 && entry.doomed) {
                end(entry);
            }
            evict();
            free.push(this);
        }
    }

    @Override
    public RegistrationKind kind() {
        return RegistrationKind.REGION_CACHE;
    }

    @Override
    public @Nullable Registration map(PieceList pieces, boolean sink) throws VerbsException {
        if (!Gaps.isContiguous(pieces)) {
            return null;
        }
        long first = pieces.offset(0) / NodeMemory.PAGE * NodeMemory.PAGE;
        long end = Math.ceilDiv(pieces.offset(0) + pieces.total(), NodeMemory.PAGE) * NodeMemory.PAGE;
        Pages pages = new Pages(first, end - first);
        Entry entry = regions.get(pages);
        if (entry == null) {
            entry = new Entry(pages, register(pages));
            regions.put(pages, entry);
        }
        entry.users++;
        inUse++;
        @Nullable Use pooled = free.poll();
        Use use = pooled == null ? new Use(entry) : pooled;
        use.entry = entry;
        use.local().clear();
        use.local().add(pieces.offset(0) - first, pieces.total());
        use.wire().set(use.local(), entry.region.address());
        evict();
        return use;
    }

    private MemoryRegion register(Pages pages) throws VerbsException {
        MemorySegment slice = memory.segment().asSlice(pages.offset, pages.bytes);
        return chosenAddress
                ? domain.registerMemory(slice, memory.region().address() + pages.offset, ACCESS)
                : domain.registerMemory(slice, ACCESS);
    }

    /** Lets nobody else use a region. */
    private void doom(Entry entry) {
        entry.doomed = true;
        regions.remove(entry.pages, entry);
    }

    private void end(Entry entry) {
        try {
            entry.region.close();
        } catch (VerbsException e) {
            refused++;
        }
    }

    /** Ends regions that nobody uses, as long as there are too many. */
    private void evict() {
        Iterator<Entry> oldest = regions.values().iterator();
        while (regions.size() > tunables.fmrPoolSize() && oldest.hasNext()) {
            Entry entry = oldest.next();
            if (entry.users == 0) {
                oldest.remove();
                end(entry);
            }
        }
    }

    @Override
    public void failOver() {
        for (Entry entry : List.copyOf(regions.values())) {
            doom(entry);
            if (entry.users == 0) {
                end(entry);
            }
        }
    }

    @Override
    public int objects() {
        return regions.size();
    }

    @Override
    public int inUse() {
        return inUse;
    }

    @Override
    public void close() {
        failOver();
    }

    @Override
    public String toString() {
        return regions.size() + " regions, " + inUse + " uses, " + refused + " not ended";
    }
}
