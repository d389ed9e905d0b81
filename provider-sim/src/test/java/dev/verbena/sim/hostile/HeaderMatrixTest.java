// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.hostile;

import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.sim.fixture.Connection;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.wire.Opcode;
import java.lang.foreign.ValueLayout;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** Packets that fail a check of the headers, in the order of these checks, and fields that are not checked. */
class HeaderMatrixTest extends DropMatrix {
    /** A row of a request without any effect. */
    private static Arguments dropped(String name, Counter counter, Consumer<SimPacket> change) {
        PeerAction action = bed -> usual(bed).peer.sends(Opcode.RC_SEND_ONLY, IN, 4, packet -> {
            packet.trusted(false);
            packet.bth().ackRequest(true);
            change.accept(packet);
        });
        return row(name, QpType.RC, action, "", "", "", QpState.RTS, counter);
    }

    private static Arguments taken(String name, Consumer<SimPacket> change) {
        PeerAction action = bed -> usual(bed).peer.sends(Opcode.RC_SEND_ONLY, IN, 4, packet -> {
            packet.trusted(false);
            packet.bth().ackRequest(true);
            change.accept(packet);
        });
        return row(name, QpType.RC, action, "ACK 100 msn 1", "RECV 1 of 4 bytes", "", QpState.RTS, Counter.RCVD_PKTS);
    }

    static Stream<Arguments> rows() {
        return Stream.of(
                dropped("unknown opcode", Counter.DROPPED_MALFORMED, packet -> put(packet, 28, 0x15)),
                dropped(
                        "transport version",
                        Counter.DROPPED_MALFORMED,
                        packet -> packet.bth().transportVersion(1)),
                dropped("pad without payload", Counter.DROPPED_MALFORMED, packet -> {
                    packet.payloadLength(0);
                    packet.bth().padCount(3);
                }),
                dropped(
                        "queue pair 0",
                        Counter.DROPPED_UNKNOWN_QP,
                        packet -> packet.bth().destinationQpn(0)),
                dropped(
                        "no such queue pair",
                        Counter.DROPPED_UNKNOWN_QP,
                        packet -> packet.bth().destinationQpn(4000)),
                dropped(
                        "another source",
                        Counter.DROPPED_ADDRESS,
                        packet -> packet.ipv4Header()
                                .source((int) Gid.parse("192.0.2.8").low())),
                dropped("P_Key", Counter.DROPPED_PKEY, packet -> packet.bth().partitionKey(0x1234)),
                taken("P_Key of a limited member", packet -> packet.bth().partitionKey(0x7FFF)),
                taken("migration request", packet -> packet.bth().migrationRequest(true)),
                taken("congestion seen", packet -> packet.bth().fecn(true).becn(true)),
                taken("any source port", packet -> packet.udpHeader().sourcePort(1)),
                row(
                        "ICRC",
                        QpType.RC,
                        bed -> usual(bed).peer.sendsSealed(Opcode.RC_SEND_ONLY, IN, 4, packet -> {
                            packet.trusted(false);
                            packet.icrc(~packet.icrc());
                        }),
                        "",
                        "",
                        "",
                        QpState.RTS,
                        Counter.DROPPED_ICRC),
                row(
                        "a UC packet for RC",
                        QpType.RC,
                        bed -> usual(bed).peer.asks(Opcode.UC_SEND_ONLY, IN, 4),
                        "",
                        "",
                        "",
                        QpState.RTS,
                        Counter.DROPPED_WRONG_TRANSPORT),
                row(
                        "a congestion notification",
                        QpType.RC,
                        bed -> usual(bed).peer.sends(Opcode.CNP, 0, 16),
                        "",
                        "",
                        "",
                        QpState.RTS,
                        Counter.DROPPED_CNP),
                row(
                        "Q_Key",
                        QpType.UD,
                        bed -> usual(bed).peer.datagram(QKEY + 1, 4),
                        "",
                        "",
                        "",
                        QpState.RTS,
                        Counter.DROPPED_QKEY),
                row(
                        "not ready",
                        QpType.RC,
                        bed -> {
                            bed.peer.talksTo(bed.endpoint);
                            bed.endpoint.qp().modify(Connection.USUAL.toInit());
                            bed.peer.asks(Opcode.RC_SEND_ONLY, IN, 4);
                        },
                        "",
                        "",
                        "",
                        QpState.INIT,
                        Counter.DROPPED_QP_STATE),
                row(
                        "failed",
                        QpType.RC,
                        bed -> {
                            usual(bed).endpoint.fail();
                            bed.peer.asks(Opcode.RC_SEND_ONLY, IN, 4);
                        },
                        "",
                        ENDED,
                        "",
                        QpState.ERR,
                        Counter.DROPPED_FAILED_QP));
    }

    private static void put(SimPacket packet, long offset, int value) {
        packet.segment().set(ValueLayout.JAVA_BYTE, offset, (byte) value);
    }
}
