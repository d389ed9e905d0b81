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

    /** {@return the kind of registration, or null, the default, to choose it by the device's capabilities} */
    public @Nullable RegistrationKind kind() {
        return values.kind;
    }

    /**
     * {@return the use of registrations: 1, the default, for every sink; 0 for none, so that peers get the key of the
     * node's memory region; 2 to 256 for sinks of at least this number of fragments, as up to Lustre 2.8, with the
     * same number offered to peers}
     */
    public int mapOnDemand() {
        return values.mapOnDemand;
    }

    /** {@return the number of registrations of one pool; 1 or more, default 512} */
    public int fmrPoolSize() {
        return values.pools.size();
    }

    /** {@return the number of released FMRs that are unmapped together; default 384} */
    public int fmrFlushTrigger() {
        return values.pools.flushTrigger();
    }

    /** {@return whether an FMR that is still mapped to the needed pages is reused; default true} */
    public boolean fmrCache() {
        return values.pools.cache();
    }

    /** {@return whether fast registration may use page lists with gaps; default false, because that is slower} */
    public boolean useFastregGaps() {
        return values.pools.gaps();
    }

    /**
     * {@return whether the peer's key is invalidated when the RDMA transfer ends; default true. With false, as in the
     * kernel module, the peer can write to the memory until the registration is reused}
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

    /** {@return the values of a Lustre node without module options} */
    public static RegistrationTunables defaults() {
        return new RegistrationTunables(new Values(null, 1, new PoolParameters(512, 384, true, false, true)));
    }

    /**
     * {@return tunables with another kind of registration}
     *
     * @param value the kind, or null to choose it by the device's capabilities
     */
    public RegistrationTunables withKind(@Nullable RegistrationKind value) {
        return new RegistrationTunables(new Values(value, values.mapOnDemand, values.pools));
    }

    /**
     * {@return tunables with another {@link #mapOnDemand}}
     *
     * @param value 0 to 256
     */
    public RegistrationTunables withMapOnDemand(int value) {
        return new RegistrationTunables(new Values(values.kind, value, values.pools));
    }

    /**
     * {@return tunables with pools of another size}
     *
     * @param size the number of registrations of one pool
     * @param trigger the number of released FMRs that are unmapped together
     */
    public RegistrationTunables withPools(int size, int trigger) {
        PoolParameters old = values.pools;
        return with(new PoolParameters(size, trigger, old.cache(), old.gaps(), old.invalidateOnRelease()));
    }

    /**
     * {@return tunables with or without the cache of mapped FMRs}
     *
     * @param value whether to use the cache
     */
    public RegistrationTunables withFmrCache(boolean value) {
        PoolParameters old = values.pools;
        return with(new PoolParameters(old.size(), old.flushTrigger(), value, old.gaps(), old.invalidateOnRelease()));
    }

    /**
     * {@return tunables with or without gaps in the page lists of fast registrations}
     *
     * @param value whether gaps are used
     */
    public RegistrationTunables withFastregGaps(boolean value) {
        PoolParameters old = values.pools;
        return with(new PoolParameters(old.size(), old.flushTrigger(), old.cache(), value, old.invalidateOnRelease()));
    }

    /**
     * {@return tunables with another {@link #invalidateOnRelease}}
     *
     * @param value whether the peer's key is invalidated when the RDMA transfer ends
     */
    public RegistrationTunables withInvalidateOnRelease(boolean value) {
        PoolParameters old = values.pools;
        return with(new PoolParameters(old.size(), old.flushTrigger(), old.cache(), old.gaps(), value));
    }

    /**
     * {@return the number of fragments offered to peers: the maximum, or a smaller {@link #mapOnDemand} above 1}
     *
     * @param most the protocol's maximum
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
