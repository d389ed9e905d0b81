// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.memory;

import dev.verbena.lnd.wire.Protocol;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.CapabilityException;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.kernel.FastRegistration;
import dev.verbena.verbs.kernel.FastRegistrationRegion;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Fast registration: before the SEND, LOCAL_INV invalidates the region's current R_Key, even if the region is new. REG_MR
 * then registers the pages with a new R_Key. The peer accesses the memory of a transfer as one fragment at a random
 * address. Source: {@code struct kib_fast_reg_descriptor}.
 */
public final class FastRegistrationStrategy implements PooledStrategy {

    private static final Set<AccessFlag> ACCESS = EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
    private static final int EXTRA = 2;

    private final NodeMemory memory;
    private final LongSupplier clock;
    private final boolean gaps;
    private final boolean invalidateOnRelease;
    private final PoolSet<Fast> pools;

    public FastRegistrationStrategy(
            Device device, ProtectionDomain domain, NodeMemory memory, PoolParameters parameters, LongSupplier clock)
            throws VerbsException {
        this.memory = memory;
        this.clock = clock;
        invalidateOnRelease = parameters.invalidateOnRelease();
        gaps = parameters.gaps() && device.capabilities().contains(Capability.FAST_REGISTRATION_GAPS);
        FastRegistration extension = device.extension(FastRegistration.class)
                .orElseThrow(() -> new CapabilityException(Capability.FAST_REGISTRATION, "ib_alloc_mr", device.name()));
        int pages = Math.min(Protocol.MAX_FRAGMENTS, device.attributes().maxFastRegPageListLength());
        pools = new PoolSet<>(parameters.size(), PoolSet.Order.FIFO, new PoolSet.Factory<>() {
            @Override
            public Fast create() throws VerbsException {
                return new Fast(extension.allocate(domain, pages, gaps));
            }

            @Override
            public void destroy(Fast fast) throws VerbsException {
                fast.region.close();
            }
        });
    }

    /** A fast registration region with its work requests LOCAL_INV and REG_MR. */
    private final class Fast extends Registration {
        private final FastRegistrationRegion region;
        /** The R_Key that LOCAL_INV invalidates. */
        private int oldKey;

        private int newKey;
        /** Whether a new R_Key was chosen for the region, but no REG_MR with this R_Key has been posted. */
        private boolean rekeyed;

        private boolean chained;
        private PoolSet.@Nullable Slot<Fast> slot;

        Fast(FastRegistrationRegion region) {
            this.region = region;
            newKey = region.rkey();
        }

        boolean map(PieceList pieces) throws VerbsException {
            List<MemorySegment> segments = memory.runs(pieces);
            if (region.map(segments, NodeMemory.PAGE, memory.randomAddress(pieces.offset(0))) < segments.size()) {
                return false;
            }
            if (!rekeyed) {
                oldKey = newKey;
                newKey = memory.otherKey(oldKey);
                rekeyed = true;
            }
            chained = false;
            wire().clear();
            wire().add(region.address(), pieces.total());
            return true;
        }

        @Override
        public int rkey() {
            return newKey;
        }

        @Override
        public int chain(SendRequests sends, long id) {
            if (chained) {
                return 0;
            }
            chained = true;
            rekeyed = false;
            sends.get(0).localInvalidate(oldKey).id(id);
            region.registerBy(sends.get(1), newKey, ACCESS).id(id);
            return EXTRA;
        }

        /**
         * Destroys the region after a failed RDMA transfer, because the state of the region in the device is then unknown.
         * If {@code invalidateOnRelease} is set, destroys the region after every RDMA transfer. Destroying the region
         * invalidates its R_Key without a LOCAL_INV request.
         */
        @Override
        public void release(boolean failed) {
            PoolSet.Slot<Fast> mine = Objects.requireNonNull(slot);
            slot = null;
            if (chained && (failed || invalidateOnRelease)) {
                pools.discard(mine, clock.getAsLong());
            } else {
                pools.release(mine, clock.getAsLong());
            }
        }
    }

    @Override
    public int extraRequests() {
        return EXTRA;
    }

    @Override
    public @Nullable Registration map(PieceList pieces) throws VerbsException {
        if (!gaps && Gaps.in(pieces)) {
            return null;
        }
        PoolSet.@Nullable Slot<Fast> slot = pools.take(clock.getAsLong());
        if (slot == null) {
            throw new VerbsException(Errno.ENOMEM, "ib_alloc_mr", "no fast registration is available in the pools");
        }
        Fast fast = slot.object();
        fast.slot = slot;
        boolean mapped = false;
        try {
            mapped = fast.map(pieces);
            return mapped ? fast : null;
        } finally {
            if (!mapped) {
                fast.slot = null;
                pools.release(slot, clock.getAsLong());
            }
        }
    }

    @Override
    public PoolSet<?> pooled() {
        return pools;
    }
}
