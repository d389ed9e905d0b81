// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.conformance;

import dev.verbena.cli.network.UdpNetwork;
import dev.verbena.cm.ConnectionManager;
import dev.verbena.conformance.side.Introduction;
import dev.verbena.conformance.side.PortChoice;
import dev.verbena.fault.FaultPlan;
import dev.verbena.sim.SimDeviceSpec;
import dev.verbena.sim.SimProvider;
import dev.verbena.sim.fault.FaultyFabric;
import dev.verbena.sim.runtime.ThreadRuntime;
import dev.verbena.sim.udp.UdpFabric;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.VerbsException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;

/**
 * One of two software devices that are in different processes and are connected by UDP. A device at a loopback address uses
 * a free port. The process of such a device sends the port number to the other process. A device at an address other than
 * loopback uses UDP port 4791, and has this address as its GID, as in RoCEv2. Packets from the other device also pass
 * through this process, so this process injects the faults of both directions.
 */
final class UdpSide implements Introduction, Opened {
    private final ThreadRuntime runtime;
    private final UdpFabric udp;
    private final FaultyFabric fabric;
    private final SimProvider provider;
    private final Device device;
    private final Gid gid;

    /**
     * Opens a device.
     *
     * @param own the device's name and GID; the GID is used only if {@code at} is a loopback address
     * @param at the address of the device's UDP endpoint
     */
    UdpSide(SimKind kind, SimDeviceSpec own, InetAddress at, long seed) throws VerbsException {
        runtime = new ThreadRuntime(seed);
        udp = new UdpFabric(runtime);
        fabric = FaultyFabric.atOneEnd(udp, FaultPlan.none(), runtime);
        if (at.isLoopbackAddress()) {
            gid = own.addresses().getFirst();
            udp.endpoint(gid, UdpNetwork.ANY_PORT);
        } else {
            gid = Gid.ofAddress(at);
        }
        try {
            provider = new SimProvider(
                    runtime, fabric, List.of(new SimDeviceSpec(own.name(), List.of(gid), kind.profile())));
            device = provider.open(own.name());
        } catch (VerbsException refused) {
            udp.close();
            runtime.close();
            throw refused;
        }
    }

    OpenDevice opened() {
        return new OpenDevice(device, PortChoice.usual(), provider.extension(ConnectionManager.class), this, this);
    }

    FaultyFabric fabric() {
        return fabric;
    }

    @Override
    public String ours() {
        InetSocketAddress at = udp.endpoint(gid);
        return gid + " " + at.getAddress().getHostAddress() + " " + at.getPort();
    }

    @Override
    public void met(String theirs) throws IOException {
        if (theirs.isEmpty()) {
            // If the other process sends no UDP port, its device uses the standard UDP port 4791.
            return;
        }
        String[] words = theirs.split(" ", -1);
        try {
            Gid peer = Gid.parse(words[0]);
            InetSocketAddress at = new InetSocketAddress(InetAddress.ofLiteral(words[1]), Integer.parseInt(words[2]));
            if (!at.equals(udp.endpoint(peer))) {
                udp.endpoint(peer, at);
            }
        } catch (IllegalArgumentException | IndexOutOfBoundsException foreign) {
            throw new IOException(
                    "the other side is not a software device over UDP: its description is '" + theirs + "'", foreign);
        }
    }

    @Override
    public void close() throws VerbsException {
        try (runtime;
                udp;
                provider;
                device) {
            // The try statement closes the device, the provider, the UDP fabric and the `ThreadRuntime`, in this order.
        }
    }
}
