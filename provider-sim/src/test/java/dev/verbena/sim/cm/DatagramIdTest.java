// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;

import dev.verbena.cm.CmEvent;
import dev.verbena.cm.CmEventType;
import dev.verbena.cm.ConnectionId;
import dev.verbena.cm.ConnectionParameters;
import dev.verbena.cm.MulticastRole;
import dev.verbena.cm.PortSpace;
import dev.verbena.cm.UdParameters;
import dev.verbena.sim.cm.CmHost.FakeQueuePair;
import dev.verbena.sim.cm.engine.Bytes;
import dev.verbena.sim.runtime.VirtualRuntime;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.GlobalRoute;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.mad.CmAttribute;
import dev.verbena.wire.mad.MadHeader;
import java.net.InetAddress;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Ids of the port spaces other than TCP: queries of queue pairs, groups, and connections by service ID. */
class DatagramIdTest {
    private static final ConnectionParameters DEFAULTS =
            ConnectionParameters.builder().build();
    private static final int UDP_QKEY = 0x01234567;
    private static final InetAddress GROUP = InetAddress.ofLiteral("239.0.0.77");
    private static final Gid GROUP_GID = Gid.parse("239.0.0.77");
    private static final Duration SILENCE = Duration.ofSeconds(20);

    private final VirtualRuntime runtime = new VirtualRuntime(5);
    private final MadWire wire = MadWire.delayed(runtime);
    private CmHost client;
    private CmHost server;

    @BeforeEach
    void makeHosts() throws VerbsException {
        client = new CmHost(runtime, wire, "10.0.0.1");
        server = new CmHost(runtime, wire, "10.0.0.2");
    }

    private static void assertRefused(Errno errno, String part, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(errno))
                .hasMessageContaining(part);
    }

    private ConnectionId asking(byte[] privateData) throws Exception {
        ConnectionId id = client.resolved(server, PortSpace.UDP);
        client.giveQueuePair(id, QpType.UD);
        id.connect(ConnectionParameters.builder().privateData(privateData).build());
        return id;
    }

    private ConnectionId asked() throws Exception {
        try (CmEvent request = server.expect(CmEventType.CONNECT_REQUEST)) {
            return request.id();
        }
    }

    @Test
    void aQueryReturnsQueuePairPathAndQkeyAndBothSidesSeePrivateData() throws Exception {
        ConnectionId listener = server.listener(PortSpace.UDP);
        ConnectionId active = asking(Bytes.ascii("which?").toArray(java.lang.foreign.ValueLayout.JAVA_BYTE));
        ConnectionId passive;
        try (CmEvent request = server.expect(CmEventType.CONNECT_REQUEST)) {
            passive = request.id();
            assertThat(request.listenId()).contains(listener);
            assertThat(request.privateData()).isEqualTo(Bytes.padded("which?", 180));
            assertThat(passive.portSpace()).isEqualTo(PortSpace.UDP);
            assertThat(passive.peerAddress()).isEqualTo(active.localAddress());
            assertThat(passive.localAddress()).contains(server.at(CmHost.PORT));
        }
        FakeQueuePair queuePair = server.giveQueuePair(passive, QpType.UD);
        assertThat(queuePair.modified)
                .extracting(each -> each.state())
                .containsExactly(QpState.INIT, QpState.RTR, QpState.RTS);
        passive.accept(
                ConnectionParameters.builder().privateData(new byte[] {42}).build());
        try (CmEvent established = client.expect(CmEventType.ESTABLISHED)) {
            UdParameters found = established.udParameters().orElseThrow();
            assertThat(found.qpNumber()).isEqualTo(queuePair.queuePair().number());
            assertThat(found.qkey()).isEqualTo(UDP_QKEY);
            GlobalRoute route = found.address().route().orElseThrow();
            assertThat(route.destination()).isEqualTo(Gid.parse("10.0.0.2"));
            assertThat(route.hopLimit()).isEqualTo(64);
            assertThat(established.privateData()).hasSize(136).startsWith(42);
            assertThat(established.parameters()).isEmpty();
        }
        server.expectNothingFor(SILENCE);
        assertRefused(Errno.EINVAL, "not answered yet", () -> passive.accept(DEFAULTS));
        for (ThrowingCallable call :
                new ThrowingCallable[] {active::disconnect, active::establish, active::notifyEstablished}) {
            assertRefused(Errno.EINVAL, "no connection", call);
        }
    }

    @Test
    void aChosenQkeyIsSetAndReported() throws Exception {
        server.listener(PortSpace.UDP);
        asking(new byte[0]);
        ConnectionId passive = asked();
        FakeQueuePair queuePair = server.giveQueuePair(passive, QpType.UD);
        passive.accept(ConnectionParameters.builder().qkey(0x42).build());
        assertThat(queuePair.modified.getLast().qkey()).isEqualTo(0x42);
        try (CmEvent established = client.expect(CmEventType.ESTABLISHED)) {
            assertThat(established.udParameters().orElseThrow().qkey()).isEqualTo(0x42);
        }
    }

    @Test
    void aRejectedQueryReportsTheStatus() throws Exception {
        server.listener(PortSpace.UDP);
        asking(new byte[0]);
        asked().reject(new byte[] {7});
        try (CmEvent refused = client.expect(CmEventType.UNREACHABLE)) {
            assertThat(refused.status()).isEqualTo(2);
            assertThat(refused.privateData()).hasSize(136).startsWith(7);
        }
    }

    @Test
    void closingTheIdOfAQueryRejectsIt() throws Exception {
        server.listener(PortSpace.UDP);
        asking(new byte[0]);
        asked().close();
        try (CmEvent refused = client.expect(CmEventType.UNREACHABLE)) {
            assertThat(refused.status()).isEqualTo(2);
        }
    }

    @Test
    void withoutAListenerForDatagramsThereIsNoSuchService() throws Exception {
        server.listener(PortSpace.TCP);
        asking(new byte[0]);
        try (CmEvent refused = client.expect(CmEventType.UNREACHABLE)) {
            assertThat(refused.status()).isEqualTo(1);
        }
    }

    @Test
    void aSilentPeerIsUnreachableAfterSixteenTries() throws Exception {
        wire.lose(mad -> mad.get(MadHeader.ATTRIBUTE_ID) == CmAttribute.SIDR_REP.id());
        server.listener(PortSpace.UDP);
        asking(new byte[0]);
        long start = runtime.nanoTime();
        try (CmEvent silent = client.expect(CmEventType.UNREACHABLE)) {
            assertThat(silent.status()).isEqualTo(-Errno.ETIMEDOUT.number());
        }
        assertThat(Duration.ofNanos(runtime.nanoTime() - start)).isEqualTo(Duration.ofMillis(16 * 4096));
        assertThat(client.manager.statistics().retransmitted().get(CmAttribute.SIDR_REQ))
                .isEqualTo(15);
    }

    @Test
    void aLostAnswerIsRepeatedAndTheQuestionSeenOnce() throws Exception {
        server.listener(PortSpace.UDP);
        boolean[] lost = {false};
        wire.lose(mad -> mad.get(MadHeader.ATTRIBUTE_ID) == CmAttribute.SIDR_REP.id() && !lost[0] && (lost[0] = true));
        asking(new byte[0]);
        ConnectionId passive = asked();
        server.giveQueuePair(passive, QpType.UD);
        passive.accept(DEFAULTS);
        client.expect(CmEventType.ESTABLISHED).close();
        server.expectNothingFor(SILENCE);
        assertThat(server.manager.statistics().duplicates().get(CmAttribute.SIDR_REQ))
                .isEqualTo(1);
    }

    @Test
    void privateDataTooLongAndAWrongQueuePairTypeAreRefused() throws Exception {
        ConnectionId id = client.resolved(server, PortSpace.UDP);
        assertRefused(Errno.EINVAL, "UD", () -> client.giveQueuePair(id, QpType.RC));
        assertRefused(
                Errno.EINVAL,
                "room for 180",
                () -> id.connect(ConnectionParameters.builder()
                        .privateData(new byte[181])
                        .build()));
        server.listener(PortSpace.UDP);
        id.connect(DEFAULTS);
        ConnectionId passive = asked();
        assertRefused(
                Errno.EINVAL,
                "room for 136",
                () -> passive.accept(ConnectionParameters.builder()
                        .privateData(new byte[137])
                        .qpNumber(5)
                        .build()));
        assertRefused(Errno.EINVAL, "no queue pair", () -> passive.accept(DEFAULTS));
        passive.accept(ConnectionParameters.builder().qpNumber(5).build());
        try (CmEvent established = client.expect(CmEventType.ESTABLISHED)) {
            assertThat(established.udParameters().orElseThrow().qpNumber()).isEqualTo(5);
        }
    }

    @Test
    void portSpacesDoNotSharePorts() throws Exception {
        server.listener(PortSpace.TCP);
        server.listener(PortSpace.UDP);
        server.listener(PortSpace.IB);
        assertRefused(Errno.EADDRINUSE, "port 987", () -> server.listener(PortSpace.UDP));
    }

    @Test
    void joiningAGroupAttachesTheQueuePairAndReportsTheSendParameters() throws Exception {
        ConnectionId id = client.newId(PortSpace.UDP);
        assertRefused(Errno.EINVAL, "IDLE", () -> id.joinMulticast(GROUP, MulticastRole.FULL_MEMBER, null));
        id.bind(client.at(0));
        FakeQueuePair queuePair = client.giveQueuePair(id, QpType.UD);
        assertRefused(Errno.EINVAL, "group", () -> id.joinMulticast(server.address, MulticastRole.FULL_MEMBER, null));
        id.joinMulticast(GROUP, MulticastRole.FULL_MEMBER, "mine");
        try (CmEvent joined = client.expect(CmEventType.MULTICAST_JOIN)) {
            assertThat(joined.multicastContext()).isEqualTo("mine");
            UdParameters group = joined.udParameters().orElseThrow();
            assertThat(group.qpNumber()).isEqualTo(0xFFFFFF);
            assertThat(group.qkey()).isEqualTo(UDP_QKEY);
            assertThat(group.address().route().orElseThrow().destination()).isEqualTo(GROUP_GID);
        }
        verify(queuePair.queuePair()).attachMulticast(GROUP_GID, 0);
        assertRefused(Errno.EINVAL, "joined already", () -> id.joinMulticast(GROUP, MulticastRole.FULL_MEMBER, null));
        id.leaveMulticast(GROUP);
        verify(queuePair.queuePair()).detachMulticast(GROUP_GID, 0);
        assertRefused(Errno.EADDRNOTAVAIL, "not in group", () -> id.leaveMulticast(GROUP));
    }

    @Test
    void aSendOnlyMemberIsNotAttached() throws Exception {
        ConnectionId id = client.newId(PortSpace.UDP);
        id.bind(client.at(0));
        FakeQueuePair queuePair = client.giveQueuePair(id, QpType.UD);
        id.joinMulticast(GROUP, MulticastRole.SEND_ONLY, null);
        client.expect(CmEventType.MULTICAST_JOIN).close();
        id.leaveMulticast(GROUP);
        verify(queuePair.queuePair(), never()).attachMulticast(GROUP_GID, 0);
        verify(queuePair.queuePair(), never()).detachMulticast(GROUP_GID, 0);
    }

    @Test
    void aGroupThatTheQueuePairCannotBeAttachedToIsNotJoined() throws Exception {
        ConnectionId id = client.newId(PortSpace.UDP);
        id.bind(client.at(0));
        FakeQueuePair queuePair = client.giveQueuePair(id, QpType.UD);
        doThrow(new VerbsException(Errno.ENOMEM, "ibv_attach_mcast", "as the test wants it"))
                .when(queuePair.queuePair())
                .attachMulticast(GROUP_GID, 0);
        id.joinMulticast(GROUP, MulticastRole.FULL_MEMBER, "mine");
        try (CmEvent failed = client.expect(CmEventType.MULTICAST_ERROR)) {
            assertThat(failed.status()).isEqualTo(-Errno.ENOMEM.number());
            assertThat(failed.multicastContext()).isEqualTo("mine");
        }
        assertRefused(Errno.EADDRNOTAVAIL, "not in group", () -> id.leaveMulticast(GROUP));
    }

    @Test
    void aServiceOfPortSpaceIbCanBeReliableOrADatagramService() throws Exception {
        server.listener(PortSpace.IB);
        ConnectionId active = client.resolved(server, PortSpace.IB);
        FakeQueuePair own = client.giveQueuePair(active, QpType.UC);
        active.connect(DEFAULTS);
        ConnectionId passive = asked();
        assertRefused(Errno.EINVAL, "UC", () -> server.giveQueuePair(passive, QpType.RC));
        FakeQueuePair peers = server.giveQueuePair(passive, QpType.UC);
        passive.accept(DEFAULTS);
        client.expect(CmEventType.ESTABLISHED).close();
        server.expect(CmEventType.ESTABLISHED).close();
        assertThat(own.modified.get(1).destinationQpn())
                .isEqualTo(peers.queuePair().number());
        assertThat(own.modified.get(2).sqPsn()).isEqualTo(peers.modified.get(1).rqPsn());
        assertThat(own.modified.getLast().state()).isEqualTo(QpState.RTS);
        assertThat(peers.modified.getLast().state()).isEqualTo(QpState.RTS);
        passive.disconnect();
        client.expect(CmEventType.DISCONNECTED).close();
    }
}
