// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import dev.verbena.lnd.memory.PoolParameters;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of memory registration, with the names and defaults of the kernel module's.
 */
public final class RegistrationTunables {
    private static final int MAX_MAP_ON_DEMAND = 256;

    private final Values values;

    /** The attributes, of which a later release may have more. */
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

    /** {@return how to register, or null, the default, to choose by the device's capabilities} */
    public @Nullable RegistrationKind kind() {
        return values.kind;
    }

    /**
     * {@return 0: peers are told the key of the region over all of the node's memory; 1, the default: every sink is
     * registered; 2 to 256: sinks of at least this number of fragments are, others go by the key of the region, and peers
     * are offered this number of fragments, as releases up to 2.8 did}
     */
    public int mapOnDemand() {
        return values.mapOnDemand;
    }

    /** {@return registrations of one pool; 1 or more, default 512} */
    public int fmrPoolSize() {
        return values.pools.size();
    }

    /** {@return FMRs that are unmapped together where that may wait; default 384} */
    public int fmrFlushTrigger() {
        return values.pools.flushTrigger();
    }

    /** {@return whether an FMR that was mapped to the same pages is used as it is where it stayed mapped; default true} */
    public boolean fmrCache() {
        return values.pools.cache();
    }

    /**
     * {@return whether fast registration is to take lists with holes, where the device can; default false, as it costs
     * throughput}
     */
    public boolean useFastregGaps() {
        return values.pools.gaps();
    }

    /**
     * {@return whether the peer's key dies when the transfer ends; default true. With false, as in the kernel module, the
     * peer can write to that memory until the registration is used again}
     */
    public boolean invalidateOnRelease() {
        return values.pools.invalidateOnRelease();
    }

    /** The parameters of the pools alone. */
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
     * The same with another way to register.
     *
     * @param value the way, or null to choose by capabilities
     * @return new tunables
     */
    public RegistrationTunables withKind(@Nullable RegistrationKind value) {
        return new RegistrationTunables(new Values(value, values.mapOnDemand, values.pools));
    }

    /**
     * The same with another mode.
     *
     * @param value 0 to 256
     * @return new tunables
     */
    public RegistrationTunables withMapOnDemand(int value) {
        return new RegistrationTunables(new Values(values.kind, value, values.pools));
    }

    /**
     * The same with pools of another size.
     *
     * @param size registrations of one pool
     * @param trigger FMRs that are unmapped together
     * @return new tunables
     */
    public RegistrationTunables withPools(int size, int trigger) {
        PoolParameters old = values.pools;
        return with(new PoolParameters(size, trigger, old.cache(), old.gaps(), old.invalidateOnRelease()));
    }

    /**
     * The same with or without the cache of FMRs.
     *
     * @param value whether to use it
     * @return new tunables
     */
    public RegistrationTunables withFmrCache(boolean value) {
        PoolParameters old = values.pools;
        return with(new PoolParameters(old.size(), old.flushTrigger(), value, old.gaps(), old.invalidateOnRelease()));
    }

    /**
     * The same with or without holes in fast registrations.
     *
     * @param value whether they may have any
     * @return new tunables
     */
    public RegistrationTunables withFastregGaps(boolean value) {
        PoolParameters old = values.pools;
        return with(new PoolParameters(old.size(), old.flushTrigger(), old.cache(), value, old.invalidateOnRelease()));
    }

    /**
     * The same with another time to invalidate.
     *
     * @param value true for the end of the transfer
     * @return new tunables
     */
    public RegistrationTunables withInvalidateOnRelease(boolean value) {
        PoolParameters old = values.pools;
        return with(new PoolParameters(old.size(), old.flushTrigger(), old.cache(), old.gaps(), value));
    }

    /**
     * Fragments that are offered to peers.
     *
     * @param most the protocol's maximum
     * @return the most, but with map_on_demand of 2 and more that number
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
