// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.states;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.sim.fixture.OneDevice;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.ReceiveRequests;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.SrqInitAttributes;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.Opcode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The asynchronous events of a queue pair, with its state at that time (IBTA volume 1, 11.6.3). */
class AsyncEventsTest extends OneDevice {
    /** What happens twice | type | state before | event or none | state after. */
    private static final String TABLE = """
        request         | RC | RTR | COMM_EST | RTR
        request         | UC | RTR | COMM_EST | RTR
        request         | UD | RTR | none                      | RTR
        request         | RC | RTS | none                      | RTS
        request         | UC | RTS | none                      | RTS
        drain           | RC | RTS | SQ_DRAINED                | SQD
        drain           | UC | RTS | SQ_DRAINED                | SQD
        drain           | UD | RTS | SQ_DRAINED                | SQD
        bad send        | RC | RTS | none                      | ERR
        bad send        | UC | RTS | none                      | SQE
        bad send        | UD | RTS | none                      | SQE
        invalid request | RC | RTS | QP_REQ_ERR          | ERR
        invalid request | UC | RTS | none                      | RTS
        write, no key   | RC | RTS | QP_ACCESS_ERR           | ERR
        write, no key   | UC | RTS | none                      | RTS
        error           | RC | RTS | none                      | ERR
        error           | UD | RTS | none                      | ERR
        error with SRQ  | RC | RTS | QP_LAST_WQE_REACHED       | ERR
        error with SRQ  | RC | SQD | QP_LAST_WQE_REACHED       | ERR
        error with SRQ  | RC | INIT | QP_LAST_WQE_REACHED      | ERR
        error with SRQ  | UC | RTS | none                      | ERR
        error with SRQ  | UD | RTS | none                      | ERR
        """;

    static Stream<Arguments> rows() {
        return TABLE.lines().map(line -> {
            String[] cells = line.strip().split(" *\\| *");
            return Arguments.of(
                    cells[0],
                    QpType.valueOf(cells[1]),
                    QpState.valueOf(cells[2]),
                    cells[3].equals("none") ? List.of() : List.of(cells[3]),
                    QpState.valueOf(cells[4]));
        });
    }

    @ParameterizedTest(name = "{0} twice, {1} in {2}: {3}, then {4}")
    @MethodSource("rows")
    void anEventIsRaisedOnceForARepeatedCause(
            String cause, QpType type, QpState state, List<String> expected, QpState then) throws VerbsException {
        Subject subject = new Subject(node, peer, type, cause.equals("error with SRQ") ? sharedQueue() : null);
        subject.to(state);
        node.events();
        List<String> events = new ArrayList<>();
        for (int time = 0; time < 2; time++) {
            bringAbout(cause, subject, time);
            lab.settle();
            events.addAll(node.events());
        }
        assertThat(events).isEqualTo(expected);
        assertThat(subject.endpoint().state()).isEqualTo(then);
    }

    /** Makes a shared receive queue with a receive, which stays there for other queue pairs. */
    private SharedReceiveQueue sharedQueue() throws VerbsException {
        SharedReceiveQueue queue =
                node.domain().createSrq(SrqInitAttributes.builder().maxWr(7).build());
        ReceiveRequests batch = queue.newReceiveRequests(1);
        batch.get(0).id(1).sge(node.region(), 0, Subject.LENGTH);
        queue.postReceive(batch, 0, 1);
        return queue;
    }

    private void bringAbout(String cause, Subject subject, int time) throws VerbsException {
        boolean rc = subject.type() == QpType.RC;
        switch (cause) {
            case "request" -> {
                subject.receive(time);
                subject.request(time);
            }
            case "drain" -> {
                if (time == 0) {
                    QpAttributes toSqd = QpAttributes.builder()
                            .state(QpState.SQD)
                            .enableSqdAsyncNotify(true)
                            .build();
                    subject.endpoint().qp().modify(toSqd);
                } else {
                    subject.modify(QpState.SQD);
                }
            }
            case "bad send" -> subject.failSend();
            case "invalid request" ->
                peer.sends(rc ? Opcode.RC_SEND_LAST : Opcode.UC_SEND_LAST, Subject.FIRST_RECEIVED, 1);
            case "write, no key" ->
                peer.writes(
                        rc ? Opcode.RC_RDMA_WRITE_ONLY : Opcode.UC_RDMA_WRITE_ONLY,
                        Subject.FIRST_RECEIVED,
                        1,
                        0,
                        0x123,
                        1);
            case "error", "error with SRQ" -> subject.modify(QpState.ERR);
            default -> throw new IllegalArgumentException(cause);
        }
    }
}
