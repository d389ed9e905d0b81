// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.memory;

import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.VerbsException;
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
 * Registers memory regions over whole pages. A cache keeps the regions for later transfers of the same pages. If the cache
 * has too many regions, the cache evicts regions that no transfer uses, the least recently used region first. Each transfer
 * has one fragment, because this strategy registers only contiguous memory. While a memory region is in the cache, its
 * R_Key stays valid, so a peer can still access the pages after its transfer.
 */
public final class RegionCacheStrategy implements RegistrationStrategy {

    private static final Set<AccessFlag> ACCESS = EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);

    private final NodeMemory memory;
    private final PoolParameters parameters;
    private final Map<Pages, Entry> regions = new LinkedHashMap<>(16, 0.75f, true);
    private final Deque<CachedRegistration> free = new ArrayDeque<>();
    private final Reaper reaper = new Reaper();
    private int inUse;

    public RegionCacheStrategy(NodeMemory memory, PoolParameters parameters) {
        this.memory = memory;
        this.parameters = parameters;
    }

    private record Pages(long offset, long bytes) {}

    private static final class Entry {
        private final Pages pages;
        private final MemoryRegion region;
        private int users;
        private boolean invalid;

        Entry(Pages pages, MemoryRegion region) {
            this.pages = pages;
            this.region = region;
        }
    }

    private final class CachedRegistration extends Registration {
        private Entry entry;

        CachedRegistration(Entry entry) {
            this.entry = entry;
        }

        @Override
        public int rkey() {
            return entry.region.rkey();
        }

        @Override
        public void release(boolean failed) {
            inUse--;
            entry.users--;
            if (failed) {
                invalidate(entry);
            }
            if (entry.users == 0 && entry.invalid) {
                deregister(entry);
            }
            evict();
            free.push(this);
        }
    }

    @Override
    public @Nullable Registration map(PieceList pieces) throws VerbsException {
        if (!Gaps.isContiguous(pieces)) {
            return null;
        }
        long first = pieces.offset(0) / NodeMemory.PAGE * NodeMemory.PAGE;
        long end = Math.ceilDiv(pieces.offset(0) + pieces.total(), NodeMemory.PAGE) * NodeMemory.PAGE;
        Pages pages = new Pages(first, end - first);
        Entry entry = regions.get(pages);
        if (entry == null) {
            entry = new Entry(pages, memory.register(first, end - first, ACCESS));
            regions.put(pages, entry);
        }
        entry.users++;
        inUse++;
        @Nullable CachedRegistration pooled = free.poll();
        CachedRegistration registration = pooled == null ? new CachedRegistration(entry) : pooled;
        registration.entry = entry;
        registration.wire().clear();
        registration.wire().add(entry.region.address() + pieces.offset(0) - first, pieces.total());
        evict();
        return registration;
    }

    /** Removes a region from the cache, so that no other transfer uses the region. */
    private void invalidate(Entry entry) {
        entry.invalid = true;
        regions.remove(entry.pages, entry);
    }

    private void deregister(Entry entry) {
        reaper.destroy(entry.region::close);
    }

    private void evict() {
        Iterator<Entry> oldest = regions.values().iterator();
        while (regions.size() > parameters.size() && oldest.hasNext()) {
            Entry entry = oldest.next();
            if (entry.users == 0) {
                oldest.remove();
                deregister(entry);
            }
        }
    }

    @Override
    public void failOver() {
        for (Entry entry : List.copyOf(regions.values())) {
            invalidate(entry);
            if (entry.users == 0) {
                deregister(entry);
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
    public void close() throws VerbsException {
        failOver();
        reaper.end();
    }

    @Override
    public String toString() {
        return regions.size() + " regions, " + inUse + " uses, " + reaper.failed() + " not ended";
    }
}
