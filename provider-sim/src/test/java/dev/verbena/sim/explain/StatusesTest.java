// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.sim.fixture.Connection;
import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.sim.fixture.OneDevice;
import dev.verbena.sim.profile.Quirk;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Explanation;
import dev.verbena.verbs.Hint;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.MemoryWindowBinding;
import dev.verbena.verbs.MemoryWindowType;
import dev.verbena.verbs.RnrRetryCount;
import dev.verbena.verbs.RnrTimer;
import dev.verbena.verbs.RootCause;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WorkCompletionStatus;
import dev.verbena.verbs.WorkCompletions;
import dev.verbena.wire.Aeth;
import dev.verbena.wire.Opcode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Each status that the device reports is provoked, and the completion explains itself. */
class StatusesTest extends OneDevice {
    /**
     * No device has reliable datagrams, management requests, tag matching or vendor errors. {@link
     * RewrittenStatusesTest} reads the explanations of these statuses.
     */
    private static final Set<WorkCompletionStatus> NEVER_GIVEN = EnumSet.of(
            WorkCompletionStatus.LOC_EEC_OP_ERR,
            WorkCompletionStatus.LOC_RDD_VIOL_ERR,
            WorkCompletionStatus.REM_INV_RD_REQ_ERR,
            WorkCompletionStatus.REM_ABORT_ERR,
            WorkCompletionStatus.INV_EECN_ERR,
            WorkCompletionStatus.INV_EEC_STATE_ERR,
            WorkCompletionStatus.RESP_TIMEOUT_ERR,
            WorkCompletionStatus.GENERAL_ERR,
            WorkCompletionStatus.TM_ERR,
            WorkCompletionStatus.TM_RNDV_INCOMPLETE,
            WorkCompletionStatus.UNKNOWN);

    private static final Connection ALL =
            Connection.USUAL.granting(AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC);

    private Endpoint endpoint;

    /** Makes a request complete with a status. */
    interface Provocation {
        void run(StatusesTest test) throws VerbsException;
    }

    /** A status, whether a receive gets it, and the text of the root cause. */
    record Case(WorkCompletionStatus status, boolean receive, String cause, Provocation provocation) {
        @Override
        public String toString() {
            return status.name();
        }
    }

    @BeforeEach
    void prepare() throws VerbsException {
        endpoint = node.endpoint();
        endpoint.connect(peer, ALL);
    }

    private void again(Connection connection) throws VerbsException {
        endpoint = node.endpoint();
        endpoint.connect(peer, connection);
    }

    /** Gives the device a departure from the specification. */
    private void quirk(Quirk quirk) throws VerbsException {
        node = lab.node(
                "soft0", "192.0.2.2", profile -> profile.toBuilder().with(quirk).build());
        again(ALL);
    }

    private static Case ofSend(WorkCompletionStatus status, String cause, Provocation provocation) {
        return new Case(status, false, cause, provocation);
    }

    private static Case ofReceive(WorkCompletionStatus status, String cause, Provocation provocation) {
        return new Case(status, true, cause, provocation);
    }

    private static Case refusedBy(int syndrome, WorkCompletionStatus status, String cause) {
        return ofSend(status, cause, test -> {
            test.endpoint.send(1, 0, 5);
            test.peer.answers(syndrome, 200);
        });
    }

    static Stream<Case> cases() {
        return Stream.concat(sends(), receives());
    }

    private static Stream<Case> sends() {
        return Stream.of(
                refusedBy(Aeth.NAK_INVALID_REQUEST, WorkCompletionStatus.REM_INV_REQ_ERR, "invalid request"),
                refusedBy(Aeth.NAK_REMOTE_ACCESS, WorkCompletionStatus.REM_ACCESS_ERR, "remote access error"),
                refusedBy(Aeth.NAK_REMOTE_OPERATIONAL, WorkCompletionStatus.REM_OP_ERR, "operational"),
                refusedBy(0x40, WorkCompletionStatus.BAD_RESP_ERR, "RC_ACKNOWLEDGE, which matches no request"),
                ofSend(WorkCompletionStatus.LOC_QP_OP_ERR, "max_rd_atomic is 0", test -> {
                    test.again(ALL.readDepth(0));
                    test.endpoint.post(wr -> wr.rdmaRead(0, 1).id(1).sge(test.node.region(), 0, 5));
                }),
                ofSend(WorkCompletionStatus.LOC_PROT_ERR, "belongs to no region", test -> {
                    MemoryRegion region = test.node.domain().registerMemory(test.node.memory(), AccessFlag.LOCAL_WRITE);
                    test.endpoint.post(wr -> wr.rdmaRead(0, 1).id(1).sge(region, 0, 5));
                    region.close();
                    test.peer.responds(Opcode.RC_RDMA_READ_RESPONSE_ONLY, 200, 5);
                }),
                ofSend(WorkCompletionStatus.MW_BIND_ERR, "BIND_MW, REG_MR or LOCAL_INV request was refused", test -> {
                    MemoryRegion region = test.node
                            .domain()
                            .registerMemory(test.node.memory(), AccessFlag.LOCAL_WRITE, AccessFlag.MW_BIND);
                    MemoryWindow window = test.node.domain().allocateMw(MemoryWindowType.TYPE_2);
                    MemoryWindowBinding binding =
                            new MemoryWindowBinding(region, 0, 100, Set.of(AccessFlag.REMOTE_WRITE));
                    int key = window.rkey() + 1;
                    for (int id = 1; id <= 2; id++) {
                        test.endpoint.post(
                                wr -> wr.bindMemoryWindow(window, key, binding).id(1));
                    }
                }),
                ofSend(WorkCompletionStatus.RETRY_EXC_ERR, "retries are used up (PSN 200)", test -> {
                    test.endpoint.send(1, 0, 5);
                    test.lab.run(Duration.ofSeconds(1));
                }),
                ofSend(WorkCompletionStatus.RNR_RETRY_EXC_ERR, "RNR retries are used up (PSN 200)", test -> {
                    test.again(Connection.USUAL.rnr(RnrRetryCount.of(0), RnrTimer.ofCode(1)));
                    test.endpoint.send(1, 0, 5);
                    test.peer.answers(Aeth.RNR | 1, 200);
                }),
                ofSend(WorkCompletionStatus.FATAL_ERR, "RC_RDMA_READ_RESPONSE_ONLY, which matches", test -> {
                    test.quirk(Quirk.UNEXPECTED_READ_RESPONSE_IS_FATAL);
                    test.endpoint.send(1, 0, 5);
                    test.peer.responds(Opcode.RC_RDMA_READ_RESPONSE_ONLY, 200, 5);
                }));
    }

    private static Stream<Case> receives() {
        return Stream.of(
                ofReceive(WorkCompletionStatus.LOC_LEN_ERR, "6 bytes or more arrived for a receive of 5", test -> {
                    test.endpoint.receive(1, 0, 5);
                    test.peer.asks(Opcode.RC_SEND_ONLY, 100, 6);
                }),
                ofReceive(WorkCompletionStatus.LOC_ACCESS_ERR, "belongs to no region or window", test -> {
                    test.endpoint.receive(1, 0, 5);
                    test.peer.sends(
                            Opcode.RC_RDMA_WRITE_ONLY_WITH_IMMEDIATE,
                            100,
                            5,
                            packet -> packet.reth().remoteKey(0x77).dmaLength(5));
                }));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void aFailedCompletionReportsItsCause(Case example) throws VerbsException {
        example.provocation().run(this);
        lab.settle();
        CompletionQueue queue =
                example.receive() ? endpoint.qp().receiveCq() : endpoint.qp().sendCq();
        WorkCompletion completion = completions(queue).stream()
                .filter(candidate -> candidate.status() == example.status())
                .findFirst()
                .orElseThrow();
        Explanation explanation = completion.explain();
        assertThat(explanation.title())
                .startsWith(example.status() + " (" + example.status().code() + ", "
                        + example.status().verbsName())
                .endsWith("of request 1 on QP " + endpoint.qp().number());
        assertThat(explanation.suspects())
                .isNotEmpty()
                .isEqualTo(example.status().suspects());
        assertThat(explanation.facts()).contains("state: ERR");
        RootCause cause = explanation.rootCause().orElseThrow();
        assertThat(cause.description()).contains(example.cause());
        assertThat(cause.failure()).contains(new RootCause.Failure(1, example.status(), example.receive()));
        assertThat(completion.rootCause()).contains(cause);
        assertThat(explanation.toString()).contains("first cause:", cause.toString(), "usual suspects:");
    }

    private static List<WorkCompletion> completions(CompletionQueue queue) {
        WorkCompletions batch = queue.newCompletions(100);
        queue.poll(batch);
        List<WorkCompletion> all = new ArrayList<>();
        for (int i = 0; i < batch.count(); i++) {
            all.add(batch.get(i));
        }
        return all;
    }

    @ParameterizedTest
    @EnumSource(WorkCompletionStatus.class)
    void eachStatusIsProvokedOrNeverGiven(WorkCompletionStatus status) {
        Set<WorkCompletionStatus> provoked =
                EnumSet.of(WorkCompletionStatus.SUCCESS, WorkCompletionStatus.WR_FLUSH_ERR);
        cases().forEach(example -> provoked.add(example.status()));
        assertThat(provoked.contains(status)).isNotEqualTo(NEVER_GIVEN.contains(status));
        assertThat(status.suspects().isEmpty()).isEqualTo(status.isSuccess());
    }

    @Test
    void aFlushedRequestNamesTheOneThatFailedFirst() {
        for (int id = 1; id <= 4; id++) {
            endpoint.send(id, 0, 5);
        }
        endpoint.receive(9, 0, 5);
        peer.answers(Aeth.NAK_REMOTE_ACCESS, 201);
        lab.settle();
        List<WorkCompletion> sends = completions(endpoint.qp().sendCq());
        assertThat(sends)
                .extracting(completion -> completion.workRequestId() + " " + completion.status())
                .containsExactly("1 SUCCESS", "2 REM_ACCESS_ERR", "3 WR_FLUSH_ERR", "4 WR_FLUSH_ERR");
        RootCause.Failure second = new RootCause.Failure(2, WorkCompletionStatus.REM_ACCESS_ERR, false);
        assertThat(sends.get(0).rootCause()).isEmpty();
        assertThat(sends.get(3).rootCause().orElseThrow().failure()).contains(second);
        WorkCompletion receive = completions(endpoint.qp().receiveCq()).getFirst();
        assertThat(receive.rootCause().orElseThrow().failure()).contains(second);
        assertThat(receive.explain().toString())
                .contains("send 2 failed with REM_ACCESS_ERR: the peer refused the request: NAK remote access error");
    }

    @Test
    void aRequestThatTheProgramFlushedSaysSo() throws VerbsException {
        endpoint.receive(1, 0, 5);
        endpoint.fail();
        lab.settle();
        Explanation explanation =
                completions(endpoint.qp().receiveCq()).getFirst().explain();
        assertThat(explanation.has(Hint.TAKEN_TO_ERROR)).isTrue();
        assertThat(explanation.rootCause().orElseThrow().failure()).isEmpty();
    }

    @Test
    void aRequestFlushedByAMistakeOfThePeerReportsTheMistake() {
        endpoint.receive(1, 0, 5);
        peer.reads(100, 0, 0x77, 5);
        lab.settle();
        RootCause cause =
                completions(endpoint.qp().receiveCq()).getFirst().rootCause().orElseThrow();
        assertThat(cause.failure()).isEmpty();
        assertThat(cause)
                .hasToString("the peer requested access that is not granted: 5 bytes at 0x0 with [REMOTE_READ] by"
                        + " key 0x77, which belongs to no region or window, or no longer does (PSN 100)");
    }

    @Test
    void theCauseThatSoftRoceHidesIsReported() throws VerbsException {
        quirk(Quirk.FAILING_SEND_IS_FLUSHED);
        endpoint = node.endpoint();
        endpoint.connect(peer, ALL.readDepth(0));
        endpoint.post(wr -> wr.rdmaRead(0, 1).id(1).sge(node.region(), 0, 5));
        lab.settle();
        WorkCompletion completion = completions(endpoint.qp().sendCq()).getFirst();
        assertThat(completion.status()).isEqualTo(WorkCompletionStatus.WR_FLUSH_ERR);
        assertThat(completion.explain().has(Hint.MAX_RD_ATOMIC_0)).isTrue();
    }

    @Test
    void aSuccessIsExplainedByTheStateOfItsQueuePair() {
        endpoint.send(1, 0, 5);
        peer.acknowledges(200);
        WorkCompletion completion = completions(endpoint.qp().sendCq()).getFirst();
        assertThat(completion.explain().facts()).contains("state: RTS");
        assertThat(completion.explain().suspects()).isEmpty();
    }

    @Test
    void aCompletionOfAQueuePairThatIsClosedKeepsTheUsualSuspects() throws VerbsException {
        endpoint.send(1, 0, 5);
        endpoint.fail();
        lab.settle();
        WorkCompletion completion = completions(endpoint.qp().sendCq()).getFirst();
        endpoint.qp().close();
        assertThat(completion.rootCause()).isEmpty();
        assertThat(completion.explain()).isEqualTo(Explanation.ofStatus(completion));
    }
}
