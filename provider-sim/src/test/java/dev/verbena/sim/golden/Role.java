// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.golden;

import dev.verbena.sim.fixture.CapturedPackets;
import dev.verbena.sim.fixture.CapturedPackets.Captured;
import dev.verbena.verbs.Gid;
import dev.verbena.wire.RocePacket;
import dev.verbena.wire.Transport;
import dev.verbena.wire.UdpSourcePort;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One end of a connection in a capture, which the device plays.
 *
 * @param capture the name of the file
 * @param own the address of this end
 * @param ownQpn its queue pair
 * @param peer the address of the other end
 * @param peerQpn its queue pair
 * @param udpSourcePort the port of all packets
 * @param packets the packets of both, in order
 */
record Role(String capture, Gid own, int ownQpn, Gid peer, int peerQpn, int udpSourcePort, List<Captured> packets) {
    private static final int FIRST_QPN = 17;
    private static final int LAST_QPN = 1000;

    /** The common fields of all packets of one direction of a connection. */
    private record Flow(Gid from, Gid to, int qpn, int udpSourcePort) {
        static Flow of(Captured captured) {
            RocePacket packet = captured.packet();
            return new Flow(
                    captured.source(),
                    captured.destination(),
                    packet.bth().destinationQpn(),
                    packet.udpHeader().sourcePort());
        }

        boolean isAnsweredBy(Flow other) {
            return from.equals(other.to) && to.equals(other.from) && udpSourcePort == other.udpSourcePort;
        }
    }

    /** Returns both ends of all connections in a capture, in the order of their first packets. */
    static List<Role> of(String capture) {
        List<Captured> all =
                CapturedPackets.all(capture).stream().filter(Role::isConnected).toList();
        Map<Flow, List<Captured>> flows = new LinkedHashMap<>();
        for (Captured captured : all) {
            flows.computeIfAbsent(Flow.of(captured), flow -> new ArrayList<>()).add(captured);
        }
        List<Role> roles = new ArrayList<>();
        Set<Flow> left = new LinkedHashSet<>(flows.keySet());
        while (!left.isEmpty()) {
            Flow there = left.iterator().next();
            left.remove(there);
            Flow back = left.stream()
                    .filter(there::isAnsweredBy)
                    .findFirst()
                    .orElseGet(() -> new Flow(there.to, there.from, unseenQpn(there), there.udpSourcePort));
            left.remove(back);
            List<Captured> both = all.stream()
                    .filter(captured -> there.equals(Flow.of(captured)) || back.equals(Flow.of(captured)))
                    .toList();
            roles.add(new Role(capture, there.from, back.qpn, there.to, there.qpn, there.udpSourcePort, both));
            roles.add(new Role(capture, there.to, there.qpn, there.from, back.qpn, there.udpSourcePort, both));
        }
        return roles;
    }

    private static boolean isConnected(Captured captured) {
        Transport transport = captured.packet().opcode().transport();
        return transport == Transport.RC || transport == Transport.UC;
    }

    /**
     * Returns the number of a queue pair that received no packet: one that matches the source port, if there is one.
     */
    private static int unseenQpn(Flow flow) {
        for (int qpn = FIRST_QPN; qpn < LAST_QPN; qpn++) {
            if (UdpSourcePort.forFlowLabel(UdpSourcePort.flowLabel(qpn, flow.qpn)) == flow.udpSourcePort) {
                return qpn;
            }
        }
        return FIRST_QPN;
    }

    /** Returns the flow label that gives the source port; 0 if the numbers of the queue pairs give it. */
    int flowLabel() {
        int usual = UdpSourcePort.forFlowLabel(UdpSourcePort.flowLabel(ownQpn, peerQpn));
        return usual == udpSourcePort ? 0 : udpSourcePort & ~UdpSourcePort.MIN;
    }

    Transport transport() {
        return packets.getFirst().packet().opcode().transport();
    }

    boolean isOwn(Captured captured) {
        return captured.source().equals(own);
    }

    List<RocePacket> ownPackets() {
        return packets.stream().filter(this::isOwn).map(Captured::packet).toList();
    }

    List<RocePacket> peerPackets() {
        return packets.stream()
                .filter(captured -> !isOwn(captured))
                .map(Captured::packet)
                .toList();
    }

    static List<RocePacket> requests(List<RocePacket> packets) {
        return packets.stream().filter(packet -> packet.opcode().isRequest()).toList();
    }

    static List<RocePacket> responses(List<RocePacket> packets) {
        return packets.stream().filter(packet -> packet.opcode().isResponse()).toList();
    }

    @Override
    public String toString() {
        return "%s: %s queue pair 0x%x towards 0x%x".formatted(capture, own, ownQpn, peerQpn);
    }
}
