// SPDX-License-Identifier: Apache-2.0
package dev.verbena.junit;

import dev.verbena.fault.FaultPlan;
import dev.verbena.sim.SimDeviceSpec;
import dev.verbena.sim.SimProvider;
import dev.verbena.sim.capture.CompositeTap;
import dev.verbena.sim.capture.PacketTap;
import dev.verbena.sim.capture.PcapngTap;
import dev.verbena.sim.capture.TappedFabric;
import dev.verbena.sim.fabric.InProcessFabric;
import dev.verbena.sim.fabric.LinkProperties;
import dev.verbena.sim.fault.FaultyFabric;
import dev.verbena.sim.leak.LeakDetection;
import dev.verbena.sim.profile.DeviceProfile;
import dev.verbena.sim.runtime.SimRuntime;
import dev.verbena.sim.runtime.ThreadRuntime;
import dev.verbena.sim.runtime.VirtualRuntime;
import dev.verbena.sim.udp.UdpFabric;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The software devices, scheduler and fabric of a {@code VerbsNetwork}. The fabric can inject faults and capture packets.
 */
final class SoftwareNetwork {
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0);

    private final SimRuntime runtime;
    private final @Nullable UdpFabric udp;
    private final FaultyFabric faults;
    private final SimProvider provider;
    private final PacketLog log;
    private final @Nullable PcapngTap capture;

    SoftwareNetwork(
            Fabric.Kind kind,
            long seed,
            List<String> names,
            DeviceProfile profile,
            LinkProperties links,
            FaultPlan plan,
            @Nullable PacketTap tap,
            @Nullable Path file)
            throws VerbsException {
        runtime = kind == Fabric.Kind.VIRTUAL_TIME ? new VirtualRuntime(seed) : new ThreadRuntime(seed);
        log = new PacketLog(runtime.nanoTime());
        udp = kind == Fabric.Kind.UDP ? new UdpFabric(runtime) : null;
        faults = new FaultyFabric(udp == null ? new InProcessFabric(runtime, links) : udp, plan, runtime);
        capture = file == null ? null : newCapture(file);
        List<PacketTap> taps = new ArrayList<>(List.of(log));
        if (tap != null) {
            taps.add(tap);
        }
        if (capture != null) {
            taps.add(capture);
        }
        List<SimDeviceSpec> devices = new ArrayList<>();
        for (String name : names) {
            SimDeviceSpec device = SimDeviceSpec.of(name, "192.0.2." + (devices.size() + 1));
            devices.add(device.withProfile(profile));
            if (udp != null) {
                udp.endpoint(device.addresses().getFirst(), ANY_PORT);
            }
        }
        provider = new SimProvider(
                runtime, new TappedFabric(faults, runtime, new CompositeTap(taps)), devices, LeakDetection.TRACED);
    }

    private PcapngTap newCapture(Path file) throws VerbsException {
        try {
            return PcapngTap.open(file, runtime);
        } catch (IOException e) {
            throw new VerbsException(Errno.EIO, "VerbsNetwork", "the capture " + file + " cannot be written: " + e);
        }
    }

    SimProvider provider() {
        return provider;
    }

    FaultyFabric faults() {
        return faults;
    }

    /** Returns the scheduler if time is virtual, otherwise null. */
    @Nullable VirtualRuntime virtualTime() {
        return runtime instanceof VirtualRuntime virtual ? virtual : null;
    }

    long seed() {
        return runtime.seed();
    }

    /** Returns a string that begins with a line feed and describes the last packets of each link. */
    String lastPackets() {
        return log.text();
    }

    /** Stops the threads and closes the sockets, after the application has closed its verbs objects. */
    void close() throws VerbsException {
        provider.close();
        if (udp != null) {
            udp.close();
        }
        runtime.close();
        if (capture != null) {
            try {
                capture.close();
            } catch (IOException e) {
                throw new VerbsException(Errno.EIO, "VerbsNetwork.close", "the capture could not be written: " + e);
            }
        }
    }
}
