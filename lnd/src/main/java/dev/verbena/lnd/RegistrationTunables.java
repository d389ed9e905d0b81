package dev.verbena.lnd;

import org.jspecify.annotations.Nullable;

/**
 * The parameters of memory registration, with the names and defaults of the kernel module's.
 *
 * @param kind how to register, or null, the default, to choose by the device's capabilities
 * @param mapOnDemand 0: peers are told the key of the region over all of the node's memory; 1, the default: every sink is
 *     registered; 2 to 256: sinks of at least this number of fragments are, others go by the key of the region, and peers are offered
 *     this number of fragments, as releases up to 2.8 did
 * @param fmrPoolSize registrations of one pool; 1 or more, default 512
 * @param fmrFlushTrigger FMRs that are unmapped together where that may wait; default 384
 * @param fmrCache whether an FMR that was mapped to the same pages is used as it is where it stayed mapped; default true
 * @param useFastregGaps whether fast registration is to take lists with holes, where the device can; default false, as it
 *     costs throughput
 * @param invalidateOnRelease whether the peer's key dies when the transfer ends; default true. With false, as in the kernel module,
 *     the peer can write to that memory until the registration is used again
 */
public record RegistrationTunables(
        @Nullable RegistrationKind kind,
        int mapOnDemand,
        int fmrPoolSize,
        int fmrFlushTrigger,
        boolean fmrCache,
        boolean useFastregGaps,
        boolean invalidateOnRelease) {

    private static final int MAX_MAP_ON_DEMAND = 256;

    /**
     * Refuses what makes no sense.
     *
     * @throws IllegalArgumentException if a value is out of range; the message names it
     */
    public RegistrationTunables {
        require("mapOnDemand", mapOnDemand, 0, MAX_MAP_ON_DEMAND);
        require("fmrPoolSize", fmrPoolSize, 1, 1 << 20);
        require("fmrFlushTrigger", fmrFlushTrigger, 1, 1 << 20);
    }

    private static void require(String name, int value, int lowest, int highest) {
        if (value < lowest || value > highest) {
            throw new IllegalArgumentException(name + " " + value + " is not in " + lowest + ".." + highest);
        }
    }

    /**
     * The defaults.
     *
     * @return what a Lustre node has without module options
     */
    public static RegistrationTunables defaults() {
        return new RegistrationTunables(null, 1, 512, 384, true, false, true);
    }

    /**
     * The same with another way to register.
     *
     * @param value the way, or null to choose by capabilities
     * @return new tunables
     */
    public RegistrationTunables withKind(@Nullable RegistrationKind value) {
        return new RegistrationTunables(
                value, mapOnDemand, fmrPoolSize, fmrFlushTrigger, fmrCache, useFastregGaps, invalidateOnRelease);
    }

    /**
     * The same with another mode.
     *
     * @param value 0 to 256
     * @return new tunables
     */
    public RegistrationTunables withMapOnDemand(int value) {
        return new RegistrationTunables(
                kind, value, fmrPoolSize, fmrFlushTrigger, fmrCache, useFastregGaps, invalidateOnRelease);
    }

    /**
     * The same with pools of another size.
     *
     * @param size registrations of one pool
     * @param trigger FMRs that are unmapped together
     * @return new tunables
     */
    public RegistrationTunables withPools(int size, int trigger) {
        return new RegistrationTunables(
                kind, mapOnDemand, size, trigger, fmrCache, useFastregGaps, invalidateOnRelease);
    }

    /**
     * The same with or without the cache of FMRs.
     *
     * @param value whether to use it
     * @return new tunables
     */
    public RegistrationTunables withFmrCache(boolean value) {
        return new RegistrationTunables(
                kind, mapOnDemand, fmrPoolSize, fmrFlushTrigger, value, useFastregGaps, invalidateOnRelease);
    }

    /**
     * The same with or without holes in fast registrations.
     *
     * @param value whether they may have any
     * @return new tunables
     */
    public RegistrationTunables withFastregGaps(boolean value) {
        return new RegistrationTunables(
                kind, mapOnDemand, fmrPoolSize, fmrFlushTrigger, fmrCache, value, invalidateOnRelease);
    }

    /**
     * The same with another time to invalidate.
     *
     * @param value true for the end of the transfer
     * @return new tunables
     */
    public RegistrationTunables withInvalidateOnRelease(boolean value) {
        return new RegistrationTunables(
                kind, mapOnDemand, fmrPoolSize, fmrFlushTrigger, fmrCache, useFastregGaps, value);
    }

    /**
     * Fragments that are offered to peers.
     *
     * @param most what the protocol allows
     * @return the most, but with map_on_demand of 2 and more that number
     */
    public int offeredFragments(int most) {
        return mapOnDemand > 1 ? Math.min(mapOnDemand, most) : most;
    }
}
