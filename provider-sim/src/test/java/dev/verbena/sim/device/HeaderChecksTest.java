// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.sim.fixture.Connection;
import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.sim.fixture.OneDevice;
import dev.verbena.sim.fixture.ScriptedPeer;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.Opcode;
import java.lang.foreign.ValueLayout;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The checks before a packet reaches its queue pair: a packet that fails one is counted and has no other effect. */
class HeaderChecksTest extends OneDevice {
    private Endpoint endpoint;

    @BeforeEach
    void connect() throws VerbsException {
        endpoint = node.endpoint();
        endpoint.connect(peer, Connection.USUAL);
        endpoint.receive(1, 0, 64);
    }

    private static void flip(SimPacket packet, long offset, int mask) {
        byte old = packet.segment().get(ValueLayout.JAVA_BYTE, offset);
        packet.segment().set(ValueLayout.JAVA_BYTE, offset, (byte) (old ^ mask));
    }

    /** Changes to a valid SEND, and the counter of each. */
    static Stream<Arguments> defects() {
        return Stream.of(
                defect(
                        "no such queue pair",
                        Counter.DROPPED_UNKNOWN_QP,
                        packet -> packet.bth().destinationQpn(4000)),
                defect(
                        "queue pair 0",
                        Counter.DROPPED_UNKNOWN_QP,
                        packet -> packet.bth().destinationQpn(0)),
                defect(
                        "multicast queue pair",
                        Counter.DROPPED_UNKNOWN_QP,
                        packet -> packet.bth().destinationQpn(0xFFFFFF)),
                defect("P_Key", Counter.DROPPED_PKEY, packet -> packet.bth().partitionKey(0x1234)),
                defect(
                        "another source address",
                        Counter.DROPPED_ADDRESS,
                        packet -> packet.ipv4Header()
                                .source((int) Gid.parse("192.0.2.8").low())));
    }

    private static Arguments defect(String name, Counter counter, Consumer<SimPacket> change) {
        return argumentSet(name, counter, change);
    }

    @ParameterizedTest
    @MethodSource("defects")
    void dropsAndCountsAPacketThatIsNotForIt(Counter counter, Consumer<SimPacket> change) {
        peer.sends(Opcode.RC_SEND_ONLY, 100, 5, change);
        assertDropped(counter);
    }

    private void assertDropped(Counter counter) {
        assertThat(node.count(counter)).isEqualTo(1);
        assertThat(node.count(Counter.RCVD_PKTS)).isZero();
        assertThat(peer.received()).isEmpty();
        assertThat(endpoint.receives()).isEmpty();
        assertThat(endpoint.state()).isEqualTo(QpState.RTS);
        // A correct packet is still accepted.
        peer.asks(Opcode.RC_SEND_ONLY, 100, 5);
        assertThat(peer.received()).containsExactly("ACK 100 msn 1");
    }

    @Test
    void aLimitedMemberOfThePartitionIsWelcome() {
        peer.sends(Opcode.RC_SEND_ONLY, 100, 5, packet -> packet.bth().partitionKey(0x7FFF));
        assertThat(endpoint.receives()).hasSize(1);
    }

    /** A receiver must ignore these bits. */
    @Test
    void migrationAndCongestionBitsAreIgnored() {
        peer.sends(Opcode.RC_SEND_ONLY, 100, 5, packet -> {
            flip(packet, packet.bthOffset() + 1L, 0x40);
            flip(packet, packet.bthOffset() + 4L, 0xFF);
            flip(packet, packet.bthOffset() + 8L, 0x7F);
        });
        assertThat(endpoint.receives()).hasSize(1);
    }

    /** Bits of a packet received from a wire, by their offset from the transport header. */
    static Stream<Arguments> corruptions() {
        return Stream.of(
                argumentSet("payload", 12, 1, Counter.DROPPED_ICRC),
                argumentSet("PSN", 11, 1, Counter.DROPPED_ICRC),
                argumentSet("ICRC", 12 + 8, 0x80, Counter.DROPPED_ICRC),
                argumentSet("opcode to an unknown one", 0, 0x1F ^ 0x04, Counter.DROPPED_MALFORMED),
                argumentSet("transport version", 1, 0x01, Counter.DROPPED_MALFORMED));
    }

    @ParameterizedTest
    @MethodSource("corruptions")
    void dropsAndCountsACorruptedPacket(int offset, int mask, Counter counter) {
        peer.sendsSealed(Opcode.RC_SEND_ONLY, 100, 5, packet -> {
            flip(packet, packet.bthOffset() + (long) offset, mask);
            packet.trusted(false);
        });
        assertDropped(counter);
    }

    @Test
    void anIntactPacketFromAWireIsTaken() {
        peer.sendsSealed(Opcode.RC_SEND_ONLY, 100, 5, packet -> packet.trusted(false));
        assertThat(endpoint.receives()).hasSize(1);
    }

    @Test
    void aPacketOfAnotherTransportIsDropped() {
        peer.sends(Opcode.UC_SEND_ONLY, 100, 5);
        peer.sends(Opcode.UD_SEND_ONLY, 100, 5);
        assertThat(node.count(Counter.DROPPED_WRONG_TRANSPORT)).isEqualTo(2);
        assertThat(endpoint.receives()).isEmpty();
    }

    @Test
    void aStateThatDoesNotTakeItDropsIt() throws VerbsException {
        Endpoint early = node.endpoint();
        early.connect(peer, Connection.USUAL);
        early.qp().modify(QpAttributes.reset());
        peer.sends(Opcode.RC_SEND_ONLY, 100, 5);
        early.qp().modify(Connection.USUAL.toInit());
        peer.sends(Opcode.RC_SEND_ONLY, 100, 5);
        early.qp().modify(Connection.USUAL.toRtr(peer.address(), ScriptedPeer.QPN));
        // No request was sent in RTR, so there is none to acknowledge.
        peer.acknowledges(200);
        assertThat(node.count(Counter.DROPPED_QP_STATE)).isEqualTo(3);
    }
}
