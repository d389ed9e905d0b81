// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.network;

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
import java.util.function.Predicate;

/**
 * The network between the devices. Faults are injected into sent packets. A {@code TraceHash} can hash the packets
 * before faults are injected. A capture can contain the packets before and after the injected faults.
 */
public final class FabricModule extends AbstractModule {
    private final FaultPlan faults;
    private final Optional<Capture> capture;
    private final Optional<UdpNetwork> network;

    public FabricModule(FaultPlan faults, Optional<Capture> capture, Optional<UdpNetwork> network) {
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
    Optional<PcapngTap> tap(SimRuntime runtime, CloseStack resources) throws IOException {
        if (capture.isEmpty()) {
            return Optional.empty();
        }
        Path file = capture.get().file();
        PcapngTap tap = PcapngTap.open(file, runtime);
        return Optional.of(resources.add(tap, () -> complete(tap, file)));
    }

    /** Returns the packet tap, if the user captures packets at this place: before or after fault injection. */
    private Optional<PcapngTap> at(Predicate<Capture.Place> place, Optional<PcapngTap> tap) {
        return tap.filter(present -> capture.map(Capture::place).filter(place).isPresent());
    }

    @Provides
    @Singleton
    FaultyFabric faulty(SimRuntime runtime, Optional<UdpFabric> udp, FaultPlan plan, Optional<PcapngTap> tap) {
        Fabric wire = udp.isPresent() ? udp.get() : new InProcessFabric(runtime);
        Optional<PcapngTap> behind = at(Capture.Place::survived, tap);
        Fabric carrier = behind.isPresent()
                ? new TappedFabric(wire, runtime, behind.get().survived())
                : wire;
        return new FaultyFabric(carrier, plan, runtime);
    }

    /** Creates the hash of all packets only in virtual time, because only a simulation in virtual time is reproducible. */
    @Provides
    @Singleton
    Optional<TraceHash> hash(SimRuntime runtime) {
        return runtime.isVirtual() ? Optional.of(new TraceHash()) : Optional.empty();
    }

    @Provides
    @Singleton
    Fabric fabric(FaultyFabric inner, Optional<TraceHash> hash, Optional<PcapngTap> tap, SimRuntime runtime) {
        List<PacketTap> taps = new ArrayList<>();
        hash.ifPresent(taps::add);
        at(Capture.Place::sent, tap).ifPresent(taps::add);
        return taps.isEmpty() ? inner : new TappedFabric(inner, runtime, new CompositeTap(taps));
    }

    /** Closes a capture. If writing the capture file fails, the file name is added to the exception's message. */
    private static void complete(PcapngTap tap, Path file) throws IOException {
        try {
            tap.close();
        } catch (IOException e) {
            throw new IOException("the capture '" + file + "' is not complete: " + e.getMessage(), e);
        }
    }
}
