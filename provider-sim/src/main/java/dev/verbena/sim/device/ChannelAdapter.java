// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import dev.verbena.sim.counters.DeviceCounters;
import dev.verbena.sim.fabric.Fabric;
import dev.verbena.sim.memory.MemoryTable;
import dev.verbena.sim.profile.DeviceProfile;
import dev.verbena.sim.profile.Quirk;
import dev.verbena.sim.runtime.SimRuntime;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.DeviceAttributes;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.VerbsException;
import java.util.List;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The state of a device that all its contexts share ({@code struct rxe_dev}). */
record ChannelAdapter(
        String name,
        DeviceProfile profile,
        SimRuntime runtime,
        DeviceCounters counters,
        MemoryTable memory,
        PinnedMemory pinned,
        Quotas quotas,
        SimPort port) {
    /**
     * Creates a {@code ChannelAdapter}, and attaches its port to a fabric. The function {@code intakes} maps a QPN to the
     * {@link QpIntake} of the queue pair, or to null if no queue pair has this QPN.
     */
    static ChannelAdapter attach(
            String name,
            DeviceProfile profile,
            SimRuntime runtime,
            Fabric fabric,
            List<Gid> addresses,
            IntFunction<@Nullable QpIntake> intakes)
            throws VerbsException {
        DeviceAttributes limits = profile.attributes();
        DeviceCounters counters = new DeviceCounters();
        MemoryTable memory = new MemoryTable(
                limits.maxMr(),
                limits.maxMw(),
                profile.capabilities().contains(Capability.MW_TYPE_2A),
                runtime.newRandom("keys of " + name));
        return new ChannelAdapter(
                name,
                profile,
                runtime,
                counters,
                memory,
                new PinnedMemory(profile.pinning(), runtime),
                Quotas.of(limits),
                new SimPort(name, profile, runtime, counters, fabric, addresses, intakes));
    }

    boolean has(Quirk quirk) {
        return profile.quirks().contains(quirk);
    }

    /** Returns the random number generator that delays writes of received bytes, or null if writes are immediate. */
    @Nullable RandomGenerator placementOf(int qpNumber) {
        return switch (profile.placement()) {
            case IMMEDIATE -> null;
            case ADVERSARIAL -> runtime.newRandom("placement of qp " + qpNumber + " of " + name);
        };
    }
}
