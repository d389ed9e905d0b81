// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.cm.CmEventType;
import dev.verbena.lnd.wire.LndMessage;
import dev.verbena.lnd.wire.MessageDefect;
import dev.verbena.lnd.wire.MessageType;
import dev.verbena.lnd.wire.Protocol;
import dev.verbena.lnd.wire.RejectData;
import dev.verbena.lnd.wire.RejectReason;
import dev.verbena.lnet.LnetEvent;
import dev.verbena.lnet.LnetHeader;
import dev.verbena.lnet.LnetHeaders;
import dev.verbena.lnet.MdOption;
import dev.verbena.lnet.Nid;
import dev.verbena.lnet.ProcessId;
import dev.verbena.lnet.WireHandle;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * To every message of a peer the node answers by the protocol or closes that one connection, and keeps serving the
 * others.
 */
class HostilePeerTest {

    private Lab lab;
    private LnetNode node;
    private RawPeer peer;

    @BeforeEach
    void start() throws VerbsException {
        lab = new Lab(5);
        node = lab.start(1);
        peer = new RawPeer(lab, 3);
    }

    @AfterEach
    void stop() throws VerbsException {
        peer.close();
        assertTheNodeServesOthers();
        lab.close();
    }

    private void assertTheNodeServesOthers() throws VerbsException {
        LnetNode other = lab.start(2);
        List<LnetEvent> events = new ArrayList<>();
        other.put(Lab.active(lab.memory(100_000, 1), 1, events), false, node.id(), Lab.PORTAL, Lab.BITS, 0, 0);
        assertThat(lab.await(() -> !events.isEmpty(), Duration.ofMinutes(1))).isTrue();
        assertThat(events.getFirst().status()).isZero();
    }

    private RejectData rejection() {
        RejectData data = new RejectData();
        assertThat(data.parse(MemorySegment.ofArray(peer.answer()), 0, peer.answer().length))
                .isEqualTo(MessageDefect.NONE);
        return data;
    }

    private RejectReason rejected(byte[] request) throws VerbsException {
        assertThat(peer.connect(node, request)).isEqualTo(CmEventType.REJECTED);
        return RejectReason.of(rejection().reasonCode());
    }

    @Test
    void aRequestForTooMuchGetsTheLimits() throws VerbsException {
        assertThat(rejected(peer.connreq(node, 9, 257))).isEqualTo(RejectReason.MSG_QUEUE_SIZE);
        assertThat(rejection().connParams().queueDepth()).isEqualTo(8);
        assertThat(rejection().connParams().maxFragments()).isEqualTo(257);
        assertThat(rejection().incarnation()).isPositive();
    }

    @Test
    void tooManyFragmentsAreRefused() throws VerbsException {
        assertThat(rejected(peer.connreq(node, 8, 258))).isEqualTo(RejectReason.RDMA_FRAGS);
    }

    @Test
    void aRequestForAnotherIncarnationIsStale() throws VerbsException {
        assertThat(rejected(peer.message(MessageType.CONNREQ, node, 1, message -> {
                    message.connParams().set(8, 257, 4096);
                })))
                .isEqualTo(RejectReason.CONN_STALE);
    }

    @Test
    void aRequestForAnotherNodeGetsNoInformation() throws VerbsException {
        byte[] request = peer.connreq(node, 8, 257);
        new LndMessage()
                .wrap(MemorySegment.ofArray(request), 0)
                .begin(MessageType.CONNREQ)
                .header()
                .sourceNid(peer.nid())
                .destinationNid(Nid.parse("10.0.0.9@o2ib"));
        assertThat(rejected(request)).isEqualTo(RejectReason.FATAL);
        assertThat(rejection().incarnation()).isZero();
        assertThat(rejection().connParams().queueDepth()).isZero();
        assertThat(rejection().connParams().maxMessageSize()).isEqualTo(4096);
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.0.0.1@o2ib", "0@lo", "*", "10.0.0.3@o2ib1", "10.0.0.3@tcp"})
    void aRequestOfANidThatNoPeerHasIsFatal(String nid) throws VerbsException {
        byte[] request = peer.message(MessageType.CONNREQ, node, 0, message -> {
            message.header().sourceNid(Nid.parse(nid));
            message.connParams().set(8, 257, 4096);
        });
        assertThat(rejected(request)).isEqualTo(RejectReason.FATAL);
        assertThat(rejection().incarnation()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"0, 0x45726963", "4, 0x0013", "6, 0x08", "8, 0x1000", "8, 0x20"})
    void aRequestThatIsNotValidIsFatal(int offset, String value) throws VerbsException {
        byte[] request = peer.connreq(node, 8, 257);
        MemorySegment bytes = MemorySegment.ofArray(request);
        LndMessage view = new LndMessage().wrap(bytes, 0);
        view.parse(request.length);
        switch (offset) {
            case 0 -> view.header().magic(Integer.decode(value));
            case 4 -> view.header().version(Integer.decode(value));
            case 6 -> view.header().typeCode(Integer.decode(value));
            default -> view.header().length(Integer.decode(value));
        }
        assertThat(rejected(request)).isEqualTo(RejectReason.FATAL);
        assertThat(rejection().version()).isEqualTo(Protocol.VERSION_2);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void arbitraryBytesInsteadOfARequestAreRefused(long seed) throws VerbsException {
        Random random = new Random(seed);
        byte[] request = new byte[random.nextInt(57)];
        random.nextBytes(request);
        assertThat(rejected(request)).isEqualTo(RejectReason.FATAL);
    }

    /** Sends one message over a sound connection and expects that this was the last one. */
    private void expectClosed(MessageType type, Consumer<LndMessage> body) throws VerbsException {
        long stamp = peer.connectProperly(node);
        assertThat(lab.await(() -> node.statistics().connections().size() == 1, Duration.ofSeconds(1)))
                .isTrue();
        peer.send(peer.message(type, node, stamp, body));
        assertThat(lab.await(peer::isDisconnected, Duration.ofSeconds(30))).isTrue();
        assertThat(node.statistics().connections()).isEmpty();
        assertThat(node.statistics().closedWithError()).isEqualTo(1);
    }

    private static void lnet(LndMessage message, LnetHeader header) {
        LnetHeaders.rewrite(header, message.lnetHeader());
    }

    @Test
    void aMessageOfAnotherIncarnationClosesTheConnection() throws VerbsException {
        expectClosed(MessageType.NOOP, message -> {
            message.header().sourceStamp(1);
        });
        assertThat(node.statistics().defects()).isEqualTo(1);
    }

    @Test
    void aMessageFromAnotherNidClosesTheConnection() throws VerbsException {
        expectClosed(MessageType.NOOP, message -> {
            message.header().sourceNid(Nid.parse("10.0.0.4@o2ib"));
        });
    }

    @Test
    void creditsOutOfThinAirCloseTheConnection() throws VerbsException {
        expectClosed(MessageType.NOOP, message -> {
            message.header().credits(1);
        });
    }

    @Test
    void aConnectionMessageOnTheQueuePairClosesTheConnection() throws VerbsException {
        expectClosed(MessageType.CONNREQ, message -> {});
    }

    @ParameterizedTest
    @CsvSource({"PUT_NAK", "PUT_DONE", "GET_DONE"})
    void anUnrequestedAnswerClosesTheConnection(MessageType type) throws VerbsException {
        expectClosed(type, message -> {
            message.completion().set(0, 0);
        });
    }

    @Test
    void anUnrequestedPutAckClosesTheConnection() throws VerbsException {
        expectClosed(MessageType.PUT_ACK, message -> {
            message.putAckCookies(0, 0);
            message.describe(1, 1).fragment(0, 1, 1);
        });
    }

    @Test
    void anLnetMessageThatIsNotValidClosesTheConnection() throws VerbsException {
        expectClosed(
                MessageType.IMMEDIATE,
                message -> lnet(
                        message,
                        LnetHeaders.put(
                                ProcessId.of(peer.nid()),
                                ProcessId.parse("10.0.0.9@o2ib"),
                                0,
                                WireHandle.NONE,
                                1,
                                0,
                                0,
                                0)));
    }

    @Test
    void anImmediateThatIsShorterThanItsPayloadDoesNotReachTheMemory() throws VerbsException {
        List<LnetEvent> events = new ArrayList<>();
        MemorySegment target = lab.memory(100, 1);
        MemorySegment before = lab.memory(100, 1);
        Lab.serve(node, target, events, MdOption.OP_PUT);
        long stamp = peer.connectProperly(node);
        peer.send(peer.message(
                MessageType.IMMEDIATE,
                node,
                stamp,
                message -> lnet(
                        message.payloadLength(50),
                        LnetHeaders.put(
                                ProcessId.of(peer.nid()),
                                node.id(),
                                100,
                                WireHandle.NONE,
                                Lab.PORTAL,
                                Lab.BITS,
                                0,
                                0))));
        assertThat(lab.await(() -> !events.isEmpty(), Duration.ofSeconds(1))).isTrue();
        assertThat(events.getFirst().status()).isEqualTo(-71);
        assertThat(target.mismatch(before)).isEqualTo(-1);
    }

    /** Has the node send a large PUT or GET to the peer, and returns its request. */
    private LndMessage awaitRequest(List<LnetEvent> events, boolean put, MemorySegment memory) {
        ProcessId target = ProcessId.of(peer.nid());
        if (put) {
            node.put(Lab.active(memory, 1, events), false, target, Lab.PORTAL, Lab.BITS, 0, 0);
        } else {
            node.get(Lab.active(memory, 2, events), target, Lab.PORTAL, Lab.BITS, 0);
        }
        assertThat(lab.await(() -> !peer.received().isEmpty(), Duration.ofSeconds(5)))
                .isTrue();
        return peer.received().getFirst();
    }

    @Test
    void aGetDoneForMoreThanTheSinkClosesTheConnection() throws VerbsException {
        long stamp = peer.connectProperly(node);
        List<LnetEvent> events = new ArrayList<>();
        LndMessage request = awaitRequest(events, false, lab.memory(5000, 1));
        assertThat(request.type()).isEqualTo(MessageType.GET_REQ);
        assertThat(request.descriptor().totalLength()).isEqualTo(5000);
        peer.send(peer.message(MessageType.GET_DONE, node, stamp, message -> {
            message.completion().set(request.requestCookie(), 5001);
        }));
        assertThat(lab.await(() -> events.size() == 2, Duration.ofSeconds(30))).isTrue();
        assertThat(events).allMatch(event -> event.status() == -103);
        assertThat(node.statistics().connections()).isEmpty();
    }

    @Test
    void aPutAckForMoreThanThePutFailsThePutAndNotifiesThePeer() throws VerbsException {
        long stamp = peer.connectProperly(node);
        List<LnetEvent> events = new ArrayList<>();
        LndMessage request = awaitRequest(events, true, lab.memory(5000, 1));
        assertThat(request.type()).isEqualTo(MessageType.PUT_REQ);
        peer.send(peer.message(MessageType.PUT_ACK, node, stamp, message -> {
            message.putAckCookies(request.requestCookie(), 9);
            message.describe(peer.region().rkey(), 1)
                    .fragment(0, 5001, peer.region().address());
        }));
        assertThat(lab.await(() -> events.size() == 1, Duration.ofSeconds(30))).isTrue();
        assertThat(events.getFirst().status()).isEqualTo(-71);
        LndMessage done = peer.received().getLast();
        assertThat(done.type()).isEqualTo(MessageType.PUT_DONE);
        assertThat(done.completion().cookie()).isEqualTo(9);
        assertThat(done.completion().status()).isEqualTo(-71);
        assertThat(node.statistics().connections()).hasSize(1);
    }

    @Test
    void aPutAckWithAWrongKeyCostsTheConnectionAndThePut() throws VerbsException {
        long stamp = peer.connectProperly(node);
        List<LnetEvent> events = new ArrayList<>();
        LndMessage request = awaitRequest(events, true, lab.memory(5000, 1));
        peer.send(peer.message(MessageType.PUT_ACK, node, stamp, message -> {
            message.putAckCookies(request.requestCookie(), 9);
            message.describe(peer.region().rkey() + 0x100, 1)
                    .fragment(0, 5000, peer.region().address());
        }));
        assertThat(lab.await(() -> events.size() == 1, Duration.ofSeconds(30))).isTrue();
        assertThat(events.getFirst().status()).isNegative();
        assertThat(lab.await(() -> node.statistics().connections().isEmpty(), Duration.ofSeconds(30)))
                .isTrue();
    }

    @Test
    void aPeerThatNeverAnswersLosesTheConnectionAfterTheTimeout() throws VerbsException {
        peer.connectProperly(node);
        List<LnetEvent> events = new ArrayList<>();
        awaitRequest(events, false, lab.memory(5000, 1));
        long before = lab.runtime().nanoTime();
        assertThat(lab.await(() -> events.size() == 2, Duration.ofMinutes(2))).isTrue();
        assertThat(Duration.ofNanos(lab.runtime().nanoTime() - before))
                .isBetween(Duration.ofSeconds(49), Duration.ofSeconds(58));
        assertThat(events).allMatch(event -> event.status() == -103);
    }

    private static byte[] rejection(RejectReason reason, int depth, int fragments) {
        byte[] bytes = new byte[RejectData.LENGTH];
        new RejectData()
                .begin(MemorySegment.ofArray(bytes), 0, Protocol.VERSION_2, reason, ByteOrder.BIG_ENDIAN)
                .incarnation(RawPeer.STAMP)
                .connParams()
                .set(depth, fragments, 4096);
        return bytes;
    }

    private LndMessage request(int index) {
        byte[] bytes = peer.requests().get(index);
        LndMessage message = new LndMessage().wrap(MemorySegment.ofArray(bytes), 0);
        assertThat(message.parse(bytes.length)).isEqualTo(MessageDefect.NONE);
        return message;
    }

    @Test
    void aPeerThatTakesFewerFragmentsGetsFewer() throws VerbsException {
        peer.listen(List.of(rejection(RejectReason.RDMA_FRAGS, 8, 16)));
        List<LnetEvent> events = new ArrayList<>();
        LndMessage request = awaitRequest(events, false, lab.memory(1 << 20, 1));
        assertThat(peer.requests()).hasSize(2);
        assertThat(request(0).connParams().maxFragments()).isEqualTo(257);
        assertThat(request(0).header().destinationStamp()).isZero();
        assertThat(request(1).connParams().maxFragments()).isEqualTo(16);
        assertThat(request(1).header().destinationStamp()).isEqualTo(RawPeer.STAMP);
        assertThat(request.descriptor().fragmentCount()).isBetween(1, 16);
        assertThat(request.descriptor().totalLength()).isEqualTo(1 << 20);
    }

    @Test
    void aPeerThatRejectsForNoGoodReasonIsNotAskedAgain() throws VerbsException {
        peer.listen(List.of(rejection(RejectReason.MSG_QUEUE_SIZE, 8, 257)));
        List<LnetEvent> events = new ArrayList<>();
        node.put(Lab.active(lab.memory(10, 1), 1, events), false, ProcessId.of(peer.nid()), Lab.PORTAL, Lab.BITS, 0, 0);
        assertThat(lab.await(() -> !events.isEmpty(), Duration.ofSeconds(30))).isTrue();
        assertThat(events.getFirst().status()).isEqualTo(-111);
        assertThat(peer.requests()).hasSize(1);
    }

    @Test
    void aReplyThatGrantsMoreThanWasAskedIsNotTaken() throws VerbsException {
        peer.listen(List.of(), 9);
        List<LnetEvent> events = new ArrayList<>();
        node.put(Lab.active(lab.memory(10, 1), 1, events), false, ProcessId.of(peer.nid()), Lab.PORTAL, Lab.BITS, 0, 0);
        assertThat(lab.await(() -> !events.isEmpty(), Duration.ofMinutes(2))).isTrue();
        assertThat(events.getFirst().status()).isEqualTo(-71);
        assertThat(lab.await(peer::isDisconnected, Duration.ofSeconds(30))).isTrue();
    }

    @Test
    void aPutRequestAroundAGetDoesNotOpenMemoryThatMayOnlyBeRead() throws VerbsException {
        List<LnetEvent> events = new ArrayList<>();
        Lab.serve(node, lab.memory(5000, 1), events, MdOption.OP_GET);
        expectClosed(
                MessageType.PUT_REQ,
                message -> lnet(
                        message,
                        LnetHeaders.get(
                                ProcessId.of(peer.nid()), node.id(), WireHandle.NONE, Lab.PORTAL, Lab.BITS, 0, 5000)));
        assertThat(peer.received()).isEmpty();
        assertThat(events).isEmpty();
    }

    @Test
    void aGetRequestAroundAPutDoesNotReadMemoryThatMayOnlyBeWritten() throws VerbsException {
        List<LnetEvent> events = new ArrayList<>();
        Lab.serve(node, lab.memory(5000, 1), events, MdOption.OP_PUT);
        expectClosed(MessageType.GET_REQ, message -> {
            lnet(
                    message,
                    LnetHeaders.put(
                            ProcessId.of(peer.nid()), node.id(), 5000, WireHandle.NONE, Lab.PORTAL, Lab.BITS, 0, 0));
            message.describe(peer.region().rkey(), 1)
                    .fragment(0, 5000, peer.region().address());
        });
        assertThat(peer.received()).isEmpty();
        assertThat(events).isEmpty();
    }
}
