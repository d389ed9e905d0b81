// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance;

import dev.verbena.cm.ConnectionManager;
import dev.verbena.conformance.side.Endpoint;
import dev.verbena.conformance.side.Side;
import dev.verbena.fault.FaultPlan;
import dev.verbena.sim.SimDeviceSpec;
import dev.verbena.sim.SimProvider;
import dev.verbena.sim.fabric.Fabric;
import dev.verbena.sim.fabric.InProcessFabric;
import dev.verbena.sim.fault.FaultyFabric;
import dev.verbena.sim.leak.LeakDetection;
import dev.verbena.sim.profile.DeviceProfile;
import dev.verbena.sim.runtime.SimRuntime;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Leak;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsProvider;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Two fresh software devices on a fabric in this process. */
public final class SimRig implements ProviderRig {
    private final SimProvider provider;
    private final FaultyFabric fabric;
    private final VerbsProvider seen;
    private final Device first;
    private final Device second;
    private Duration patience = Duration.ofSeconds(10);

    SimRig(SimRuntime runtime) throws VerbsException {
        this(runtime, DeviceProfile.specification(), fabric -> fabric, provider -> provider);
    }

    /**
     * A rig with replaced parts.
     *
     * @param runtime the source of time and threads
     * @param profile of both devices
     * @param decoration the replacement of the fabric
     * @param around the replacement of the provider
     */
    public SimRig(
            SimRuntime runtime,
            DeviceProfile profile,
            UnaryOperator<Fabric> decoration,
            UnaryOperator<VerbsProvider> around)
            throws VerbsException {
        fabric = new FaultyFabric(new InProcessFabric(runtime), FaultPlan.none(), runtime);
        provider = new SimProvider(
                runtime,
                decoration.apply(fabric),
                List.of(
                        SimDeviceSpec.of("sim0", "192.0.2.1").withProfile(profile),
                        SimDeviceSpec.of("sim1", "192.0.2.2").withProfile(profile)),
                LeakDetection.TRACED);
        seen = around.apply(provider);
        first = seen.open("sim0");
        second = seen.open("sim1");
    }

    /** Sets how long the rig waits for an expected event. */
    public SimRig withPatience(Duration value) {
        patience = value;
        return this;
    }

    @Override
    public Endpoint first() {
        return Endpoint.local(first, connections());
    }

    @Override
    public Endpoint second() {
        return Endpoint.local(second, connections());
    }

    /** The connection manager of both sides. */
    Optional<ConnectionManager> connections() {
        return seen.extension(ConnectionManager.class);
    }

    /** The device of the second side, for an agent. */
    Device secondDevice() {
        return second;
    }

    @Override
    public Optional<LinkControl> link() {
        return Optional.of(fabric::add);
    }

    @Override
    public Side.Waiting waiting() {
        boolean virtual = provider.runtime().isVirtual();
        return new Side.Waiting(patience, virtual ? Duration.ofSeconds(1) : Duration.ofMillis(2));
    }

    @Override
    public void close() throws VerbsException {
        try (provider;
                second;
                first) {
            // All three are closed, whichever of them fails.
        }
        List<Leak> leaks = provider.leaks();
        if (!leaks.isEmpty()) {
            AssertionError failure = new AssertionError("not closed: " + leaks);
            leaks.forEach(leak -> leak.opened().ifPresent(failure::addSuppressed));
            throw failure;
        }
    }
}
