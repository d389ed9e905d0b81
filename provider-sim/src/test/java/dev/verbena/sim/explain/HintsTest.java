// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.sim.fixture.Connection;
import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.sim.fixture.Node;
import dev.verbena.sim.fixture.OneDevice;
import dev.verbena.sim.fixture.ScriptedPeer;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.AckTimeout;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.AddressVector;
import dev.verbena.verbs.Explanation;
import dev.verbena.verbs.Finding;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.Hint;
import dev.verbena.verbs.MemoryLifetime;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MrInitAttributes;
import dev.verbena.verbs.PathMtu;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.RnrRetryCount;
import dev.verbena.verbs.RnrTimer;
import dev.verbena.verbs.SrqInitAttributes;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.Aeth;
import dev.verbena.wire.Opcode;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Each hint is provoked by its mistake, and read from the explanation of the queue pair. */
class HintsTest extends OneDevice {
    private static final int MTU = 256;
    private static final int QKEY = 0x1234;
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Connection ALL =
            Connection.USUAL.granting(AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC);

    private Endpoint endpoint;

    /** Makes the mistake. */
    interface Mistake {
        void make(HintsTest test) throws VerbsException;
    }

    /** A mistake, and the text that the observation must contain. */
    record Case(Hint hint, String seen, Mistake mistake) {
        @Override
        public String toString() {
            return hint.name();
        }
    }

    @BeforeEach
    void prepare() throws VerbsException {
        endpoint = node.endpoint();
    }

    private void connect(Connection connection) throws VerbsException {
        endpoint.connect(peer, connection);
    }

    private void use(QpType type) throws VerbsException {
        endpoint = node.endpoint(type);
    }

    private long iova() {
        return node.region().address();
    }

    private int rkey() {
        return node.region().rkey();
    }

    private void writes(int rkey, long address, long length) {
        peer.writes(Opcode.RC_RDMA_WRITE_ONLY, 100, (int) length, address, rkey, length);
    }

    static Stream<Case> cases() {
        return Stream.of(receives(), reliability(), keys(), rights(), datagrams(), posts())
                .flatMap(stream -> stream);
    }

    private static Stream<Case> receives() {
        return Stream.of(
                new Case(Hint.SEND_BEFORE_RECEIVE, "before any receive was posted, 2 times", test -> {
                    test.connect(Connection.USUAL);
                    test.peer.asks(Opcode.RC_SEND_ONLY, 100, 5);
                    test.peer.asks(Opcode.RC_SEND_ONLY, 100, 5);
                }),
                new Case(Hint.RECEIVE_QUEUE_EMPTY, "when no receive was left, once", test -> {
                    test.connect(Connection.USUAL);
                    test.endpoint.receive(1, 0, 100);
                    test.peer.asks(Opcode.RC_SEND_ONLY, 100, 5);
                    test.peer.asks(Opcode.RC_SEND_ONLY, 101, 5);
                }),
                new Case(Hint.SRQ_EMPTY, "in the shared queue, once", test -> {
                    test.endpoint = test.shared();
                    test.connect(Connection.USUAL);
                    test.peer.asks(Opcode.RC_SEND_ONLY, 100, 5);
                }),
                new Case(Hint.RECEIVE_TOO_SMALL, "a message of 6 bytes or more arrived for a receive of 5", test -> {
                    test.connect(Connection.USUAL);
                    test.endpoint.receive(1, 0, 5);
                    test.peer.asks(Opcode.RC_SEND_ONLY, 100, 6);
                }),
                new Case(Hint.LOCAL_KEY_REFUSED, "lacks the right", test -> {
                    test.connect(Connection.USUAL);
                    MemoryRegion readOnly = test.node.domain().registerMemory(test.node.memory(), Set.of());
                    test.endpoint.receive(wr -> wr.id(1).sge(readOnly, 0, 100));
                    test.peer.asks(Opcode.RC_SEND_ONLY, 100, 6);
                }),
                new Case(Hint.CQ_OVERRUN, "of 1 entries was overrun by QP N; completions lost: 1", test -> {
                    test.endpoint = test.node.endpoint(QpCapabilities.of(7, 7), test.node.newCq(1), test.node.newCq(1));
                    test.connect(Connection.USUAL);
                    test.endpoint.receive(1, 0, 10);
                    test.endpoint.receive(2, 0, 10);
                    test.peer.asks(Opcode.RC_SEND_ONLY, 100, 5);
                    test.peer.asks(Opcode.RC_SEND_ONLY, 101, 5);
                }));
    }

    private static Stream<Case> reliability() {
        return Stream.of(
                new Case(
                        Hint.RNR_TIMER_IS_655_MS,
                        "waits 655.36 ms",
                        test -> test.connect(Connection.USUAL.rnr(RnrRetryCount.of(6), RnrTimer.ofCode(0)))),
                new Case(Hint.RNR_RETRY_FOREVER, "the peer had no receive once, and rnr_retry is 7", test -> {
                    test.connect(Connection.USUAL);
                    test.endpoint.send(1, 0, 5);
                    test.peer.answers(Aeth.RNR | 1, 200);
                }),
                new Case(
                        Hint.RNR_RETRY_COUNT_0,
                        "rnr_retry is 0",
                        test -> test.connect(Connection.USUAL.rnr(RnrRetryCount.of(0), RnrTimer.ofCode(12)))),
                new Case(
                        Hint.NO_ACK_TIMEOUT,
                        "the ACK timeout is 0",
                        test -> test.connect(Connection.USUAL.timeout(AckTimeout.NONE, 7))),
                new Case(
                        Hint.RETRY_COUNT_0,
                        "retry_cnt is 0",
                        test -> test.connect(Connection.USUAL.timeout(AckTimeout.ofCode(14), 0))),
                new Case(Hint.PEER_NEVER_ANSWERED, "never received a response", test -> {
                    test.connect(Connection.USUAL);
                    test.endpoint.send(1, 0, 5);
                    test.lab.run(SECOND);
                }),
                new Case(Hint.PEER_WENT_SILENT, "the last response of the peer was for PSN 200", test -> {
                    test.connect(Connection.USUAL);
                    test.endpoint.send(1, 0, 5);
                    test.peer.acknowledges(200);
                    test.endpoint.send(2, 0, 5);
                    test.lab.run(SECOND);
                }),
                new Case(Hint.PEER_UNREACHABLE, "no port on the network", test -> {
                    Connection.USUAL.apply(test.endpoint.qp(), Gid.parse("192.0.2.77"), 17);
                    test.endpoint.send(1, 0, 5);
                    test.lab.run(SECOND);
                }),
                new Case(Hint.PEER_REFUSED, "NAK remote access error (PSN 200)", test -> {
                    test.connect(Connection.USUAL);
                    test.endpoint.post(wr -> wr.rdmaWrite(0, 1).id(1).sge(test.node.region(), 0, 5));
                    test.peer.answers(Aeth.NAK_REMOTE_ACCESS, 200);
                }),
                new Case(Hint.NONSENSE_ANSWER, "RC_ATOMIC_ACKNOWLEDGE, which matches no request (PSN 200)", test -> {
                    test.connect(Connection.USUAL);
                    test.endpoint.send(1, 0, 5);
                    test.peer.responds(Opcode.RC_ATOMIC_ACKNOWLEDGE, 200, 0);
                }),
                new Case(Hint.PATH_MTU_MISMATCH, "a packet of 1024 bytes does not fit the path MTU 256", test -> {
                    test.connect(Connection.USUAL.mtu(PathMtu.MTU_256));
                    test.endpoint.receive(1, 0, 5000);
                    test.peer.asks(Opcode.RC_SEND_FIRST, 100, 1024);
                }),
                new Case(Hint.PATH_MTU_MISMATCH, "READ response of 100 bytes arrived where 256 were expected", test -> {
                    test.connect(Connection.USUAL);
                    test.endpoint.post(wr -> wr.rdmaRead(0, 1).id(1).sge(test.node.region(), 0, 2 * MTU));
                    test.peer.responds(Opcode.RC_RDMA_READ_RESPONSE_FIRST, 200, 100);
                }),
                new Case(Hint.PSN_MISMATCH, "1 were ahead of it and 0 behind", test -> {
                    test.connect(Connection.USUAL);
                    test.peer.asks(Opcode.RC_SEND_ONLY, 777, 5);
                }),
                new Case(Hint.ANSWERS_TOO_LATE, "arrived again once", test -> {
                    test.connect(Connection.USUAL);
                    test.writes(test.rkey(), test.iova(), 5);
                    test.writes(test.rkey(), test.iova(), 5);
                }),
                new Case(Hint.TAKEN_TO_ERROR, "moved the queue pair to ERR", test -> {
                    test.connect(Connection.USUAL);
                    test.endpoint.fail();
                }));
    }

    private static Stream<Case> keys() {
        return Stream.of(
                new Case(Hint.KEY_UNKNOWN, "belongs to no region or window, or no longer does", test -> {
                    test.connect(Connection.USUAL);
                    MemoryRegion closed = test.node
                            .domain()
                            .registerMemory(test.node.memory(), AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
                    closed.close();
                    test.writes(closed.rkey(), closed.address(), 5);
                }),
                new Case(Hint.KEY_OF_ANOTHER_DOMAIN, "belongs to another protection domain", test -> {
                    test.connect(Connection.USUAL);
                    MemoryRegion other = test.node
                            .device()
                            .allocatePd()
                            .registerMemory(test.node.memory(), AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
                    test.writes(other.rkey(), other.address(), 5);
                }),
                new Case(Hint.KEY_LACKS_RIGHT, "with [REMOTE_WRITE] by key", test -> {
                    test.connect(Connection.USUAL);
                    MemoryRegion local = test.node.domain().registerMemory(test.node.memory(), AccessFlag.LOCAL_WRITE);
                    test.writes(local.rkey(), local.address(), 5);
                }),
                new Case(Hint.KEY_OUT_OF_RANGE, "6 bytes at", test -> {
                    test.connect(Connection.USUAL);
                    test.writes(test.rkey(), test.iova() + Node.MEMORY - 5, 6);
                }),
                new Case(Hint.MEMORY_CLOSED, "memory was released", test -> {
                    test.connect(Connection.USUAL);
                    Arena arena = Arena.ofShared();
                    MemoryRegion lost = test.node
                            .domain()
                            .registerMemory(MrInitAttributes.builder(arena.allocate(64))
                                    .lifetime(MemoryLifetime.CALLER_KEEPS_ALIVE)
                                    .access(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE)
                                    .build());
                    arena.close();
                    test.writes(lost.rkey(), lost.address(), 5);
                }),
                new Case(Hint.INVALIDATE_REFUSED, "may not", test -> {
                    test.connect(Connection.USUAL);
                    test.endpoint.receive(1, 0, 10);
                    test.peer.sends(
                            Opcode.RC_SEND_ONLY_WITH_INVALIDATE,
                            100,
                            5,
                            packet -> packet.ieth().remoteKey(test.rkey()));
                }),
                new Case(Hint.LOCAL_OPERATION_REFUSED, "BIND_MW, REG_MR or LOCAL_INV request was refused", test -> {
                    test.connect(Connection.USUAL);
                    test.endpoint.post(wr -> wr.localInvalidate(0x123456).id(1));
                }));
    }

    private static Stream<Case> rights() {
        return Stream.of(
                new Case(Hint.QP_LACKS_ACCESS, "the peer needs [REMOTE_READ] on the queue pair", test -> {
                    test.connect(Connection.USUAL.granting(AccessFlag.REMOTE_WRITE));
                    test.peer.reads(100, test.iova(), test.rkey(), 5);
                }),
                new Case(Hint.MAX_RD_ATOMIC_0, "max_rd_atomic is 0", test -> {
                    test.connect(ALL.readDepth(0));
                    test.endpoint.post(wr -> wr.rdmaRead(0, 1).id(1).sge(test.node.region(), 0, 5));
                }),
                new Case(Hint.MAX_DEST_RD_ATOMIC_0, "max_dest_rd_atomic is 0", test -> {
                    test.connect(ALL.readDepth(0));
                    test.peer.reads(100, test.iova(), test.rkey(), 5);
                }),
                new Case(Hint.ATOMIC_MISALIGNED, "is not aligned to 8 bytes", test -> {
                    test.connect(ALL);
                    test.peer.atomic(Opcode.RC_FETCH_ADD, 100, test.iova() + 1, test.rkey(), 0, 1);
                }));
    }

    private static Stream<Case> datagrams() {
        return Stream.of(
                new Case(Hint.NO_ROOM_FOR_ROUTING_HEADER, "45 bytes or more arrived for a receive of 44", test -> {
                    test.use(QpType.UD);
                    test.endpoint.ready(QKEY, test.peer);
                    test.endpoint.receive(1, 0, 44);
                    test.peer.datagram(QKEY, 5);
                }),
                new Case(Hint.DATAGRAM_TOO_LONG, "a datagram of 4097 bytes", test -> {
                    test.use(QpType.UD);
                    test.endpoint.ready(QKEY, test.peer);
                    AddressHandle handle = test.node.domain().createAh(AddressVector.toGid(test.peer.address(), 1));
                    test.endpoint.post(wr ->
                            wr.send().id(1).sge(test.node.region(), 0, 4097).to(handle, ScriptedPeer.QPN, QKEY));
                }),
                new Case(Hint.WRONG_QKEY, "other than 0x1234, the last wrong key was 0x4321", test -> {
                    test.use(QpType.UD);
                    test.endpoint.ready(QKEY, test.peer);
                    test.peer.datagram(0x4321, 5);
                }),
                new Case(Hint.WRONG_PKEY, "the last wrong key was 0x1234", test -> {
                    test.connect(Connection.USUAL);
                    test.peer.sends(
                            Opcode.RC_SEND_ONLY, 100, 5, packet -> packet.bth().partitionKey(0x1234));
                }),
                new Case(Hint.WRONG_SOURCE, "1 packet was dropped because of addresses", test -> {
                    test.connect(Connection.USUAL);
                    ScriptedPeer stranger = test.lab.scriptedPeer("192.0.2.10");
                    stranger.talksTo(test.endpoint);
                    stranger.sends(Opcode.RC_SEND_ONLY, 100, 5);
                }),
                new Case(
                        Hint.UNRELIABLE_DROPS, "2 packets were dropped: 1 without a receive, 1 of incomplete", test -> {
                            test.use(QpType.UC);
                            test.connect(Connection.USUAL);
                            test.peer.sends(Opcode.UC_SEND_ONLY, 100, 5);
                            test.peer.sends(Opcode.UC_SEND_LAST, 102, 5);
                        }));
    }

    private static Stream<Case> posts() {
        return Stream.of(
                new Case(Hint.PACKETS_BEFORE_RTR, "2 packets were dropped because of the queue pair's state", test -> {
                    test.endpoint.qp().modify(Connection.USUAL.toInit());
                    test.peer.talksTo(test.endpoint);
                    test.peer.sends(Opcode.RC_SEND_ONLY, 100, 5);
                    test.peer.sends(Opcode.RC_SEND_ONLY, 101, 5);
                }),
                new Case(Hint.POST_IN_WRONG_STATE, "because of the queue pair's state, 3 times", test -> {
                    test.endpoint.receive(1, 0, 5);
                    test.endpoint.qp().modify(Connection.USUAL.toInit());
                    test.endpoint.send(1, 0, 5);
                    test.endpoint.send(2, 0, 5);
                }),
                new Case(Hint.SEND_QUEUE_FULL, "the send queue was full, once", test -> {
                    test.connect(Connection.USUAL);
                    for (int id = 0; id < 64; id++) {
                        test.endpoint.send(id, 0, 5);
                    }
                }),
                new Case(Hint.NEVER_SIGNALED, "the last 63 requests were unsignaled, and the queue holds 63", test -> {
                    test.connect(Connection.USUAL);
                    for (int id = 0; id < 63; id++) {
                        test.endpoint.post(wr -> wr.send().sge(test.node.region(), 0, 5));
                    }
                }));
    }

    private Endpoint shared() throws VerbsException {
        return new Endpoint(
                node,
                node.domain()
                        .createQp(QpInitAttributes.builder()
                                .type(QpType.RC)
                                .sendCq(node.newCq())
                                .receiveCq(node.newCq())
                                .srq(node.domain()
                                        .createSrq(SrqInitAttributes.builder()
                                                .maxWr(7)
                                                .build()))
                                .capabilities(QpCapabilities.of(7, 7))
                                .build()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void aMistakeIsFoundWhereItWasMade(Case example) throws VerbsException {
        assertThat(endpoint.qp().explain().has(example.hint())).isFalse();
        example.mistake().make(this);
        lab.settle();
        Explanation explanation = endpoint.qp().explain();
        String seen = example.seen().replace("QP N", "QP " + endpoint.qp().number());
        assertThat(explanation.findings())
                .as("%s", explanation)
                .filteredOn(finding -> finding.hint() == example.hint())
                .extracting(Finding::observation)
                .anySatisfy(text -> assertThat(text).contains(seen));
        assertThat(explanation.toString()).contains(seen, example.hint().cure());
    }

    @ParameterizedTest
    @EnumSource(Hint.class)
    void eachHintIsProvoked(Hint hint) {
        assertThat(cases().map(Case::hint)).contains(hint);
    }

    @Test
    void aQueuePairThatDoesWellHasNoFindings() throws VerbsException {
        connect(Connection.USUAL);
        endpoint.receive(1, 0, 10);
        peer.asks(Opcode.RC_SEND_ONLY, 100, 5);
        endpoint.send(1, 0, 5);
        peer.acknowledges(200);
        Explanation explanation = endpoint.qp().explain();
        assertThat(explanation.findings()).isEmpty();
        assertThat(explanation.rootCause()).isEmpty();
        assertThat(explanation.facts())
                .contains(
                        "state: RTS",
                        "peer: QP 18193 at GID ::ffff:192.0.2.9 from GID index 1",
                        "PSNs: next to send 201, oldest unacknowledged 201, after the last sent 201",
                        "PSNs: next expected 101, last accepted 100, last answered by the peer 200",
                        "send queue: 0 of 63 requests",
                        "receive queue: 0 of 63 receives posted");
    }

    @Test
    void resetClearsTheFindings() throws VerbsException {
        connect(Connection.USUAL);
        peer.asks(Opcode.RC_SEND_ONLY, 100, 5);
        endpoint.fail();
        lab.settle();
        assertThat(endpoint.qp().explain().findings()).isNotEmpty();
        endpoint.qp().modify(QpAttributes.reset());
        assertThat(endpoint.qp().explain().findings()).isEmpty();
        assertThat(endpoint.qp().explain().rootCause()).isEmpty();
    }

    @Test
    void eachHintSaysWhatToDo() {
        Map<Hint, String> cures = new EnumMap<>(Hint.class);
        Arrays.stream(Hint.values()).forEach(hint -> cures.put(hint, hint.cure()));
        assertThat(cures.values())
                .doesNotHaveDuplicates()
                .allSatisfy(cure -> assertThat(cure.length()).isGreaterThan(20));
    }
}
