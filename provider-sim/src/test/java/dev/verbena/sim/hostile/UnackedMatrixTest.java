// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.hostile;

import dev.verbena.sim.counters.Counter;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.wire.Opcode;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** Messages to unreliable connections and datagrams. */
class UnackedMatrixTest extends DropMatrix {
    private static Arguments unacked(String name, QpType type, PeerAction action, String seen, Counter counter) {
        return row(name, type, action, "", seen, "", QpState.RTS, counter);
    }

    static Stream<Arguments> rows() {
        return Stream.of(
                unacked(
                        "UC LAST without FIRST",
                        QpType.UC,
                        bed -> usual(bed).peer.sends(Opcode.UC_SEND_LAST, IN, 4),
                        "",
                        Counter.DROPPED_INCOMPLETE),
                unacked(
                        "UC PSN gap in a message, then another message",
                        QpType.UC,
                        bed -> {
                            usual(bed).peer.sends(Opcode.UC_SEND_FIRST, IN, MTU);
                            bed.peer.sends(Opcode.UC_SEND_LAST, IN + 2, 4);
                            bed.peer.sends(Opcode.UC_SEND_ONLY, IN + 3, 8);
                        },
                        "RECV 1 of 8 bytes",
                        Counter.DROPPED_INCOMPLETE),
                unacked(
                        "UC no receive",
                        QpType.UC,
                        bed -> bed.connected(ALL).peer.sends(Opcode.UC_SEND_ONLY, IN, 4),
                        "",
                        Counter.DROPPED_NO_RECEIVE),
                unacked(
                        "UC FIRST shorter than the MTU",
                        QpType.UC,
                        bed -> usual(bed).peer.sends(Opcode.UC_SEND_FIRST, IN, 4),
                        "",
                        Counter.DROPPED_REFUSED),
                unacked(
                        "UC WRITE with an unknown key",
                        QpType.UC,
                        bed -> usual(bed)
                                .peer
                                .writes(Opcode.UC_RDMA_WRITE_ONLY, IN, 4, bed.address(), bed.key() ^ 1, 4),
                        "",
                        Counter.DROPPED_REFUSED),
                unacked(
                        "UC WRITE that the queue pair does not allow",
                        QpType.UC,
                        bed -> bed.connected().receives().writes(Opcode.UC_RDMA_WRITE_ONLY, IN, 4, 4),
                        "",
                        Counter.DROPPED_REFUSED),
                unacked(
                        "UD no receive",
                        QpType.UD,
                        bed -> bed.connected().peer.datagram(QKEY, 4),
                        "",
                        Counter.DROPPED_NO_RECEIVE),
                unacked(
                        "UD longer than the receive",
                        QpType.UD,
                        bed -> {
                            bed.connected().endpoint.receive(1, 0, 43);
                            bed.peer.datagram(QKEY, 4);
                        },
                        "LOC_LEN_ERR 1",
                        Counter.DROPPED_REFUSED));
    }
}
