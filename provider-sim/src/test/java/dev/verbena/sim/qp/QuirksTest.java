// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.qp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.verbena.sim.fixture.Connection;
import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.sim.fixture.Lab;
import dev.verbena.sim.fixture.Node;
import dev.verbena.sim.fixture.ScriptedPeer;
import dev.verbena.sim.profile.Quirk;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.AckTimeout;
import dev.verbena.verbs.RnrRetryCount;
import dev.verbena.verbs.RnrTimer;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletions;
import dev.verbena.wire.Aeth;
import dev.verbena.wire.Feth;
import dev.verbena.wire.Opcode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The effect of each quirk of a reliable connection: the same events happen to a device with it and to one without. */
class QuirksTest {
    private static final int MTU = 256;
    private static final int IN = 100;
    private static final int OUT = 200;

    /** Events of a queue pair, and their effects. */
    private interface Story {
        void happens(Stage stage) throws VerbsException;
    }

    /** A queue pair, its peer, and the effects. */
    private static final class Stage {
        private final Node node;
        private final ScriptedPeer peer;
        private final Lab lab;
        private final Endpoint endpoint;
        private final List<String> seen = new ArrayList<>();

        Stage(Lab lab, Set<Quirk> quirks) throws VerbsException {
            this.lab = lab;
            node = lab.node(
                    "sim0",
                    "192.0.2.1",
                    profile -> profile.toBuilder()
                            .with(quirks.toArray(new Quirk[0]))
                            .build());
            peer = lab.scriptedPeer("192.0.2.9");
            endpoint = node.endpoint();
        }

        void connect() throws VerbsException {
            connect(Connection.USUAL
                    .readDepth(2)
                    .granting(
                            AccessFlag.REMOTE_WRITE,
                            AccessFlag.REMOTE_READ,
                            AccessFlag.REMOTE_ATOMIC,
                            AccessFlag.FLUSH_GLOBAL));
        }

        void connect(Connection connection) throws VerbsException {
            endpoint.connect(peer, connection);
        }

        /** Takes the packets, completions and events since the last time. */
        void look() {
            seen.addAll(peer.received());
            seen.addAll(endpoint.sends());
            seen.addAll(endpoint.receives());
            seen.addAll(node.events());
        }

        void lengthAndImmediate() {
            lab.settle();
            WorkCompletions batch = endpoint.qp().sendCq().newCompletions(4);
            endpoint.qp().sendCq().poll(batch);
            for (int i = 0; i < batch.count(); i++) {
                boolean tells = batch.get(i).hasImmediateData();
                seen.add(batch.get(i).byteLength() + " bytes, immediate " + tells);
            }
        }

        long address() {
            return node.region().address();
        }

        int rkey() {
            return node.region().rkey();
        }
    }

    private static Arguments row(Quirk quirk, Story story, List<String> without, List<String> with) {
        return argumentSet(quirk.name(), quirk, story, without, with);
    }

    static Stream<Arguments> rows() {
        return Stream.of(
                row(
                        Quirk.RETRIES_FOR_EVER,
                        QuirksTest::thePeerIsSilent,
                        List.of("8 packets or less", "RETRY_EXC_ERR 1"),
                        List.of("more than 8 packets")),
                row(
                        Quirk.SENDS_DURING_RNR_WAIT,
                        QuirksTest::thePeerHasNoReceive,
                        List.of("SEND_ONLY 200 of 5 bytes A"),
                        List.of("SEND_ONLY 200 of 5 bytes A", "SEND_ONLY 201 of 5 bytes A")),
                row(
                        Quirk.GHOST_ACK_COMPLETES,
                        QuirksTest::somethingUnsentIsAcknowledged,
                        List.of("SEND_ONLY 200 of 5 bytes A"),
                        List.of("SEND_ONLY 200 of 5 bytes A", "SEND 1")),
                row(
                        Quirk.ACK_COMPLETES_READ,
                        QuirksTest::aReadIsAcknowledged,
                        List.of("RDMA_READ_REQUEST 200 of 0 bytes to 0x0 key 0x1 length 5 A"),
                        List.of("RDMA_READ_REQUEST 200 of 0 bytes to 0x0 key 0x1 length 5 A", "RDMA_READ 1")),
                row(
                        Quirk.BAD_RESPONSE_SUCCEEDS,
                        QuirksTest::anAnswerMakesNoSense,
                        List.of("SEND_ONLY 200 of 5 bytes A", "BAD_RESP_ERR 1"),
                        List.of("SEND_ONLY 200 of 5 bytes A", "SEND 1")),
                row(
                        Quirk.UNEXPECTED_READ_RESPONSE_IS_FATAL,
                        QuirksTest::aSendIsAnsweredByData,
                        List.of("SEND_ONLY 200 of 5 bytes A", "BAD_RESP_ERR 1"),
                        List.of("SEND_ONLY 200 of 5 bytes A", "FATAL_ERR 1")),
                row(
                        Quirk.SEND_COMPLETION_HAS_LENGTH,
                        QuirksTest::aSendHasImmediateData,
                        List.of("0 bytes, immediate false"),
                        List.of("5 bytes, immediate false")),
                row(
                        Quirk.SEND_COMPLETION_HAS_IMMEDIATE_FLAG,
                        QuirksTest::aSendHasImmediateData,
                        List.of("0 bytes, immediate false"),
                        List.of("0 bytes, immediate true")),
                row(
                        Quirk.ACKS_EVERY_DUPLICATE,
                        QuirksTest::aMessageIsRepeated,
                        List.of("ACK 101 msn 1", "RECV 1 of 261 bytes", "ACK 101 msn 1"),
                        List.of("ACK 101 msn 1", "RECV 1 of 261 bytes", "ACK 101 msn 1", "ACK 101 msn 1")),
                row(
                        Quirk.DUPLICATE_ACK_UNINITIALIZED,
                        QuirksTest::somethingOldComesFirst,
                        List.of("ACK 99 msn 0"),
                        List.of("ACK 16777215 msn 0")),
                row(
                        Quirk.DUPLICATE_ACK_COUNTS_ATOMICS,
                        QuirksTest::aMessageBeforeAnAtomicIsRepeated,
                        List.of("ACK 100 msn 2"),
                        List.of("ACK 101 msn 2")),
                row(
                        Quirk.REPEATED_READ_CONTINUES,
                        QuirksTest::aReadIsRepeatedFromItsMiddle,
                        List.of(
                                "RDMA_READ_RESPONSE_FIRST 101 of 256 bytes msn 1",
                                "RDMA_READ_RESPONSE_LAST 102 of 256 bytes msn 1",
                                "RDMA_READ_RESPONSE_FIRST 100 of 256 bytes msn 1",
                                "RDMA_READ_RESPONSE_MIDDLE 101 of 256 bytes",
                                "RDMA_READ_RESPONSE_LAST 102 of 256 bytes msn 1"),
                        List.of(
                                "RDMA_READ_RESPONSE_MIDDLE 101 of 256 bytes",
                                "RDMA_READ_RESPONSE_LAST 102 of 256 bytes msn 1",
                                "RDMA_READ_RESPONSE_FIRST 100 of 256 bytes msn 1",
                                "RDMA_READ_RESPONSE_MIDDLE 101 of 256 bytes",
                                "RDMA_READ_RESPONSE_LAST 102 of 256 bytes msn 1")),
                row(
                        Quirk.REPEATED_READ_NARROWS,
                        QuirksTest::aReadIsRepeatedFromItsMiddle,
                        List.of(
                                "RDMA_READ_RESPONSE_FIRST 101 of 256 bytes msn 1",
                                "RDMA_READ_RESPONSE_LAST 102 of 256 bytes msn 1",
                                "RDMA_READ_RESPONSE_FIRST 100 of 256 bytes msn 1",
                                "RDMA_READ_RESPONSE_MIDDLE 101 of 256 bytes",
                                "RDMA_READ_RESPONSE_LAST 102 of 256 bytes msn 1"),
                        List.of(
                                "RDMA_READ_RESPONSE_FIRST 101 of 256 bytes msn 1",
                                "RDMA_READ_RESPONSE_LAST 102 of 256 bytes msn 1")),
                row(
                        Quirk.REPEATED_FLUSH_DROPPED,
                        QuirksTest::aFlushIsRepeated,
                        List.of(
                                "RDMA_READ_RESPONSE_ONLY 100 of 0 bytes msn 1",
                                "RDMA_READ_RESPONSE_ONLY 100 of 0 bytes msn 1"),
                        List.of("RDMA_READ_RESPONSE_ONLY 100 of 0 bytes msn 1")),
                row(
                        Quirk.BAD_RECEIVE_IS_OPERATION_ERROR,
                        QuirksTest::aReceiveIsTooShort,
                        List.of("NAK(1) 100 msn 0", "LOC_LEN_ERR 1", "QP_REQ_ERR"),
                        List.of("NAK(3) 100 msn 0", "LOC_QP_OP_ERR 1")),
                row(
                        Quirk.REFUSED_WRITE_IS_REMOTE_ACCESS_ERROR,
                        QuirksTest::aWriteIsRefused,
                        List.of("NAK(2) 100 msn 0", "LOC_ACCESS_ERR 1", "QP_ACCESS_ERR"),
                        List.of("NAK(2) 100 msn 0", "REM_ACCESS_ERR 1", "QP_ACCESS_ERR")),
                row(
                        Quirk.FAILED_INVALIDATE_ACKNOWLEDGED,
                        QuirksTest::aKeyCannotBeInvalidated,
                        List.of("NAK(3) 100 msn 0", "LOC_QP_OP_ERR 1"),
                        List.of("ACK 100 msn 0", "REM_INV_REQ_ERR 1")),
                row(
                        Quirk.NO_REQUEST_ERROR_EVENT,
                        QuirksTest::aRequestIsInvalid,
                        List.of("NAK(1) 100 msn 0", "QP_REQ_ERR"),
                        List.of("NAK(1) 100 msn 0")),
                row(
                        Quirk.GRH_FLAG_ON_CONNECTED,
                        QuirksTest::aMessageArrives,
                        List.of("GRH false"),
                        List.of("GRH true")));
    }

    private static void thePeerIsSilent(Stage stage) throws VerbsException {
        stage.connect(Connection.USUAL.timeout(AckTimeout.ofCode(1), 7));
        stage.endpoint.send(1, 0, 5);
        stage.lab.run(Duration.ofMillis(1));
        stage.seen.add(stage.peer.received().size() > 8 ? "more than 8 packets" : "8 packets or less");
        stage.seen.addAll(stage.endpoint.sends());
    }

    private static void thePeerHasNoReceive(Stage stage) throws VerbsException {
        stage.connect(Connection.USUAL.rnr(RnrRetryCount.FOREVER, RnrTimer.ofCode(31)));
        stage.endpoint.send(1, 0, 5);
        stage.peer.answers(Aeth.RNR | 31, OUT);
        stage.endpoint.send(2, 0, 5);
        stage.look();
    }

    private static void somethingUnsentIsAcknowledged(Stage stage) throws VerbsException {
        stage.connect();
        stage.endpoint.send(1, 0, 5);
        stage.peer.acknowledges(OUT + 7);
        stage.look();
    }

    private static void aReadIsAcknowledged(Stage stage) throws VerbsException {
        stage.connect();
        stage.endpoint.post(wr -> wr.rdmaRead(0, 1).id(1).signaled().sge(stage.node.region(), 0, 5));
        stage.peer.acknowledges(OUT);
        stage.look();
    }

    private static void anAnswerMakesNoSense(Stage stage) throws VerbsException {
        stage.connect();
        stage.endpoint.send(1, 0, 5);
        stage.peer.answers(0x40, OUT);
        stage.look();
    }

    private static void aSendIsAnsweredByData(Stage stage) throws VerbsException {
        stage.connect();
        stage.endpoint.send(1, 0, 5);
        stage.peer.responds(Opcode.RC_RDMA_READ_RESPONSE_ONLY, OUT, 5);
        stage.look();
    }

    private static void aSendHasImmediateData(Stage stage) throws VerbsException {
        stage.connect();
        stage.endpoint.post(wr -> wr.sendWithImmediate(7).id(1).signaled().sge(stage.node.region(), 0, 5));
        stage.peer.acknowledges(OUT);
        stage.lengthAndImmediate();
    }

    private static void aMessageIsRepeated(Stage stage) throws VerbsException {
        stage.connect();
        stage.endpoint.receive(1, 0, 2 * MTU);
        for (int time = 0; time < 2; time++) {
            stage.peer.sends(Opcode.RC_SEND_FIRST, IN, MTU);
            stage.peer.asks(Opcode.RC_SEND_LAST, IN + 1, 5);
            stage.look();
        }
    }

    private static void aMessageBeforeAnAtomicIsRepeated(Stage stage) throws VerbsException {
        stage.connect();
        stage.endpoint.receive(1, 64, 64);
        stage.peer.asks(Opcode.RC_SEND_ONLY, IN, 5);
        stage.peer.atomic(Opcode.RC_FETCH_ADD, IN + 1, stage.address(), stage.rkey(), 0, 1);
        stage.peer.received();
        stage.endpoint.receives();
        stage.peer.asks(Opcode.RC_SEND_ONLY, IN, 5);
        stage.look();
    }

    private static void somethingOldComesFirst(Stage stage) throws VerbsException {
        stage.connect();
        stage.peer.asks(Opcode.RC_SEND_ONLY, IN - 1, 5);
        stage.look();
    }

    private static void aReadIsRepeatedFromItsMiddle(Stage stage) throws VerbsException {
        stage.connect();
        stage.peer.reads(IN, stage.address(), stage.rkey(), 3 * MTU);
        stage.peer.received();
        stage.peer.reads(IN + 1, stage.address() + MTU, stage.rkey(), 2 * MTU);
        stage.look();
        stage.peer.reads(IN, stage.address(), stage.rkey(), 3 * MTU);
        stage.look();
    }

    private static void aFlushIsRepeated(Stage stage) throws VerbsException {
        stage.connect();
        for (int time = 0; time < 2; time++) {
            stage.peer.sends(Opcode.RC_FLUSH, IN, 0, packet -> {
                packet.feth().initialize(Feth.RANGE, Feth.GLOBAL_VISIBILITY);
                packet.reth()
                        .virtualAddress(stage.address())
                        .remoteKey(stage.rkey())
                        .dmaLength(5);
            });
            stage.look();
        }
    }

    private static void aReceiveIsTooShort(Stage stage) throws VerbsException {
        stage.connect();
        stage.endpoint.receive(1, 0, 4);
        stage.peer.sends(Opcode.RC_SEND_ONLY, IN, 5);
        stage.look();
    }

    private static void aWriteIsRefused(Stage stage) throws VerbsException {
        stage.connect();
        stage.endpoint.receive(1, 0, 4);
        stage.peer.writes(Opcode.RC_RDMA_WRITE_ONLY_WITH_IMMEDIATE, IN, 5, stage.address(), stage.rkey() + 0x100, 5);
        stage.look();
    }

    private static void aKeyCannotBeInvalidated(Stage stage) throws VerbsException {
        stage.connect();
        stage.endpoint.receive(1, 0, 5);
        stage.peer.sends(
                Opcode.RC_SEND_ONLY_WITH_INVALIDATE,
                IN,
                5,
                packet -> packet.ieth().remoteKey(0xBAD00));
        stage.look();
    }

    private static void aRequestIsInvalid(Stage stage) throws VerbsException {
        stage.connect();
        stage.peer.sends(Opcode.RC_SEND_LAST, IN, 5);
        stage.look();
    }

    private static void aMessageArrives(Stage stage) throws VerbsException {
        stage.connect();
        stage.endpoint.receive(1, 0, 5);
        stage.peer.sends(Opcode.RC_SEND_ONLY, IN, 5);
        stage.lab.settle();
        WorkCompletions batch = stage.endpoint.qp().receiveCq().newCompletions(1);
        stage.endpoint.qp().receiveCq().poll(batch);
        stage.seen.add("GRH " + batch.get(0).hasGlobalRoute());
    }

    @ParameterizedTest
    @MethodSource("rows")
    void aQuirkChangesTheEffects(Quirk quirk, Story story, List<String> without, List<String> with)
            throws VerbsException {
        assertThat(seen(story, Set.of())).as("without").isEqualTo(without);
        assertThat(seen(story, Set.of(quirk))).as("with").isEqualTo(with);
    }

    private static List<String> seen(Story story, Set<Quirk> quirks) throws VerbsException {
        try (Lab lab = new Lab()) {
            Stage stage = new Stage(lab, quirks);
            story.happens(stage);
            return stage.seen;
        }
    }
}
