// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.cm.CmEvent;
import dev.verbena.cm.CmEventType;
import dev.verbena.cm.ConnectionId;
import dev.verbena.cm.ConnectionParameters;
import dev.verbena.cm.RejectReason;
import dev.verbena.sim.cm.CmHost.FakeQueuePair;
import dev.verbena.sim.cm.engine.Bytes;
import dev.verbena.sim.runtime.VirtualRuntime;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.AckTimeout;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.GlobalRoute;
import dev.verbena.verbs.PathMtu;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.RnrRetryCount;
import dev.verbena.verbs.RnrTimer;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.UdpSourcePort;
import dev.verbena.wire.mad.CmAttribute;
import dev.verbena.wire.mad.MadHeader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Connecting as users see it: events, parameters and the states of queue pairs. */
class SimConnectionManagerTest {
    private static final ConnectionParameters DEFAULTS =
            ConnectionParameters.builder().qpNumber(4711).build();
    private static final byte[] NONE = {};

    private final VirtualRuntime runtime = new VirtualRuntime(5);
    private final MadWire wire = MadWire.delayed(runtime);
    private CmHost client;
    private CmHost server;

    @BeforeEach
    void makeHosts() throws VerbsException {
        client = new CmHost(runtime, wire, "10.0.0.1");
        server = new CmHost(runtime, wire, "10.0.0.2");
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static List<QpState> states(FakeQueuePair queuePair) {
        return queuePair.modified.stream().map(QpAttributes::state).toList();
    }

    private record Connected(
            ConnectionId active, FakeQueuePair activeQp, ConnectionId passive, FakeQueuePair passiveQp) {}

    private Connected connect() throws VerbsException, InterruptedException {
        server.listener();
        ConnectionId active = client.ready(server);
        active.connect(DEFAULTS);
        ConnectionId passive;
        try (CmEvent request = server.expect(CmEventType.CONNECT_REQUEST)) {
            passive = request.id();
        }
        FakeQueuePair passiveQp = server.giveQueuePair(passive);
        passive.accept(DEFAULTS);
        client.expect(CmEventType.ESTABLISHED).close();
        server.expect(CmEventType.ESTABLISHED).close();
        return new Connected(active, client.fake(active.queuePair().orElseThrow()), passive, passiveQp);
    }

    @Test
    void bothSidesSeeAddressesPrivateDataAndParameters() throws Exception {
        ConnectionId listener = server.listener();
        listener.setContext("shared");
        ConnectionId active = client.ready(server);
        active.connect(ConnectionParameters.builder()
                .responderResources(3)
                .initiatorDepth(2)
                .retryCount(5)
                .rnrRetryCount(RnrRetryCount.of(6))
                .flowControl(true)
                .privateData(ascii("hello"))
                .build());

        CmEvent request = server.expect(CmEventType.CONNECT_REQUEST);
        ConnectionId passive = request.id();
        assertThat(request.listenId()).contains(listener);
        assertThat(request.privateData()).isEqualTo(Bytes.padded("hello", 56));
        ConnectionParameters offered = request.parameters().orElseThrow();
        assertThat(offered.responderResources())
                .as("the peer's initiator depth")
                .isEqualTo(2);
        assertThat(offered.initiatorDepth())
                .as("the peer's responder resources")
                .isEqualTo(3);
        assertThat(offered.retryCount()).isEqualTo(5);
        assertThat(offered.rnrRetryCount()).isEqualTo(RnrRetryCount.of(6));
        assertThat(offered.flowControl()).isTrue();
        assertThat(offered.qpNumber())
                .isEqualTo(active.queuePair().orElseThrow().number());
        assertThat(passive.context()).isEqualTo("shared");
        assertThat(passive.localAddress()).contains(server.at(CmHost.PORT));
        assertThat(passive.peerAddress()).isEqualTo(active.localAddress());
        assertThat(passive.device()).contains(server.context());
        assertThat(passive.port()).isEqualTo(1);
        request.close();

        server.giveQueuePair(passive);
        passive.accept(ConnectionParameters.builder()
                .rnrRetryCount(RnrRetryCount.of(1))
                .privateData(ascii("welcome"))
                .build());
        try (CmEvent established = client.expect(CmEventType.ESTABLISHED)) {
            assertThat(established.id()).isEqualTo(active);
            assertThat(established.status()).isZero();
            assertThat(established.privateData()).isEqualTo(Bytes.padded("welcome", 196));
            ConnectionParameters agreed = established.parameters().orElseThrow();
            assertThat(agreed.responderResources()).isEqualTo(3);
            assertThat(agreed.initiatorDepth()).isEqualTo(2);
            assertThat(agreed.rnrRetryCount()).isEqualTo(RnrRetryCount.of(1));
        }
        try (CmEvent established = server.expect(CmEventType.ESTABLISHED)) {
            assertThat(established.id()).isEqualTo(passive);
            assertThat(established.privateData()).isEmpty();
        }
    }

    @Test
    void disconnectingRightAfterAcceptFailsTheQueuePairAndLetsTheHandshakeEnd() throws Exception {
        server.listener();
        ConnectionId active = client.ready(server);
        active.connect(DEFAULTS);
        ConnectionId passive;
        try (CmEvent request = server.expect(CmEventType.CONNECT_REQUEST)) {
            passive = request.id();
        }
        FakeQueuePair passiveQp = server.giveQueuePair(passive);
        passive.accept(DEFAULTS);
        // No DREQ can be sent before the RTU. As in cma.c rdma_disconnect, the queue pair fails and the call succeeds.
        passive.disconnect();
        assertThat(states(passiveQp)).last().isEqualTo(QpState.ERR);
        client.expect(CmEventType.ESTABLISHED).close();
        server.expect(CmEventType.ESTABLISHED).close();
        passive.disconnect();
        client.expect(CmEventType.DISCONNECTED).close();
        active.disconnect();
        server.expect(CmEventType.DISCONNECTED).close();
    }

    @Test
    void disconnectingBeforeTheAnswerFailsTheQueuePairOfEitherSide() throws Exception {
        server.listener();
        ConnectionId active = client.ready(server);
        active.connect(DEFAULTS);
        active.disconnect();
        assertThat(states(client.fake(active.queuePair().orElseThrow()))).last().isEqualTo(QpState.ERR);
        try (CmEvent request = server.expect(CmEventType.CONNECT_REQUEST)) {
            ConnectionId passive = request.id();
            FakeQueuePair passiveQp = server.giveQueuePair(passive);
            passive.disconnect();
            assertThat(states(passiveQp)).last().isEqualTo(QpState.ERR);
            passive.reject(new byte[0]);
        }
        client.expect(CmEventType.REJECTED).close();
        active.disconnect();
    }

    @Test
    void queuePairsGetTheAttributesOfTheHandshake() throws Exception {
        server.listener();
        ConnectionId active = client.ready(server);
        active.setAckTimeout(AckTimeout.ofCode(12));
        active.connect(ConnectionParameters.builder()
                .responderResources(3)
                .initiatorDepth(0)
                .retryCount(5)
                .rnrRetryCount(RnrRetryCount.of(6))
                .build());
        ConnectionId passive;
        try (CmEvent request = server.expect(CmEventType.CONNECT_REQUEST)) {
            passive = request.id();
        }
        FakeQueuePair passiveQp = server.giveQueuePair(passive);
        passive.accept(ConnectionParameters.builder()
                .rnrRetryCount(RnrRetryCount.of(1))
                .build());
        assertThat(states(passiveQp)).containsExactly(QpState.INIT, QpState.RTR, QpState.RTS);
        client.expect(CmEventType.ESTABLISHED).close();
        FakeQueuePair activeQp = client.fake(active.queuePair().orElseThrow());
        assertThat(states(activeQp)).containsExactly(QpState.INIT, QpState.RTR, QpState.RTS);

        QpAttributes activeInit = activeQp.modified.get(0);
        assertThat(activeInit.port()).isEqualTo(1);
        assertThat(activeInit.pkeyIndex()).isZero();
        assertThat(activeInit.access())
                .containsExactlyInAnyOrder(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ);

        QpAttributes activeRtr = activeQp.modified.get(1);
        QpAttributes activeRts = activeQp.modified.get(2);
        QpAttributes passiveRtr = passiveQp.modified.get(1);
        QpAttributes passiveRts = passiveQp.modified.get(2);
        assertThat(activeRtr.destinationQpn()).isEqualTo(passiveQp.queuePair().number());
        assertThat(passiveRtr.destinationQpn()).isEqualTo(activeQp.queuePair().number());
        assertThat(activeRtr.rqPsn()).isEqualTo(passiveRts.sqPsn());
        assertThat(passiveRtr.rqPsn()).isEqualTo(activeRts.sqPsn());
        assertThat(activeRtr.pathMtu()).isEqualTo(PathMtu.MTU_1024);
        assertThat(passiveRtr.pathMtu()).isEqualTo(PathMtu.MTU_1024);
        assertThat(activeRtr.minRnrTimer()).isEqualTo(RnrTimer.ofCode(0));
        assertThat(activeRtr.maxDestRdAtomic()).as("reads by the passive side").isEqualTo(3);
        assertThat(activeRts.maxRdAtomic()).isZero();
        assertThat(passiveRtr.maxDestRdAtomic()).isZero();
        assertThat(passiveRts.maxRdAtomic()).isEqualTo(3);
        assertThat(activeRtr.access())
                .containsExactlyInAnyOrder(
                        AccessFlag.LOCAL_WRITE,
                        AccessFlag.REMOTE_WRITE,
                        AccessFlag.REMOTE_READ,
                        AccessFlag.REMOTE_ATOMIC);
        assertThat(passiveRtr.access()).containsExactlyInAnyOrder(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
        assertThat(activeRts.ackTimeout()).isEqualTo(AckTimeout.ofCode(12));
        assertThat(passiveRts.ackTimeout()).as("as the REQ says").isEqualTo(AckTimeout.ofCode(12));
        assertThat(activeRts.retryCount()).isEqualTo(5);
        assertThat(passiveRts.retryCount()).isEqualTo(5);
        assertThat(activeRts.rnrRetryCount()).isEqualTo(RnrRetryCount.of(1));
        assertThat(passiveRts.rnrRetryCount()).isEqualTo(RnrRetryCount.of(6));

        int sourcePort = active.localAddress().orElseThrow().getPort();
        GlobalRoute forth = activeRtr.addressVector().route().orElseThrow();
        assertThat(forth.destination()).isEqualTo(Gid.parse("10.0.0.2"));
        assertThat(forth.flowLabel()).isEqualTo(UdpSourcePort.cmFlowLabel(sourcePort, CmHost.PORT));
        assertThat(forth.hopLimit()).isEqualTo(64);
        GlobalRoute back = passiveRtr.addressVector().route().orElseThrow();
        assertThat(back.destination()).isEqualTo(Gid.parse("10.0.0.1"));
        assertThat(back.flowLabel()).isEqualTo(forth.flowLabel());
    }

    @Test
    void theAckTimeoutIsSeventeenAndTheTypeOfServiceTravels() throws Exception {
        server.listener();
        ConnectionId active = client.newId();
        active.setTypeOfService(0x68);
        active.resolveAddress(null, server.at(CmHost.PORT), Duration.ZERO);
        client.expect(CmEventType.ADDR_RESOLVED).close();
        active.resolveRoute(Duration.ZERO);
        client.expect(CmEventType.ROUTE_RESOLVED).close();
        client.giveQueuePair(active);
        active.connect(DEFAULTS);
        ConnectionId passive;
        try (CmEvent request = server.expect(CmEventType.CONNECT_REQUEST)) {
            passive = request.id();
        }
        FakeQueuePair passiveQp = server.giveQueuePair(passive);
        passive.accept(DEFAULTS);

        assertThat(passiveQp
                        .modified
                        .get(1)
                        .addressVector()
                        .route()
                        .orElseThrow()
                        .trafficClass())
                .isEqualTo(0x68);
        assertThat(passiveQp.modified.get(2).ackTimeout()).isEqualTo(AckTimeout.ofCode(17));
    }

    @Test
    void depthsAreLimitedToWhatTheDeviceCanAndThePeerOffers() throws Exception {
        server.listener();
        ConnectionId active = client.ready(server);
        active.connect(ConnectionParameters.builder()
                .responderResources(ConnectionParameters.DEVICE_MAXIMUM)
                .initiatorDepth(200)
                .build());
        ConnectionId passive;
        try (CmEvent request = server.expect(CmEventType.CONNECT_REQUEST)) {
            ConnectionParameters offered = request.parameters().orElseThrow();
            assertThat(offered.initiatorDepth()).as("device maximum").isEqualTo(16);
            assertThat(offered.responderResources()).as("asked for more").isEqualTo(8);
            passive = request.id();
        }
        FakeQueuePair passiveQp = server.giveQueuePair(passive);
        passive.accept(DEFAULTS);

        assertThat(passiveQp.modified.get(1).maxDestRdAtomic())
                .as("no more than the peer uses")
                .isEqualTo(8);
        assertThat(passiveQp.modified.get(2).maxRdAtomic())
                .as("no more than the device can")
                .isEqualTo(8);
    }

    @Test
    void aRejectionCarriesReasonAndPrivateDataAndStopsTheQueuePair() throws Exception {
        server.listener();
        ConnectionId active = client.ready(server);
        active.connect(DEFAULTS);
        try (CmEvent request = server.expect(CmEventType.CONNECT_REQUEST)) {
            request.id().reject(ascii("no"));
        }
        try (CmEvent rejected = client.expect(CmEventType.REJECTED)) {
            assertThat(rejected.rejectReason()).contains(RejectReason.CONSUMER_DEFINED);
            assertThat(rejected.privateData()).isEqualTo(Bytes.padded("no", 148));
        }
        assertThat(active.queuePair().orElseThrow().state()).isEqualTo(QpState.ERR);
        assertThatThrownBy(() -> active.connect(DEFAULTS)).hasMessageContaining("CONNECT/IDLE");
    }

    @Test
    void withoutAListenerTheConnectionIsRejected() throws Exception {
        ConnectionId active = client.ready(server);
        active.connect(DEFAULTS);
        try (CmEvent rejected = client.expect(CmEventType.REJECTED)) {
            assertThat(rejected.rejectReason()).contains(RejectReason.INVALID_SERVICE_ID);
        }
    }

    @Test
    void aSilentPeerIsUnreachableAfterSixteenTries() throws Exception {
        server.listener();
        wire.lose(mad -> mad.get(MadHeader.ATTRIBUTE_ID) == CmAttribute.REQ.id());
        ConnectionId active = client.ready(server);
        long begin = runtime.nanoTime();
        active.connect(DEFAULTS);
        try (CmEvent unreachable = client.expect(CmEventType.UNREACHABLE)) {
            assertThat(unreachable.status()).isEqualTo(-Errno.ETIMEDOUT.number());
        }
        assertThat(Duration.ofNanos(runtime.nanoTime() - begin)).isEqualTo(Duration.ofMillis(16 * 4608));
        assertThat(client.manager.statistics().sent().get(CmAttribute.REQ)).isEqualTo(16);
    }

    @Test
    void disconnectingStopsTheQueuePairAndIsSeenOnBothSides() throws Exception {
        Connected both = connect();
        both.active().disconnect();
        assertThat(states(both.activeQp())).endsWith(QpState.ERR);
        server.expect(CmEventType.DISCONNECTED).close();
        assertThat(states(both.passiveQp())).as("its user's decision").endsWith(QpState.RTS);
        both.passive().disconnect();
        assertThat(states(both.passiveQp())).endsWith(QpState.ERR);
        try (CmEvent event = client.expect(CmEventType.DISCONNECTED)) {
            assertThat(event.status()).isZero();
        }
        client.expect(CmEventType.TIMEWAIT_EXIT).close();
        server.expect(CmEventType.TIMEWAIT_EXIT).close();
        both.active().disconnect();
    }

    @Test
    void disconnectingAtOnceIsSeenOnceOnEachSide() throws Exception {
        Connected both = connect();
        both.active().disconnect();
        both.passive().disconnect();
        client.expect(CmEventType.DISCONNECTED).close();
        server.expect(CmEventType.DISCONNECTED).close();
        both.active().disconnect();
        client.expect(CmEventType.TIMEWAIT_EXIT).close();
        server.expect(CmEventType.TIMEWAIT_EXIT).close();
        client.expectNothingFor(Duration.ofMinutes(3));
        server.expectNothingFor(Duration.ZERO);
    }

    @Test
    void closingAnIdEndsItsConnectionForThePeer() throws Exception {
        Connected both = connect();
        both.activeQp().queuePair().close();
        both.active().close();
        server.expect(CmEventType.DISCONNECTED).close();
        both.passiveQp().queuePair().close();
        both.passive().close();
        server.expectNothingFor(Duration.ofMinutes(3));
        client.channel.close();
    }

    @Test
    void closingTheListenerRejectsUnseenRequests() throws Exception {
        ConnectionId listener = server.listener();
        ConnectionId active = client.ready(server);
        active.connect(DEFAULTS);
        assertThat(runtime.await(() -> false, Duration.ofMillis(10))).isFalse();
        listener.close();
        try (CmEvent rejected = client.expect(CmEventType.REJECTED)) {
            assertThat(rejected.rejectReason()).contains(RejectReason.CONSUMER_DEFINED);
        }
        server.expectNothingFor(Duration.ofSeconds(1));
        server.channel.close();
    }

    @Test
    void anIdWithoutAQueuePairNeedsEstablish() throws Exception {
        server.listener();
        ConnectionId active = client.resolved(server);
        active.connect(ConnectionParameters.builder().qpNumber(4711).build());
        ConnectionId passive;
        try (CmEvent request = server.expect(CmEventType.CONNECT_REQUEST)) {
            passive = request.id();
            assertThat(request.parameters().orElseThrow().qpNumber()).isEqualTo(4711);
        }
        passive.accept(ConnectionParameters.builder()
                .qpNumber(4712)
                .privateData(ascii("welcome"))
                .build());
        try (CmEvent response = client.expect(CmEventType.CONNECT_RESPONSE)) {
            assertThat(response.parameters().orElseThrow().qpNumber()).isEqualTo(4712);
            assertThat(response.privateData()).isEqualTo(Bytes.padded("welcome", 196));
        }
        active.establish();
        server.expect(CmEventType.ESTABLISHED).close();
        assertThatThrownBy(active::establish).hasMessageContaining("CONNECT/ESTABLISHED");
    }

    @Test
    void dataThatComesFirstMayStandForTheReadyToUse() throws Exception {
        server.listener();
        wire.lose(mad -> mad.get(MadHeader.ATTRIBUTE_ID) == CmAttribute.RTU.id());
        ConnectionId active = client.ready(server);
        active.connect(DEFAULTS);
        ConnectionId passive;
        try (CmEvent request = server.expect(CmEventType.CONNECT_REQUEST)) {
            passive = request.id();
        }
        server.giveQueuePair(passive);
        passive.accept(DEFAULTS);
        client.expect(CmEventType.ESTABLISHED).close();
        passive.notifyEstablished();
        server.expect(CmEventType.ESTABLISHED).close();
        // As ib_cm's cm_establish answers.
        assertThatThrownBy(passive::notifyEstablished)
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EISCONN));
        server.expectNothingFor(Duration.ofSeconds(1));
    }

    @Test
    void aQueuePairThatCannotBeMovedByTheActiveSideEndsBothSides() throws Exception {
        server.listener();
        ConnectionId active = client.ready(server);
        client.fake(active.queuePair().orElseThrow()).failOn(QpState.RTS);
        active.connect(DEFAULTS);
        try (CmEvent request = server.expect(CmEventType.CONNECT_REQUEST)) {
            server.giveQueuePair(request.id());
            request.id().accept(DEFAULTS);
        }
        try (CmEvent error = client.expect(CmEventType.CONNECT_ERROR)) {
            assertThat(error.status()).isEqualTo(-Errno.ENOMEM.number());
        }
        assertThat(active.queuePair().orElseThrow().state()).isEqualTo(QpState.ERR);
        try (CmEvent rejected = server.expect(CmEventType.REJECTED)) {
            assertThat(rejected.rejectReason()).contains(RejectReason.CONSUMER_DEFINED);
        }
    }

    @Test
    void aQueuePairThatCannotBeMovedByThePassiveSideEndsBothSides() throws Exception {
        server.listener();
        ConnectionId active = client.ready(server);
        active.connect(DEFAULTS);
        try (CmEvent request = server.expect(CmEventType.CONNECT_REQUEST)) {
            FakeQueuePair queuePair = server.giveQueuePair(request.id());
            queuePair.failOn(QpState.RTR);
            assertThatThrownBy(() -> request.id().accept(DEFAULTS))
                    .isInstanceOfSatisfying(
                            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENOMEM));
            assertThat(queuePair.queuePair().state()).isEqualTo(QpState.ERR);
            assertThatThrownBy(() -> request.id().reject(NONE)).hasMessageContaining("CONNECT/IDLE");
        }
        try (CmEvent rejected = client.expect(CmEventType.REJECTED)) {
            assertThat(rejected.rejectReason()).contains(RejectReason.CONSUMER_DEFINED);
        }
    }

    @Test
    void aSideThatHasNotAnsweredIsNotifiedWhenThePeerGivesUp() throws Exception {
        server.listener();
        ConnectionId active = client.resolved(server);
        active.connect(DEFAULTS);
        try (CmEvent request = server.expect(CmEventType.CONNECT_REQUEST)) {
            active.close();
            try (CmEvent rejected = server.expect(CmEventType.REJECTED)) {
                assertThat(rejected.id()).isEqualTo(request.id());
                assertThat(rejected.rejectReason()).contains(RejectReason.TIMEOUT);
            }
            assertThatThrownBy(() -> request.id().accept(DEFAULTS))
                    .isInstanceOfSatisfying(
                            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL))
                    .hasMessageContaining("CONNECT/IDLE");
        }
    }

    @Test
    void manyConnectionsAtATimeGoTheirOwnWays() throws Exception {
        server.listener();
        for (int i = 0; i < 50; i++) {
            client.ready(server)
                    .connect(ConnectionParameters.builder()
                            .privateData(new byte[] {(byte) i})
                            .build());
        }
        for (int i = 0; i < 50; i++) {
            try (CmEvent request = server.expect(CmEventType.CONNECT_REQUEST)) {
                server.giveQueuePair(request.id());
                request.id()
                        .accept(ConnectionParameters.builder()
                                .privateData(new byte[] {request.privateData()[0]})
                                .build());
            }
        }
        for (int i = 0; i < 50; i++) {
            try (CmEvent established = client.expect(CmEventType.ESTABLISHED)) {
                assertThat(established.privateData()[0]).isEqualTo((byte) i);
            }
            server.expect(CmEventType.ESTABLISHED).close();
        }
    }
}
