// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.hostile;

import dev.verbena.sim.counters.Counter;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.wire.Aeth;
import dev.verbena.wire.Opcode;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** Answers to a SEND or a READ that is outstanding. */
class ResponseMatrixTest extends DropMatrix {
    /** A row of an answer to a SEND with PSN 200. */
    private static Arguments answer(
            String name, PeerAction action, String answers, String seen, QpState state, Counter counter) {
        PeerAction all = bed -> {
            bed.connected(ALL).endpoint.send(1, 0, 4);
            bed.peer.received();
            action.happens(bed);
        };
        return row(name, QpType.RC, all, answers, seen, "", state, counter);
    }

    private static Arguments answer(String name, int syndrome, String status, QpState state, Counter counter) {
        return answer(name, bed -> bed.peer.answers(syndrome, OUT), "", status, state, counter);
    }

    private static Arguments badAnswer(String name, Opcode opcode) {
        return answer(
                name, bed -> bed.peer.responds(opcode, OUT, 0), "", "BAD_RESP_ERR 1", QpState.ERR, Counter.RCVD_PKTS);
    }

    /** A row of an answer to a READ of 300 bytes with PSN 200. */
    private static Arguments readAnswer(
            String name, PeerAction action, String answers, String seen, QpState state, Counter counter) {
        PeerAction all = bed -> {
            bed.connected(ALL);
            bed.endpoint.post(wr -> wr.rdmaRead(0, 1).id(1).signaled().sge(bed.node.region(), 0, MTU + 44));
            bed.peer.received();
            action.happens(bed);
        };
        return row(name, QpType.RC, all, answers, seen, "", state, counter);
    }

    static Stream<Arguments> rows() {
        String again = "RDMA_READ_REQUEST 200 of 0 bytes to 0x0 key 0x1 length 300 A";
        return Stream.of(
                answer("ACK with credits", 0x05, "SEND 1", QpState.RTS, Counter.RCVD_PKTS),
                answer(
                        "ACK of a packet that was never sent",
                        bed -> bed.peer.acknowledges(OUT + 50),
                        "",
                        "",
                        QpState.RTS,
                        Counter.DROPPED_RESPONSE),
                answer(
                        "NAK of a sequence error",
                        bed -> bed.peer.answers(Aeth.NAK_PSN_SEQUENCE, OUT),
                        "SEND_ONLY 200 of 4 bytes A",
                        "",
                        QpState.RTS,
                        Counter.RCVD_SEQ_ERR),
                answer(
                        "NAK of a sequence error at the second packet",
                        bed -> {
                            bed.endpoint.send(2, 0, 4);
                            bed.peer.received();
                            bed.peer.answers(Aeth.NAK_PSN_SEQUENCE, OUT + 1);
                        },
                        "SEND_ONLY 201 of 4 bytes A",
                        "SEND 1",
                        QpState.RTS,
                        Counter.RCVD_SEQ_ERR),
                answer("NAK 0x61", 0x61, "REM_INV_REQ_ERR 1", QpState.ERR, Counter.RCVD_PKTS),
                answer("NAK 0x62", 0x62, "REM_ACCESS_ERR 1", QpState.ERR, Counter.RCVD_PKTS),
                answer("NAK 0x63", 0x63, "REM_OP_ERR 1", QpState.ERR, Counter.RCVD_PKTS),
                answer("NAK 0x64", 0x64, "REM_OP_ERR 1", QpState.ERR, Counter.RCVD_PKTS),
                answer("NAK 0x6F", 0x6F, "REM_OP_ERR 1", QpState.ERR, Counter.RCVD_PKTS),
                answer("RNR NAK", 0x2E, "", QpState.RTS, Counter.RCVD_RNR_ERR),
                answer("syndrome 0x40", 0x40, "BAD_RESP_ERR 1", QpState.ERR, Counter.RCVD_PKTS),
                answer("syndrome 0x80", 0x80, "BAD_RESP_ERR 1", QpState.ERR, Counter.RCVD_PKTS),
                answer("syndrome 0xA0", 0xA0, "BAD_RESP_ERR 1", QpState.ERR, Counter.RCVD_PKTS),
                badAnswer("READ response to a SEND", Opcode.RC_RDMA_READ_RESPONSE_ONLY),
                badAnswer("middle of a READ response to a SEND", Opcode.RC_RDMA_READ_RESPONSE_MIDDLE),
                badAnswer("atomic acknowledgement of a SEND", Opcode.RC_ATOMIC_ACKNOWLEDGE),
                readAnswer(
                        "ACK of a READ, as a duplicate before it would have",
                        bed -> bed.peer.acknowledges(OUT),
                        "",
                        "",
                        QpState.RTS,
                        Counter.DROPPED_RESPONSE),
                readAnswer(
                        "READ response too short",
                        bed -> bed.peer.responds(Opcode.RC_RDMA_READ_RESPONSE_FIRST, OUT, MTU - 1),
                        "",
                        "LOC_LEN_ERR 1",
                        QpState.ERR,
                        Counter.RCVD_PKTS),
                readAnswer(
                        "READ response too long",
                        bed -> {
                            bed.peer.responds(Opcode.RC_RDMA_READ_RESPONSE_FIRST, OUT, MTU);
                            bed.peer.responds(Opcode.RC_RDMA_READ_RESPONSE_LAST, OUT + 1, 45);
                        },
                        "",
                        "LOC_LEN_ERR 1",
                        QpState.ERR,
                        Counter.RCVD_PKTS),
                readAnswer(
                        "last READ response without the first",
                        bed -> bed.peer.responds(Opcode.RC_RDMA_READ_RESPONSE_LAST, OUT + 1, 44),
                        again,
                        "",
                        QpState.RTS,
                        Counter.COMPLETER_RETRY_ERR),
                readAnswer(
                        "NAK in the middle of a READ response",
                        bed -> {
                            bed.peer.responds(Opcode.RC_RDMA_READ_RESPONSE_FIRST, OUT, MTU);
                            bed.peer.answers(Aeth.NAK_REMOTE_ACCESS, OUT + 1);
                        },
                        "",
                        "REM_ACCESS_ERR 1",
                        QpState.ERR,
                        Counter.RCVD_PKTS),
                row(
                        "ACK of nothing",
                        QpType.RC,
                        bed -> bed.connected(ALL).peer.acknowledges(OUT),
                        "",
                        "",
                        "",
                        QpState.RTS,
                        Counter.DROPPED_RESPONSE));
    }
}
