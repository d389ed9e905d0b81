// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import dev.verbena.lnd.memory.PoolParameters;
import org.jspecify.annotations.Nullable;

/** The parameters of memory registration, with the names and defaults of the kernel module {@code ko2iblnd}. */
public final class RegistrationTunables {
    private static final int MAX_MAP_ON_DEMAND = 256;

    private final Values values;

    private record Values(@Nullable RegistrationKind kind, int mapOnDemand, PoolParameters pools) {
        Values {
            require("mapOnDemand", mapOnDemand, 0, MAX_MAP_ON_DEMAND);
            require("fmrPoolSize", pools.size(), 1, 1 << 20);
            require("fmrFlushTrigger", pools.flushTrigger(), 1, 1 << 20);
        }
    }

    private RegistrationTunables(Values values) {
        this.values = values;
    }

    /** {@return the type of memory registration; null, the default, selects {@link RegistrationKind#preferred}} */
    public @Nullable RegistrationKind kind() {
        return values.kind;
    }

    /**
     * {@return the minimum number of fragments of a registered destination buffer, 1 to 256, default 1. If {@code
     * mapOnDemand} is 0, no destination buffer is registered, and peers get the R_Key of the node's memory region. If
     * {@code mapOnDemand} is above 1, the node offers peers at most {@code mapOnDemand} fragments, like Lustre up to 2.8}
     */
    public int mapOnDemand() {
        return values.mapOnDemand;
    }

    /** {@return the number of memory regions or memory windows in one pool; 1 or more, default 512} */
    public int fmrPoolSize() {
        return values.pools.size();
    }

    /** {@return the number of dirty FMRs (mapped 32 times) that the node collects before unmapping them; default 384} */
    public int fmrFlushTrigger() {
        return values.pools.flushTrigger();
    }

    /** {@return whether an FMR that still maps the needed pages is reused; default true} */
    public boolean fmrCache() {
        return values.pools.cache();
    }

    /** {@return whether fast registrations may use page lists with gaps; default false, because gaps are slower} */
    public boolean useFastregGaps() {
        return values.pools.gaps();
    }

    /**
     * {@return whether the node invalidates the peer's R_Key after an RDMA transfer; default true. If the R_Key stays
     * valid, the peer can write to the memory until another RDMA transfer reuses the memory region or memory window. The
     * kernel module o2iblnd keeps the R_Key valid after an RDMA transfer}
     */
    public boolean invalidateOnRelease() {
        return values.pools.invalidateOnRelease();
    }

    PoolParameters pools() {
        return values.pools;
    }

    private RegistrationTunables with(PoolParameters pools) {
        return new RegistrationTunables(new Values(values.kind, values.mapOnDemand, pools));
    }

    private static void require(String name, int value, int lowest, int highest) {
        if (value < lowest || value > highest) {
            throw new IllegalArgumentException(name + " " + value + " is not in " + lowest + ".." + highest);
        }
    }

    /** {@return the registration tunables that a Lustre node has if no module option is set} */
    public static RegistrationTunables defaults() {
        return new RegistrationTunables(new Values(null, 1, new PoolParameters(512, 384, true, false, true)));
    }

    /**
     * {@return tunables with the given type of memory registration}
     *
     * @param value the type of memory registration, or null for the type that {@link RegistrationKind#preferred} returns
     */
    public RegistrationTunables withKind(@Nullable RegistrationKind value) {
        return new RegistrationTunables(new Values(value, values.mapOnDemand, values.pools));
    }

    /**
     * {@return tunables with another {@link #mapOnDemand}}
     *
     * @param value the new value of {@link #mapOnDemand}, 0 to 256
     */
    public RegistrationTunables withMapOnDemand(int value) {
        return new RegistrationTunables(new Values(values.kind, value, values.pools));
    }

    /**
     * {@return tunables with pools of the given size}
     *
     * @param size the number of memory regions or memory windows in one pool
     * @param trigger the number of dirty FMRs (mapped 32 times) that the node collects before unmapping them
     */
    public RegistrationTunables withPools(int size, int trigger) {
        PoolParameters old = values.pools;
        return with(new PoolParameters(size, trigger, old.cache(), old.gaps(), old.invalidateOnRelease()));
    }

    /**
     * {@return tunables with the cache of mapped FMRs enabled or disabled}
     *
     * @param value whether an FMR that still maps the needed pages is reused
     */
    public RegistrationTunables withFmrCache(boolean value) {
        PoolParameters old = values.pools;
        return with(new PoolParameters(old.size(), old.flushTrigger(), value, old.gaps(), old.invalidateOnRelease()));
    }

    /**
     * {@return tunables that permit or forbid gaps in the page lists of fast registrations}
     *
     * @param value whether fast registrations may use page lists with gaps
     */
    public RegistrationTunables withFastregGaps(boolean value) {
        PoolParameters old = values.pools;
        return with(new PoolParameters(old.size(), old.flushTrigger(), old.cache(), value, old.invalidateOnRelease()));
    }

    /**
     * {@return tunables with another {@link #invalidateOnRelease}}
     *
     * @param value whether the node invalidates the peer's R_Key after an RDMA transfer
     */
    public RegistrationTunables withInvalidateOnRelease(boolean value) {
        PoolParameters old = values.pools;
        return with(new PoolParameters(old.size(), old.flushTrigger(), old.cache(), old.gaps(), value));
    }

    /**
     * {@return the number of fragments offered to peers: {@link #mapOnDemand} if it is above 1 and below the protocol's
     * limit {@code most}, else {@code most}}
     *
     * @param most the maximum number of fragments that the o2iblnd protocol permits
     */
    public int offeredFragments(int most) {
        return values.mapOnDemand > 1 ? Math.min(values.mapOnDemand, most) : most;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof RegistrationTunables same && values.equals(same.values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    @Override
    public String toString() {
        return "RegistrationTunables" + values.toString().substring("Values".length());
    }
}
