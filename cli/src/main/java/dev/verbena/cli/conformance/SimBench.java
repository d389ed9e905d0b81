// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.conformance;

import dev.verbena.cli.network.DevicesModule;
import dev.verbena.cli.network.UdpNetwork;
import dev.verbena.cm.ConnectionManager;
import dev.verbena.conformance.Divergences;
import dev.verbena.conformance.LinkControl;
import dev.verbena.conformance.LocalRig;
import dev.verbena.conformance.ProviderRig;
import dev.verbena.conformance.side.Side;
import dev.verbena.fault.FaultPlan;
import dev.verbena.sim.SimProvider;
import dev.verbena.sim.fabric.Fabric;
import dev.verbena.sim.fabric.InProcessFabric;
import dev.verbena.sim.fault.FaultyFabric;
import dev.verbena.sim.runtime.SimRuntime;
import dev.verbena.sim.runtime.ThreadRuntime;
import dev.verbena.sim.runtime.VirtualRuntime;
import dev.verbena.sim.udp.UdpFabric;
import dev.verbena.verbs.Leak;
import dev.verbena.verbs.VerbsException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Two software devices, created again for each execution of a rule. A rule fails if a verbs object is not closed. */
final class SimBench implements Bench {
    enum Manner {
        VIRTUAL("in virtual time", Duration.ofSeconds(1)),
        THREADS("with threads", Duration.ofMillis(2)),
        UDP("with threads, over UDP", Duration.ofMillis(10));

        private final String description;
        private final Duration silence;

        Manner(String description, Duration silence) {
            this.description = description;
            this.silence = silence;
        }
    }

    private static final String FIRST = DevicesModule.A.name();
    private static final String SECOND = DevicesModule.B.name();

    private final SimKind kind;
    private final Manner manner;
    private final long seed;
    private final Duration patience;

    /**
     * In wall-clock time, all conformance rules use this {@code SimRuntime}. In virtual time, each execution of a rule
     * creates its own {@code VirtualRuntime}.
     */
    private final Optional<SimRuntime> threads;

    SimBench(SimKind kind, Manner manner, long seed, Duration patience) {
        this.kind = kind;
        this.manner = manner;
        this.seed = seed;
        this.patience = patience;
        threads = manner == Manner.VIRTUAL ? Optional.empty() : Optional.of(new ThreadRuntime(seed));
    }

    @Override
    public String title() {
        return "sim, " + kind + ", " + manner.description;
    }

    @Override
    public Map<String, String> facts() {
        return Map.of("Devices", FIRST + " and " + SECOND + ", in one process");
    }

    @Override
    public Divergences divergences() {
        return kind.divergences();
    }

    @Override
    public ProviderRig open() throws VerbsException {
        SimRuntime runtime = threads.orElseGet(() -> new VirtualRuntime(seed));
        Optional<UdpFabric> udp = manner == Manner.UDP ? Optional.of(udp(runtime)) : Optional.empty();
        Fabric carrier = udp.isPresent() ? udp.get() : new InProcessFabric(runtime);
        FaultyFabric fabric = new FaultyFabric(carrier, FaultPlan.none(), runtime);
        SimProvider provider = new SimProvider(runtime, fabric, kind.devices());
        return new Rig(provider, fabric, udp, new Side.Waiting(patience, manner.silence));
    }

    private static UdpFabric udp(SimRuntime runtime) {
        UdpFabric udp = new UdpFabric(runtime);
        UdpNetwork.of(null, null, null).describeTo(udp);
        return udp;
    }

    @Override
    public void close() {
        threads.ifPresent(SimRuntime::close);
    }

    private static final class Rig extends LocalRig {
        private final SimProvider provider;
        private final FaultyFabric fabric;
        private final Optional<UdpFabric> udp;
        private final Side.Waiting waiting;

        Rig(SimProvider provider, FaultyFabric fabric, Optional<UdpFabric> udp, Side.Waiting waiting)
                throws VerbsException {
            super(provider.open(FIRST), provider.open(SECOND), provider.extension(ConnectionManager.class));
            this.provider = provider;
            this.fabric = fabric;
            this.udp = udp;
            this.waiting = waiting;
        }

        @Override
        public Optional<LinkControl> link() {
            return Optional.of(fabric::add);
        }

        @Override
        public boolean canLose() {
            return udp.isPresent();
        }

        @Override
        public Side.Waiting waiting() {
            return waiting;
        }

        @Override
        public void close() throws VerbsException {
            try (provider) {
                super.close();
                List<Leak> leaks = provider.leaks();
                if (!leaks.isEmpty()) {
                    throw new AssertionError("not closed: " + leaks);
                }
            } finally {
                udp.ifPresent(UdpFabric::close);
            }
        }
    }
}
