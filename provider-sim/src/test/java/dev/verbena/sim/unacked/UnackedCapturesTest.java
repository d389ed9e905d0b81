// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.unacked;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.sim.fabric.FabricPort;
import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.sim.fixture.CapturedPackets;
import dev.verbena.sim.fixture.Connection;
import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.sim.fixture.Lab;
import dev.verbena.sim.fixture.Node;
import dev.verbena.sim.profile.DeviceProfile;
import dev.verbena.sim.profile.Quirk;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.AddressVector;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.GlobalRoute;
import dev.verbena.verbs.PathMtu;
import dev.verbena.verbs.PostRefusal;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.SendWorkRequest;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.Extension;
import dev.verbena.wire.RocePacket;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sends and receives the packets that rdma_rxe of Linux 6.12 sent. */
class UnackedCapturesTest {
    private static final String CLIENT = "10.77.0.3";
    private static final Gid SERVER = Gid.parse("10.77.0.2");
    private static final int SLOT = 8192;

    private final Lab lab = new Lab();

    @AfterEach
    void stop() {
        lab.close();
    }

    private static List<RocePacket> packets(String capture) {
        return CapturedPackets.of(capture, Gid.parse(CLIENT));
    }

    /** Both hosts of these captures had queue pairs of the same number. */
    private static Endpoint endpoint(Node node, QpType type, int qpn) throws VerbsException {
        Endpoint endpoint = node.endpoint(type);
        while (endpoint.qp().number() < qpn) {
            endpoint = node.endpoint(type);
        }
        assertThat(endpoint.qp().number()).isEqualTo(qpn);
        return endpoint;
    }

    private static byte[] bytes(RocePacket packet, long from, long to) {
        return packet.segment().asSlice(from, to - from).toArray(ValueLayout.JAVA_BYTE);
    }

    private static byte[] payload(RocePacket packet) {
        return bytes(packet, packet.payloadOffset(), packet.payloadOffset() + packet.payloadLength());
    }

    @ParameterizedTest
    @ValueSource(strings = {"send_bw_uc", "write_bw_uc"})
    void anUnreliableConnectionSendsTheSameBytes(String capture) throws VerbsException {
        List<RocePacket> captured = packets(capture);
        RocePacket first = captured.getFirst();
        List<RocePacket> sent = listen(SERVER);
        Node node = lab.node("sim0", CLIENT, UnackedCapturesTest::likeRdmaRxe);
        Endpoint endpoint = endpoint(node, QpType.UC, first.bth().destinationQpn());
        Connection.USUAL
                .mtu(PathMtu.MTU_1024)
                .psns(first.bth().psn(), 0)
                .apply(endpoint.qp(), SERVER, first.bth().destinationQpn());
        List<RocePacket> message = new ArrayList<>();
        for (RocePacket packet : captured) {
            message.add(packet);
            if (packet.opcode().isEnd()) {
                RocePacket start = message.getFirst();
                int length = store(node, message);
                endpoint.post(request -> {
                    SendWorkRequest chosen = start.opcode().isWrite()
                            ? request.rdmaWrite(
                                    start.reth().virtualAddress(), start.reth().remoteKey())
                            : request.send();
                    chosen.sge(node.region(), 0, length);
                });
                lab.settle();
                message.clear();
            }
        }
        assertSame(sent, captured);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ud_pingpong", "mckey"})
    void aDatagramQueuePairSendsTheSameBytes(String capture) throws VerbsException {
        List<RocePacket> captured = packets(capture);
        RocePacket first = captured.getFirst();
        List<RocePacket> sent = listen(CapturedPackets.destination(first));
        Node node = lab.node("sim0", CLIENT, UnackedCapturesTest::likeRdmaRxe);
        int qkey = first.deth().queueKey();
        Endpoint endpoint = endpoint(node, QpType.UD, first.deth().sourceQpn())
                .ready(qkey, first.bth().psn());
        AddressVector vector = AddressVector.toGid(CapturedPackets.destination(first), 1);
        AddressHandle handle = node.domain().createAh(withHopLimit(vector, first));
        for (RocePacket packet : captured) {
            int length = store(node, List.of(packet));
            PostRefusal refusal = endpoint.post(request -> {
                SendWorkRequest chosen = packet.opcode().has(Extension.IMM_DT)
                        ? request.sendWithImmediate(packet.immDt().data())
                        : request.send();
                chosen.sge(node.region(), 0, length).to(handle, packet.bth().destinationQpn(), qkey);
            });
            assertThat(refusal).isEqualTo(PostRefusal.NONE);
            lab.settle();
        }
        assertSame(sent, captured);
    }

    /** The caller sets the hop limit of a group's address; that of rdma_cm is 1. */
    private static AddressVector withHopLimit(AddressVector vector, RocePacket packet) {
        GlobalRoute route = vector.route().orElseThrow();
        return vector.toBuilder()
                .route(new GlobalRoute(
                        route.destination(),
                        0,
                        route.sgidIndex(),
                        packet.ipv4Header().timeToLive(),
                        packet.ipv4Header().trafficClass()))
                .build();
    }

    private static int store(Node node, List<RocePacket> message) {
        int length = 0;
        for (RocePacket packet : message) {
            MemorySegment.copy(packet.segment(), packet.payloadOffset(), node.memory(), length, packet.payloadLength());
            length += packet.payloadLength();
        }
        return length;
    }

    /** Records the packets to an address. */
    private List<RocePacket> listen(Gid address) throws VerbsException {
        List<RocePacket> sent = new ArrayList<>();
        Gid own = address.isMulticast() ? SERVER : address;
        FabricPort port = lab.fabric().attach("listener", List.of(own), sent::add);
        if (address.isMulticast()) {
            port.join(address);
        }
        return sent;
    }

    /** The differences from adapters in every packet. */
    private static DeviceProfile likeRdmaRxe(DeviceProfile profile) {
        return profile.toBuilder()
                .with(Quirk.MIGREQ_ZERO)
                .firstQpn(DeviceProfile.LEAST_QPN)
                .build();
    }

    /** Checks that packets are equal including the ICRC, with the identifications that Linux counted up. */
    private static void assertSame(List<RocePacket> sent, List<RocePacket> captured) {
        assertThat(sent).hasSameSizeAs(captured);
        for (int i = 0; i < sent.size(); i++) {
            RocePacket ours = sent.get(i);
            RocePacket theirs = captured.get(i);
            ours.ipv4Header()
                    .identification(theirs.ipv4Header().identification())
                    .flagsAndFragment(theirs.ipv4Header().flagsAndFragment());
            ours.seal();
            assertThat(bytes(ours, 0, ours.length()))
                    .as("packet %d: %s", i, ours)
                    .isEqualTo(bytes(theirs, 0, theirs.length()));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"send_bw_uc", "ud_pingpong", "mckey"})
    void receivesThePacketsThatLinuxSent(String capture) throws VerbsException {
        List<RocePacket> captured = packets(capture);
        RocePacket first = captured.getFirst();
        Node node = lab.node("sim0", "10.77.0.2", UnackedCapturesTest::likeRdmaRxe);
        boolean datagrams = first.opcode().has(Extension.DETH);
        boolean multicast = CapturedPackets.destination(first).isMulticast();
        int qpn = multicast ? 17 : first.bth().destinationQpn();
        Endpoint endpoint = endpoint(node, datagrams ? QpType.UD : QpType.UC, qpn);
        if (datagrams) {
            endpoint.ready(first.deth().queueKey());
        } else {
            Connection.USUAL
                    .mtu(PathMtu.MTU_1024)
                    .psns(0, first.bth().psn())
                    .apply(endpoint.qp(), Gid.parse(CLIENT), qpn);
        }
        if (multicast) {
            endpoint.qp().attachMulticast(CapturedPackets.destination(first), 0);
        }
        int messages = (int)
                captured.stream().filter(packet -> packet.opcode().isEnd()).count();
        for (int i = 0; i < messages; i++) {
            endpoint.receive(i, (long) i * SLOT, SLOT);
        }
        FabricPort port = lab.fabric().attach("linux", List.of(Gid.parse(CLIENT)), SimPacket::release);
        for (RocePacket packet : captured) {
            SimPacket copy = port.newPacket();
            copy.copyFrom(packet);
            copy.trusted(false);
            port.send(copy);
            lab.settle();
        }
        assertReceived(node, endpoint, captured, datagrams ? 40 : 0);
    }

    private static void assertReceived(Node node, Endpoint endpoint, List<RocePacket> captured, int before) {
        List<String> expected = new ArrayList<>();
        int at = 0;
        for (RocePacket packet : captured) {
            at = packet.opcode().isStart() ? before : at;
            long slot = (long) expected.size() * SLOT;
            assertThat(node.bytes(slot + at, packet.payloadLength())).isEqualTo(payload(packet));
            at += packet.payloadLength();
            if (packet.opcode().isEnd()) {
                String immediate = packet.opcode().has(Extension.IMM_DT)
                        ? ", immediate 0x" + Integer.toHexString(packet.immDt().data())
                        : "";
                expected.add("RECV " + expected.size() + " of " + at + " bytes" + immediate);
            }
        }
        assertThat(endpoint.receives()).isEqualTo(expected).isNotEmpty();
    }
}
