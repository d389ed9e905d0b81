// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.network;

import dev.verbena.sim.SimDeviceSpec;
import dev.verbena.sim.udp.UdpFabric;
import dev.verbena.verbs.Gid;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The addresses of the devices on a UDP network. A device with a loopback IP address has a constant GID, which a table maps
 * to a UDP port of this machine. A non-loopback IP address of a device is the device's GID, as in RoCEv2.
 *
 * @param devices the devices of this process
 * @param initiator the GID of node A. If {@code initiatorAt} is null, {@code initiator} is the GID that node A has at a
 *     loopback address
 * @param target node B's GID
 * @param initiatorAt the address and UDP port of node A, or null if node B learns them from node A's packets
 * @param targetAt node B's endpoint
 */
public record UdpNetwork(
        List<SimDeviceSpec> devices,
        Gid initiator,
        Gid target,
        @Nullable InetSocketAddress initiatorAt,
        InetSocketAddress targetAt) {

    public static final int ROCE_PORT = 4791;

    public static final InetSocketAddress ANY_PORT = new InetSocketAddress(loopback(), 0);
    private static final InetSocketAddress ANY_PORT_6 =
            new InetSocketAddress(Gid.parse("::1").toAddress(), 0);
    private static final InetSocketAddress USUAL_TARGET = new InetSocketAddress(loopback(), ROCE_PORT);

    private static InetAddress loopback() {
        return Gid.parse("127.0.0.1").toAddress();
    }

    public static UdpNetwork of(
            @Nullable Role role, @Nullable InetSocketAddress local, @Nullable InetSocketAddress peer) {
        if (role == null) {
            InetSocketAddress free = isIpv6(local) || isIpv6(peer) ? ANY_PORT_6 : ANY_PORT;
            return of(List.of(DevicesModule.A, DevicesModule.B), or(local, free), or(peer, free));
        }
        return switch (role) {
            case INITIATOR -> {
                InetSocketAddress to = or(peer, USUAL_TARGET);
                yield of(List.of(DevicesModule.A), local != null ? local : leadingTo(to), to);
            }
            case TARGET -> of(List.of(DevicesModule.B), peer, or(local, USUAL_TARGET));
        };
    }

    private static InetSocketAddress or(@Nullable InetSocketAddress given, InetSocketAddress usual) {
        return given != null ? given : usual;
    }

    /** Returns the address of the local interface that routes packets to the {@code peer}. */
    public static InetSocketAddress leadingTo(InetSocketAddress peer) {
        if (peer.getAddress().isLoopbackAddress()) {
            return isIpv6(peer) ? ANY_PORT_6 : ANY_PORT;
        }
        try (DatagramChannel probe = DatagramChannel.open()) {
            probe.connect(peer);
            return new InetSocketAddress(((InetSocketAddress) probe.getLocalAddress()).getAddress(), ROCE_PORT);
        } catch (IOException e) {
            // No route to the peer exists, so no local address allows a device to send to the peer.
            return ANY_PORT;
        }
    }

    private static UdpNetwork of(
            List<SimDeviceSpec> usual, @Nullable InetSocketAddress initiatorAt, InetSocketAddress targetAt) {
        Gid initiator = initiatorAt == null
                ? loopbackGid(DevicesModule.A, isIpv6(targetAt))
                : gid(DevicesModule.A, initiatorAt);
        Gid target = gid(DevicesModule.B, targetAt);
        List<SimDeviceSpec> devices = usual.stream()
                .map(device -> at(device, device.equals(DevicesModule.A) ? initiator : target))
                .toList();
        return new UdpNetwork(devices, initiator, target, initiatorAt, targetAt);
    }

    private static Gid gid(SimDeviceSpec device, InetSocketAddress at) {
        return at.getAddress().isLoopbackAddress() ? loopbackGid(device, isIpv6(at)) : Gid.ofAddress(at.getAddress());
    }

    /**
     * Returns the device's predefined IPv6 GID if {@code ipv6} is true, otherwise the predefined IPv4 GID. Two devices of
     * one machine cannot both have the loopback address as their GID.
     */
    private static Gid loopbackGid(SimDeviceSpec device, boolean ipv6) {
        if (!ipv6) {
            return device.addresses().getFirst();
        }
        return device.equals(DevicesModule.A) ? DevicesModule.A6 : DevicesModule.B6;
    }

    private static boolean isIpv6(@Nullable InetSocketAddress at) {
        return at != null && at.getAddress() instanceof Inet6Address;
    }

    private static SimDeviceSpec at(SimDeviceSpec device, Gid gid) {
        return new SimDeviceSpec(device.name(), List.of(gid), device.profile());
    }

    public void describeTo(UdpFabric fabric) {
        if (initiatorAt != null) {
            describe(fabric, initiator, initiatorAt);
        } else if (targetAt.getAddress().isLoopbackAddress()) {
            // An initiator with an address other than loopback has this address as its GID and may send from any UDP
            // port.
            fabric.followEndpoint(initiator);
        }
        describe(fabric, target, targetAt);
    }

    private static void describe(UdpFabric fabric, Gid gid, InetSocketAddress at) {
        // A GID has no IPv6 zone, but sending to a link-local address needs a zone.
        boolean hasZone = at.getAddress() instanceof Inet6Address ipv6 && ipv6.getScopeId() != 0;
        if (hasZone || at.getPort() != ROCE_PORT || !gid.equals(Gid.ofAddress(at.getAddress()))) {
            fabric.endpoint(gid, at);
        }
    }
}
