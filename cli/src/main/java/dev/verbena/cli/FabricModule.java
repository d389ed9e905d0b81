package dev.verbena.cli;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import dev.verbena.fault.FaultPlan;
import dev.verbena.sim.capture.CompositeTap;
import dev.verbena.sim.capture.PacketTap;
import dev.verbena.sim.capture.PcapngTap;
import dev.verbena.sim.capture.TappedFabric;
import dev.verbena.sim.capture.TraceHash;
import dev.verbena.sim.fabric.Fabric;
import dev.verbena.sim.fabric.InProcessFabric;
import dev.verbena.sim.fault.FaultyFabric;
import dev.verbena.sim.runtime.SimRuntime;
import dev.verbena.sim.udp.UdpFabric;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The network between the devices: packets are hashed and captured as they are sent, then meet the faults. */
final class FabricModule extends AbstractModule {
    private final FaultPlan faults;
    private final Optional<Path> capture;
    private final Optional<UdpNetwork> network;

    FabricModule(FaultPlan faults, Optional<Path> capture, Optional<UdpNetwork> network) {
        this.faults = faults;
        this.capture = capture;
        this.network = network;
    }

    @Override
    protected void configure() {
        bind(FaultPlan.class).toInstance(faults);
    }

    @Provides
    @Singleton
    Optional<UdpFabric> udp(SimRuntime runtime, CloseStack resources) {
        return network.map(where -> {
            UdpFabric udp = new UdpFabric(runtime);
            where.describeTo(udp);
            return resources.add(udp, udp::close);
        });
    }

    @Provides
    @Singleton
    FaultyFabric faulty(SimRuntime runtime, Optional<UdpFabric> udp, FaultPlan plan) {
        Fabric carrier = udp.isPresent() ? udp.get() : new InProcessFabric(runtime);
        return new FaultyFabric(carrier, plan, runtime);
    }

    /** Packets have a hash where time is part of what is repeated. */
    @Provides
    @Singleton
    Optional<TraceHash> hash(SimRuntime runtime) {
        return runtime.isVirtual() ? Optional.of(new TraceHash()) : Optional.empty();
    }

    @Provides
    @Singleton
    Fabric fabric(FaultyFabric inner, Optional<TraceHash> hash, SimRuntime runtime, CloseStack resources)
            throws IOException {
        List<PacketTap> taps = new ArrayList<>();
        hash.ifPresent(taps::add);
        if (capture.isPresent()) {
            Path file = capture.get();
            PcapngTap tap = PcapngTap.open(file, runtime);
            taps.add(resources.add(tap, () -> complete(tap, file)));
        }
        return taps.isEmpty() ? inner : new TappedFabric(inner, runtime, new CompositeTap(taps));
    }

    /** Closes a capture; what fails on the way does not know the file's name. */
    private static void complete(PcapngTap tap, Path file) throws IOException {
        try {
            tap.close();
        } catch (IOException e) {
            throw new IOException("the capture '" + file + "' is not complete: " + e.getMessage(), e);
        }
    }
}
