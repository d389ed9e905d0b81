// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.counters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.verbena.sim.capture.PacketTap;
import dev.verbena.sim.capture.TappedFabric;
import dev.verbena.sim.fixture.Connection;
import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.sim.fixture.Lab;
import dev.verbena.sim.fixture.Node;
import dev.verbena.sim.fixture.OneDevice;
import dev.verbena.sim.fixture.ScriptedPeer;
import dev.verbena.sim.runtime.JumpingRuntime;
import dev.verbena.verbs.Counters;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.RnrRetryCount;
import dev.verbena.verbs.RnrTimer;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.Aeth;
import dev.verbena.wire.Deth;
import dev.verbena.wire.Opcode;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each event changes its counter by the right amount. A queue pair with a hand-made peer; PSNs 200 sent, 100 received.
 */
class CountersTest extends OneDevice {
    /** The names under hw_counters of rdma_rxe. */
    private static final List<String> SOFT_ROCE = List.of(
            "sent_pkts",
            "rcvd_pkts",
            "duplicate_request",
            "out_of_seq_request",
            "rcvd_rnr_err",
            "send_rnr_err",
            "rcvd_seq_err",
            "ack_deferred",
            "retry_exceeded_err",
            "retry_rnr_exceeded_err",
            "completer_retry_err",
            "send_err",
            "link_downed",
            "rdma_sends",
            "rdma_recvs",
            "sent_bytes",
            "rcvd_bytes");

    /**
     * Counters without a case: a full queue of packets needs threads ({@code BacklogTest}), and the others need an exception.
     * {@code EngineFailureTest} has that of an engine. Only a defect of this library causes DROPPED_BY_EXCEPTION.
     */
    private static final Set<Counter> WITHOUT_CASE = EnumSet.of(
            Counter.DROPPED_BACKLOG, Counter.DROPPED_BY_FABRIC, Counter.DROPPED_BY_EXCEPTION, Counter.ENGINE_FAILURES);

    private static final int HEADERS = 20 + 8 + 12 + 4;
    private static final Duration SECOND = Duration.ofSeconds(1);

    private Endpoint endpoint;

    /** An action, and the change of the counter. */
    record Case(Counter counter, long amount, Traffic traffic) {
        @Override
        public String toString() {
            return counter.label();
        }
    }

    /** The packets, posts or answers of a case. */
    interface Traffic {
        void run(CountersTest test) throws VerbsException;
    }

    @BeforeEach
    void connect() throws VerbsException {
        endpoint = node.endpoint();
        endpoint.connect(peer, Connection.USUAL);
    }

    private static void receiveTwo(CountersTest test) {
        test.endpoint.receive(1, 0, 10);
        test.endpoint.receive(2, 0, 10);
        test.peer.sends(Opcode.RC_SEND_ONLY, 100, 8);
        test.peer.sends(Opcode.RC_SEND_ONLY, 101, 8);
    }

    private static void sendTwo(CountersTest test) {
        test.endpoint.send(1, 0, 8);
        test.endpoint.send(2, 0, 8);
        test.lab.settle();
    }

    private void unreliable() throws VerbsException {
        endpoint = node.endpoint(QpType.UC);
        endpoint.connect(peer, Connection.USUAL);
    }

    static Stream<Case> cases() {
        return Stream.concat(ofSoftRoce(), drops());
    }

    private static Stream<Case> ofSoftRoce() {
        return Stream.of(
                new Case(Counter.SENT_PKTS, 2, CountersTest::sendTwo),
                new Case(Counter.SENT_BYTES, 2 * (HEADERS + 8), CountersTest::sendTwo),
                new Case(Counter.RCVD_PKTS, 2, CountersTest::receiveTwo),
                new Case(Counter.RCVD_BYTES, 2 * (HEADERS + 8), CountersTest::receiveTwo),
                new Case(Counter.RDMA_RECVS, 2, CountersTest::receiveTwo),
                new Case(Counter.RDMA_SENDS, 2, test -> {
                    sendTwo(test);
                    test.peer.acknowledges(201);
                }),
                new Case(Counter.ACK_DEFERRED, 2, test -> {
                    sendTwo(test);
                    test.peer.acknowledges(200);
                    test.peer.acknowledges(201);
                }),
                new Case(Counter.DUPLICATE_REQUEST, 2, test -> {
                    receiveTwo(test);
                    test.peer.sends(Opcode.RC_SEND_ONLY, 100, 8);
                    test.peer.sends(Opcode.RC_SEND_ONLY, 101, 8);
                }),
                new Case(Counter.OUT_OF_SEQ_REQUEST, 2, test -> {
                    test.peer.sends(Opcode.RC_SEND_ONLY, 101, 8);
                    test.peer.sends(Opcode.RC_SEND_ONLY, 102, 8);
                }),
                new Case(Counter.SEND_RNR_ERR, 2, test -> {
                    test.peer.sends(Opcode.RC_SEND_ONLY, 100, 8);
                    test.peer.sends(Opcode.RC_SEND_ONLY, 100, 8);
                }),
                new Case(Counter.RCVD_RNR_ERR, 1, test -> {
                    sendTwo(test);
                    test.peer.answers(Aeth.RNR | 12, 200);
                }),
                new Case(Counter.RCVD_SEQ_ERR, 1, test -> {
                    sendTwo(test);
                    test.peer.answers(Aeth.NAK_PSN_SEQUENCE, 200);
                }),
                new Case(Counter.COMPLETER_RETRY_ERR, 1, test -> {
                    sendTwo(test);
                    test.peer.answers(Aeth.NAK_PSN_SEQUENCE, 200);
                }),
                new Case(Counter.RETRANSMITTED_PKTS, 2, test -> {
                    sendTwo(test);
                    test.peer.answers(Aeth.NAK_PSN_SEQUENCE, 200);
                }),
                new Case(Counter.RETRY_EXCEEDED_ERR, 1, test -> {
                    sendTwo(test);
                    test.lab.run(SECOND);
                }),
                new Case(Counter.RETRY_RNR_EXCEEDED_ERR, 1, test -> {
                    test.endpoint = test.node.endpoint();
                    test.endpoint.connect(test.peer, Connection.USUAL.rnr(RnrRetryCount.of(0), RnrTimer.ofCode(12)));
                    sendTwo(test);
                    test.peer.answers(Aeth.RNR | 12, 200);
                }),
                new Case(Counter.SEND_ERR, 1, test -> {
                    test.endpoint.post(wr -> wr.localInvalidate(0x777).id(1));
                    test.lab.settle();
                }),
                new Case(Counter.LINK_DOWNED, 1, test -> test.node.simDevice().close()));
    }

    private static Stream<Case> drops() {
        return Stream.of(
                new Case(
                        Counter.DROPPED_MALFORMED,
                        1,
                        // A packet that is not trusted is parsed, and only parsing checks the transport version.
                        test -> test.peer.sends(Opcode.RC_SEND_ONLY, 100, 8, packet -> {
                            packet.bth().transportVersion(1);
                            packet.trusted(false);
                        })),
                new Case(
                        Counter.DROPPED_ICRC,
                        1,
                        test -> test.peer.sendsSealed(Opcode.RC_SEND_ONLY, 100, 8, packet -> {
                            packet.icrc(packet.icrc() + 1);
                            packet.trusted(false);
                        })),
                new Case(Counter.DROPPED_ADDRESS, 1, test -> {
                    ScriptedPeer stranger = test.lab.scriptedPeer("192.0.2.10");
                    stranger.talksTo(test.endpoint);
                    stranger.sends(Opcode.RC_SEND_ONLY, 100, 8);
                }),
                new Case(
                        Counter.DROPPED_UNKNOWN_QP,
                        1,
                        test -> test.peer.sends(
                                Opcode.RC_SEND_ONLY,
                                100,
                                8,
                                packet -> packet.bth().destinationQpn(0x9999))),
                new Case(Counter.DROPPED_WRONG_TRANSPORT, 1, test -> test.peer.sends(Opcode.UC_SEND_ONLY, 100, 8)),
                new Case(Counter.DROPPED_CNP, 1, test -> test.peer.sends(Opcode.CNP, 0, 16)),
                new Case(Counter.DROPPED_QP_STATE, 1, test -> {
                    test.endpoint.qp().modify(QpAttributes.reset());
                    test.peer.sends(Opcode.RC_SEND_ONLY, 100, 8);
                }),
                new Case(
                        Counter.DROPPED_PKEY,
                        1,
                        test -> test.peer.sends(
                                Opcode.RC_SEND_ONLY,
                                100,
                                8,
                                packet -> packet.bth().partitionKey(0x1234))),
                new Case(Counter.DROPPED_QKEY, 1, test -> {
                    test.endpoint = test.node.endpoint(QpType.UD);
                    test.endpoint.ready(7, test.peer);
                    test.peer.datagram(8, 5);
                }),
                new Case(Counter.DROPPED_NO_RECEIVE, 1, test -> {
                    test.unreliable();
                    test.peer.sends(Opcode.UC_SEND_ONLY, 100, 8);
                }),
                new Case(Counter.DROPPED_INCOMPLETE, 1, test -> {
                    test.unreliable();
                    test.peer.sends(Opcode.UC_SEND_LAST, 100, 8);
                }),
                new Case(Counter.DROPPED_REFUSED, 1, test -> {
                    test.unreliable();
                    test.endpoint.receive(1, 0, 5);
                    test.peer.sends(Opcode.UC_SEND_ONLY, 100, 8);
                }),
                new Case(Counter.DROPPED_FAILED_QP, 1, test -> {
                    test.endpoint.fail();
                    test.peer.sends(Opcode.RC_SEND_ONLY, 100, 8);
                }),
                new Case(
                        Counter.DROPPED_UNMANAGED,
                        1,
                        test -> test.peer.sends(Opcode.UD_SEND_ONLY, 0, 256, packet -> {
                            packet.bth().destinationQpn(1);
                            packet.deth().initialize(Deth.GSI_QUEUE_KEY, 1);
                        })),
                new Case(Counter.DROPPED_RESPONSE, 1, test -> test.peer.acknowledges(300)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void eachEventChangesItsCounter(Case example) throws VerbsException {
        long before = node.count(example.counter());
        example.traffic().run(this);
        assertThat(node.count(example.counter()) - before).isEqualTo(example.amount());
    }

    @ParameterizedTest
    @EnumSource(Counter.class)
    void eachCounterHasACase(Counter counter) {
        assertThat(cases().anyMatch(example -> example.counter() == counter))
                .as("%s has either a case in cases() or an entry in WITHOUT_CASE", counter)
                .isNotEqualTo(WITHOUT_CASE.contains(counter));
    }

    @Test
    void packetsThatTheFabricFailsToSendAreCounted() throws VerbsException {
        JumpingRuntime runtime = new JumpingRuntime(1, 1000);
        IllegalStateException defect = new IllegalStateException("defect");
        PacketTap failing = (_, _, _) -> {
            throw defect;
        };
        try (Lab broken = new Lab(runtime, fabric -> new TappedFabric(fabric, runtime, failing))) {
            Node sender = broken.node("sim0", "192.0.2.1");
            Endpoint from = sender.endpoint();
            from.connect(broken.scriptedPeer("192.0.2.9"), Connection.USUAL);
            from.send(1, 0, 8);
            assertThat(broken.until(() -> sender.count(Counter.DROPPED_BY_FABRIC) > 0, SECOND))
                    .isTrue();
            assertThat(runtime.failures()).contains(defect);
        }
    }

    @Test
    void softRocesNamesAreThereAndEachHasItsSentence() {
        assertThat(Arrays.stream(Counter.values()).map(Counter::label))
                .containsAll(SOFT_ROCE)
                .doesNotHaveDuplicates();
        assertThat(Arrays.stream(Counter.values()).map(Counter::description))
                .doesNotHaveDuplicates()
                .allSatisfy(text -> assertThat(text.length()).isGreaterThan(15));
    }

    @Test
    void theCountsOfAClosedQueuePairStay() throws VerbsException {
        receiveTwo(this);
        endpoint.qp().close();
        assertThat(node.count(Counter.RCVD_PKTS)).isEqualTo(2);
        assertThat(node.count(Counter.RDMA_RECVS)).isEqualTo(2);
    }

    @Test
    void aProgramReadsThemFromItsDevice() {
        receiveTwo(this);
        assertThat(node.device().extension(Counters.class).orElseThrow().read())
                .hasSize(Counter.values().length)
                .filteredOn(reading -> reading.name().equals("rcvd_pkts"))
                .singleElement()
                .satisfies(reading -> {
                    assertThat(reading.value()).isEqualTo(2);
                    assertThat(reading.description()).isEqualTo(Counter.RCVD_PKTS.description());
                    assertThat(reading).hasToString("rcvd_pkts 2");
                });
    }

    /** A port query reads such counters, and programs query the port for each queue pair that they make. */
    @Test
    void countersOutsideTheSharesAreReadWithoutVisitingTheShares() {
        DeviceCounters counters = new DeviceCounters();
        int many = 20_000;
        for (int i = 0; i < many; i++) {
            counters.newShare();
        }
        counters.count(Counter.DROPPED_PKEY);
        assertTimeoutPreemptively(Duration.ofSeconds(10), () -> {
            for (int i = 0; i < 10 * many; i++) {
                counters.get(Counter.DROPPED_PKEY);
            }
        });
        assertThat(counters.get(Counter.DROPPED_PKEY)).isEqualTo(1);
    }
}
