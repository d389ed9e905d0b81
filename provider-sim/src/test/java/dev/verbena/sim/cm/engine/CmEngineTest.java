// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.cm.RejectReason;
import dev.verbena.sim.cm.engine.CmIndication.Kind;
import dev.verbena.sim.cm.engine.CmNetwork.Node;
import dev.verbena.sim.cm.engine.CmNetwork.Sent;
import dev.verbena.sim.cm.engine.CmNetwork.Told;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.PathMtu;
import dev.verbena.wire.mad.CmAttribute;
import dev.verbena.wire.mad.CmDisconnectRequest;
import dev.verbena.wire.mad.CmReject;
import dev.verbena.wire.mad.CmReply;
import dev.verbena.wire.mad.MadHeader;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The protocol's rules one by one, over a link that the test controls, in virtual time. */
class CmEngineTest {
    private static final int PORT = 7174;
    private static final Duration SHORT = Duration.ofMillis(100);
    private static final Duration LONG = Duration.ofMinutes(3);

    /** 4.096 us * 2^20 and 2^17 as the kernel rounds them. */
    private static final Duration REQUEST_INTERVAL = Duration.ofMillis(4096 + 512);

    private static final Duration REPLY_INTERVAL = Duration.ofMillis(4096);
    private static final int TRIES = 16;

    private final CmNetwork network = new CmNetwork(1);
    private final Node client = network.node("10.0.0.1", 0x1111);
    private final Node server = network.node("10.0.0.2", 0x2222);

    private void serverAccepts() {
        server.listen(PORT, 10);
        server.user = (connection, indication) -> {
            if (indication.kind() == Kind.REQUESTED) {
                connection.accept(Requests.reply(200), network.now());
            }
        };
    }

    private void clientEstablishes() {
        client.user = (connection, indication) -> {
            if (indication.kind() == Kind.REPLIED) {
                connection.establish();
            }
        };
    }

    private CmConnection connected() {
        serverAccepts();
        clientEstablishes();
        CmConnection connection = client.connect(server, PORT, 100);
        network.run(SHORT);
        assertThat(connection.state()).isEqualTo(CmState.ESTABLISHED);
        assertThat(passive().state()).isEqualTo(CmState.ESTABLISHED);
        return connection;
    }

    /** Returns the server's side of the first connection. */
    private CmConnection passive() {
        return server.told.getFirst().connection();
    }

    private static List<Duration> times(Node node, CmAttribute message) {
        return node.sent.stream()
                .filter(each -> each.message() == message)
                .map(each -> Duration.ofNanos(each.time()))
                .toList();
    }

    private static Sent lastSent(Node node) {
        return node.sent.getLast();
    }

    @Test
    void aConnectionTakesRequestReplyAndReadyToUse() {
        CmConnection connection = connected();

        assertThat(client.messages()).containsExactly(CmAttribute.REQ, CmAttribute.RTU);
        assertThat(server.messages()).containsExactly(CmAttribute.REP);
        assertThat(server.kinds(passive())).containsExactly(Kind.REQUESTED, Kind.ESTABLISHED);
        assertThat(client.kinds(connection)).containsExactly(Kind.REPLIED);
    }

    @Test
    void bothSidesGetThePrivateDataOfThePeer() {
        CmConnection active = connected();
        CmConnection passive = passive();

        RequestParameters asked = active.communication().request();
        RequestParameters heard = passive.communication().request();
        assertThat(heard.privateData().toArray(java.lang.foreign.ValueLayout.JAVA_BYTE))
                .isEqualTo(Bytes.padded("hello", 56));
        assertThat(heard)
                .usingRecursiveComparison()
                .ignoringFields("privateData")
                .isEqualTo(asked);
        ReplyParameters answer = active.communication().reply();
        assertThat(answer).isNotNull();
        assertThat(answer.privateData().toArray(ValueLayout.JAVA_BYTE)).isEqualTo(Bytes.padded("welcome", 196));
        assertThat(answer.qpn()).isEqualTo(200);
        assertThat(answer.srq()).isTrue();
        assertThat(active.communication().localPsn())
                .isEqualTo(passive.communication().remotePsn());
        assertThat(active.communication().remotePsn())
                .isEqualTo(passive.communication().localPsn());
        assertThat(active.communication().remoteId())
                .isEqualTo(passive.communication().localId());
        assertThat(passive.communication().remoteId())
                .isEqualTo(active.communication().localId());
    }

    @Test
    void anUnansweredRequestIsSentSixteenTimesAndThenThePeerIsUnreachable() {
        network.lose(CmAttribute.REQ);
        CmConnection connection = client.connect(server, PORT, 100);
        network.run(LONG);

        List<Duration> times = times(client, CmAttribute.REQ);
        assertThat(times).hasSize(TRIES);
        for (int i = 0; i < TRIES; i++) {
            assertThat(times.get(i)).isEqualTo(REQUEST_INTERVAL.multipliedBy(i));
        }
        Told told = client.last();
        assertThat(told.kind()).isEqualTo(Kind.UNREACHABLE);
        assertThat(told.indication().status()).isEqualTo(-Errno.ETIMEDOUT.number());
        assertThat(Duration.ofNanos(told.time())).isEqualTo(REQUEST_INTERVAL.multipliedBy(TRIES));
        assertThat(connection.state()).isEqualTo(CmState.IDLE);
        assertThat(client.statistics().retransmitted().get(CmAttribute.REQ)).isEqualTo(TRIES - 1L);
    }

    @Test
    void aReplyThatIsNotAnsweredIsSentSixteenTimesAndThenThePeerIsUnreachable() {
        serverAccepts();
        network.lose(CmAttribute.REP);
        client.connect(server, PORT, 100);
        network.run(Duration.ofSeconds(4));
        // A repeated request would cause a further reply.
        network.lose(mad -> mad.get(MadHeader.ATTRIBUTE_ID) == CmAttribute.REP.id()
                || mad.get(MadHeader.ATTRIBUTE_ID) == CmAttribute.REQ.id());
        network.run(LONG);

        List<Duration> times = times(server, CmAttribute.REP);
        assertThat(times).hasSize(TRIES);
        for (int i = 0; i < TRIES; i++) {
            assertThat(times.get(i).minus(times.getFirst())).isEqualTo(REPLY_INTERVAL.multipliedBy(i));
        }
        assertThat(server.kinds(passive())).containsExactly(Kind.REQUESTED, Kind.UNREACHABLE);
    }

    @Test
    void aRequestThatComesAgainWhileTheReplyIsUnderWayBringsTheReplyAgainAndNoSecondRequest() {
        serverAccepts();
        clientEstablishes();
        network.lose(CmAttribute.REP);
        CmConnection connection = client.connect(server, PORT, 100);
        network.run(SHORT);
        network.lose(mad -> false);
        client.engine.onTime(network.now());
        assertThat(client.sent).hasSize(1);
        Sent request = lastSent(client);
        client.send(client.gid, server.gid, request.mad());
        network.run(SHORT);

        assertThat(connection.state()).isEqualTo(CmState.ESTABLISHED);
        assertThat(server.kinds(passive())).containsExactly(Kind.REQUESTED, Kind.ESTABLISHED);
        assertThat(server.statistics().duplicates().get(CmAttribute.REQ)).isEqualTo(1);
    }

    @Test
    void aLostReadyToUseIsSentAgainWhenTheReplyComesAgain() {
        serverAccepts();
        clientEstablishes();
        network.lose(CmAttribute.RTU);
        client.connect(server, PORT, 100);
        network.run(SHORT);
        assertThat(passive().state()).isEqualTo(CmState.REP_SENT);
        network.lose(mad -> false);
        network.run(REPLY_INTERVAL);

        assertThat(passive().state()).isEqualTo(CmState.ESTABLISHED);
        assertThat(client.messages()).containsExactly(CmAttribute.REQ, CmAttribute.RTU, CmAttribute.RTU);
        assertThat(client.statistics().duplicates().get(CmAttribute.REP)).isEqualTo(1);
    }

    @Test
    void theFirstPacketMayStandForTheReadyToUse() {
        serverAccepts();
        clientEstablishes();
        network.lose(CmAttribute.RTU);
        client.connect(server, PORT, 100);
        network.run(SHORT);

        assertThat(passive().notifyEstablished()).isTrue();
        assertThat(passive().notifyEstablished()).as("again").isFalse();
        network.run(LONG);
        assertThat(server.messages()).containsExactly(CmAttribute.REP);
        assertThat(server.kinds(passive())).containsExactly(Kind.REQUESTED, Kind.ESTABLISHED);
    }

    @Test
    void withoutAListenerTheRequestIsRejectedForItsServiceId() {
        CmConnection connection = client.connect(server, PORT, 100);
        network.run(SHORT);

        Told told = client.last();
        assertThat(told.kind()).isEqualTo(Kind.REJECTED);
        assertThat(told.indication().status()).isEqualTo(RejectReason.INVALID_SERVICE_ID.code());
        assertThat(connection.state()).isEqualTo(CmState.IDLE);
        CmReject reject = new CmReject().wrap(lastSent(server).mad(), 0);
        assertThat(reject.get(CmReject.LOCAL_COMM_ID)).isZero();
        assertThat(reject.get(CmReject.REMOTE_COMM_ID))
                .isEqualTo(connection.communication().localId());
        network.run(LONG);
        assertThat(client.messages()).containsExactly(CmAttribute.REQ);
    }

    @Test
    void theUserMayRejectWithPrivateData() {
        server.listen(PORT, 10);
        server.user = (connection, indication) -> connection.reject(Bytes.ascii("busy"));
        client.connect(server, PORT, 100);
        network.run(SHORT);

        Told told = client.last();
        assertThat(told.kind()).isEqualTo(Kind.REJECTED);
        assertThat(told.indication().status()).isEqualTo(RejectReason.CONSUMER_DEFINED.code());
        assertThat(told.indication().privateData().toArray(ValueLayout.JAVA_BYTE))
                .isEqualTo(Bytes.padded("busy", 148));
        assertThat(passive().state()).isEqualTo(CmState.IDLE);
    }

    @Test
    void aPathMtuAboveTheOwnIsRejectedWithTheLargestPossible() {
        serverAccepts();
        RequestParameters large = Requests.request(client.gid, server.gid, PORT, 100, PathMtu.MTU_4096, "");
        client.engine.connect(large, client, network.now());
        network.run(SHORT);

        assertThat(client.last().indication().status()).isEqualTo(RejectReason.INVALID_PATH_MTU.code());
        CmReject reject = new CmReject().wrap(lastSent(server).mad(), 0);
        assertThat(reject.get(CmReject.REJECTED_INFO_LENGTH)).isEqualTo(1);
        assertThat(reject.additionalInfo()[0]).isEqualTo((byte) PathMtu.MTU_1024.code());
    }

    @Test
    void aFullBacklogLeavesRequestsUnansweredUntilAnEventIsTaken() {
        CmListener listener = server.listen(PORT, 1);
        server.takesRequests = false;
        clientEstablishes();
        CmConnection first = client.connect(server, PORT, 100);
        CmConnection second = client.connect(server, PORT, 101);
        network.run(SHORT);
        assertThat(server.told).hasSize(1);
        assertThat(server.statistics().backlogOverflows()).isEqualTo(1);

        passive().accept(Requests.reply(200), network.now());
        network.run(REQUEST_INTERVAL);
        assertThat(server.statistics().backlogOverflows())
                .as("the answer frees no place")
                .isEqualTo(2);
        listener.requestTaken();
        network.run(REQUEST_INTERVAL);
        assertThat(first.state()).isEqualTo(CmState.ESTABLISHED);
        assertThat(server.told)
                .extracting(Told::kind)
                .filteredOn(Kind.REQUESTED::equals)
                .hasSize(2);
        server.last().connection().accept(Requests.reply(201), network.now());
        network.run(SHORT);
        assertThat(second.state()).isEqualTo(CmState.ESTABLISHED);
    }

    @Test
    void anUnexpectedReplyIsRejectedForItsCommunicationId() {
        serverAccepts();
        network.lose(CmAttribute.REJ);
        CmConnection connection = client.connect(server, PORT, 100);
        connection.destroy(network.now());
        network.lose(mad -> false);
        network.run(SHORT);

        Told told = server.last();
        assertThat(told.kind()).isEqualTo(Kind.REJECTED);
        assertThat(told.indication().status()).isEqualTo(RejectReason.INVALID_COMMUNICATION_ID.code());
        assertThat(new CmReject().wrap(lastSent(client).mad(), 0).get(CmReject.MESSAGE_REJECTED))
                .isEqualTo(CmReject.REP);
    }

    @Test
    void destroyingAnUnansweredRequestRejectsItAtThePeer() {
        server.listen(PORT, 10);
        CmConnection connection = client.connect(server, PORT, 100);
        network.run(SHORT);
        connection.destroy(network.now());
        network.run(SHORT);

        assertThat(server.last().kind()).isEqualTo(Kind.REJECTED);
        assertThat(server.last().indication().status()).isEqualTo(RejectReason.TIMEOUT.code());
        assertThat(passive().state()).isEqualTo(CmState.IDLE);
    }

    @Test
    void disconnectingIsAnsweredWhenTheOtherUserDisconnectsToo() {
        CmConnection connection = connected();
        connection.disconnect(network.now());
        network.run(SHORT);
        assertThat(server.last().kind()).isEqualTo(Kind.DISCONNECTED);
        assertThat(connection.state()).isEqualTo(CmState.DREQ_SENT);

        passive().disconnect(network.now());
        network.run(SHORT);
        assertThat(connection.state()).isEqualTo(CmState.TIMEWAIT);
        assertThat(client.last().kind()).isEqualTo(Kind.DISCONNECTED);
        assertThat(client.last().indication().status()).isZero();

        network.run(Duration.ofMillis(512));
        assertThat(client.last().kind()).isEqualTo(Kind.TIMEWAIT_EXIT);
        assertThat(server.last().kind()).isEqualTo(Kind.TIMEWAIT_EXIT);
        assertThat(connection.state()).isEqualTo(CmState.IDLE);
        assertThat(passive().state()).isEqualTo(CmState.IDLE);
    }

    @Test
    void disconnectingAtOnceEndsBothSides() {
        CmConnection connection = connected();
        connection.disconnect(network.now());
        passive().disconnect(network.now());
        network.run(SHORT);
        assertThat(connection.state()).isEqualTo(CmState.DREQ_RCVD);
        assertThat(passive().state()).isEqualTo(CmState.DREQ_RCVD);

        connection.destroy(network.now());
        network.run(SHORT);
        assertThat(passive().state()).isEqualTo(CmState.TIMEWAIT);
        network.run(LONG);
        assertThat(passive().state()).isEqualTo(CmState.IDLE);
        assertThat(connection.state()).isEqualTo(CmState.IDLE);
    }

    @Test
    void anUnansweredDisconnectionEndsAfterSixteenTriesWithATimeout() {
        CmConnection connection = connected();
        network.lose(CmAttribute.DREQ);
        long begin = network.now();
        connection.disconnect(begin);
        network.run(LONG);

        assertThat(times(client, CmAttribute.DREQ)).hasSize(TRIES);
        assertThat(client.told).extracting(Told::kind).endsWith(Kind.DISCONNECTED, Kind.TIMEWAIT_EXIT);
        Told told = client.told.get(client.told.size() - 2);
        assertThat(told.indication().status()).isEqualTo(-Errno.ETIMEDOUT.number());
        assertThat(Duration.ofNanos(told.time() - begin)).isEqualTo(REQUEST_INTERVAL.multipliedBy(TRIES));
    }

    @Test
    void aDisconnectionThatComesAgainInTimewaitIsAnsweredAgain() {
        CmConnection connection = connected();
        connection.disconnect(network.now());
        network.run(SHORT);
        network.lose(CmAttribute.DREP);
        passive().disconnect(network.now());
        network.run(SHORT);
        assertThat(passive().state()).isEqualTo(CmState.TIMEWAIT);
        network.lose(mad -> false);
        client.send(client.gid, server.gid, lastSent(client).mad());
        network.run(SHORT);

        assertThat(server.messages()).endsWith(CmAttribute.DREP, CmAttribute.DREP);
        assertThat(connection.state()).isEqualTo(CmState.TIMEWAIT);
        assertThat(server.statistics().duplicates().get(CmAttribute.DREQ)).isEqualTo(1);
    }

    @Test
    void aDisconnectionOfAForgottenConnectionIsAnsweredAnyway() {
        CmConnection connection = connected();
        network.lose(CmAttribute.DREQ);
        passive().destroy(network.now());
        network.run(Duration.ofSeconds(1));
        assertThat(passive().state()).isEqualTo(CmState.IDLE);
        network.lose(mad -> false);
        connection.disconnect(network.now());
        network.run(SHORT);

        assertThat(client.last().kind()).isEqualTo(Kind.DISCONNECTED);
        assertThat(client.last().indication().status()).isZero();
    }

    @Test
    void aDreqForAnotherQueuePairIsIgnored() {
        connected();
        CmDisconnectRequest message = new CmDisconnectRequest().wrap(MemorySegment.ofArray(new byte[256]), 0);
        message.initialize(7);
        message.set(CmDisconnectRequest.LOCAL_COMM_ID, passive().communication().remoteId())
                .set(
                        CmDisconnectRequest.REMOTE_COMM_ID,
                        passive().communication().localId())
                .set(CmDisconnectRequest.REMOTE_QPN, 999);
        client.send(client.gid, server.gid, message.segment());
        network.run(SHORT);

        assertThat(passive().state()).isEqualTo(CmState.ESTABLISHED);
        assertThat(server.statistics().malformed()).isEqualTo(1);
    }

    @Test
    void aQueuePairThatIsStillConnectedMakesANewRequestStaleAndEndsTheOldConnection() {
        connected();
        // The client has restarted: same node, same queue pair, no state.
        Node restarted = network.node("10.0.0.1", 0x1111);
        restarted.connect(server, PORT, 100);
        network.run(SHORT);

        assertThat(restarted.told).extracting(Told::kind).contains(Kind.REJECTED);
        assertThat(restarted.last().indication().status()).isEqualTo(RejectReason.STALE_CONNECTION.code());
        assertThat(server.messages()).endsWith(CmAttribute.REJ, CmAttribute.DREQ);
        assertThat(server.kinds(passive())).endsWith(Kind.DISCONNECTED);

        network.run(Duration.ofSeconds(1));
        restarted.user = (connection, indication) -> connection.establish();
        CmConnection again = restarted.connect(server, PORT, 100);
        network.run(SHORT);
        assertThat(again.state()).isEqualTo(CmState.ESTABLISHED);
    }

    @Test
    void aReplyFromAQueuePairThatIsConnectedAlreadyIsRejectedAsStale() {
        CmConnection first = connected();
        CmConnection second = client.connect(server, PORT, 101);
        network.run(SHORT);

        assertThat(first.state()).isEqualTo(CmState.ESTABLISHED);
        assertThat(second.state()).isEqualTo(CmState.REQ_SENT);
        assertThat(server.last().kind()).isEqualTo(Kind.REJECTED);
        assertThat(server.last().indication().status()).isEqualTo(RejectReason.STALE_CONNECTION.code());
    }

    @Test
    void aPassiveSideThatChangesItsMindBeforeTheReadyToUseEndsTheActiveSide() {
        serverAccepts();
        clientEstablishes();
        network.lose(CmAttribute.RTU);
        CmConnection connection = client.connect(server, PORT, 100);
        network.run(SHORT);
        passive().destroy(network.now());
        network.run(SHORT);

        assertThat(client.kinds(connection)).containsExactly(Kind.REPLIED, Kind.REJECTED);
        assertThat(connection.state()).isEqualTo(CmState.TIMEWAIT);
    }

    @Test
    void destroyingAnEstablishedConnectionSendsOneDreq() {
        CmConnection connection = connected();
        connection.destroy(network.now());
        network.run(LONG);

        assertThat(times(client, CmAttribute.DREQ)).hasSize(1);
        assertThat(server.kinds(passive())).endsWith(Kind.DISCONNECTED);
        assertThat(client.kinds(connection))
                .as("no indication after destruction")
                .containsExactly(Kind.REPLIED);
    }

    @Test
    void messagesFromStrangersAreIgnored() {
        CmConnection connection = connected();
        Node stranger = network.node("10.0.0.3", 0x3333);
        for (Sent each : List.copyOf(server.sent)) {
            stranger.send(stranger.gid, client.gid, each.mad());
        }
        CmReject reject = new CmReject().wrap(MemorySegment.ofArray(new byte[256]), 0);
        reject.initialize(7);
        reject.set(CmReject.LOCAL_COMM_ID, connection.communication().remoteId())
                .set(CmReject.REMOTE_COMM_ID, connection.communication().localId())
                .set(CmReject.REASON, 28);
        stranger.send(stranger.gid, client.gid, reject.segment());
        network.run(SHORT);

        assertThat(connection.state()).isEqualTo(CmState.ESTABLISHED);
        assertThat(client.statistics().unmatched()).isEqualTo(2);
    }

    @Test
    void messagesOfOtherKindsAreIgnoredAndCounted() {
        CmReply message = new CmReply().wrap(MemorySegment.ofArray(new byte[256]), 0);
        message.initialize(7);
        message.header().set(MadHeader.ATTRIBUTE_ID, CmAttribute.LAP.id());
        client.send(client.gid, server.gid, Bytes.segment(Bytes.list(message.segment())));
        message.header().set(MadHeader.MANAGEMENT_CLASS, 4);
        client.send(client.gid, server.gid, Bytes.segment(Bytes.list(message.segment())));
        network.run(SHORT);
        server.engine.onMad(client.gid, server.gid, MemorySegment.ofArray(new byte[255]), network.now());

        assertThat(server.statistics().ignored()).isEqualTo(2);
        assertThat(server.statistics().malformed()).isEqualTo(1);
        assertThat(server.sent).isEmpty();
    }
}
