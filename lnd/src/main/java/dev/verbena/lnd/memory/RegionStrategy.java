// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.memory;

import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.VerbsException;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Registers each contiguous sink as a new memory region, and deregisters the region after the transfer. */
public final class RegionStrategy implements RegistrationStrategy {

    private static final Set<AccessFlag> ACCESS = EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);

    private final NodeMemory memory;
    /** The regions in use, and the regions that could not be deregistered. */
    private final Set<MemoryRegion> regions = new HashSet<>();

    private int inUse;

    public RegionStrategy(NodeMemory memory) {
        this.memory = memory;
    }

    private final class Sink extends Registration {
        private final MemoryRegion region;

        Sink(MemoryRegion region, PieceList pieces) {
            this.region = region;
            wire().add(region.address(), pieces.total());
        }

        @Override
        public int rkey() {
            return region.rkey();
        }

        @Override
        public void release(boolean failed) {
            inUse--;
            try {
                region.close();
                regions.remove(region);
            } catch (VerbsException e) {
                // After a failed deregistration, `RegionStrategy.close` tries to deregister the region again.
                assert regions.contains(region);
            }
        }
    }

    @Override
    public @Nullable Registration map(PieceList pieces) throws VerbsException {
        if (!Gaps.isContiguous(pieces)) {
            return null;
        }
        MemoryRegion region = memory.register(pieces.offset(0), pieces.total(), ACCESS);
        regions.add(region);
        inUse++;
        return new Sink(region, pieces);
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
        Cleanup cleanup = new Cleanup(null);
        regions.removeIf(region -> cleanup.step(region::close));
        cleanup.end();
    }
}
