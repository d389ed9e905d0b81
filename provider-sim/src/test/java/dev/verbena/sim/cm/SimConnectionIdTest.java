// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import dev.verbena.cm.CmEvent;
import dev.verbena.cm.CmEventType;
import dev.verbena.cm.ConnectionId;
import dev.verbena.cm.ConnectionParameters;
import dev.verbena.cm.EventChannel;
import dev.verbena.cm.MulticastRole;
import dev.verbena.cm.PortSpace;
import dev.verbena.cm.RejectReason;
import dev.verbena.sim.runtime.VirtualRuntime;
import dev.verbena.verbs.AckTimeout;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.Psn;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.mad.CmReject;
import dev.verbena.wire.mad.CmReply;
import dev.verbena.wire.mad.CmRequest;
import dev.verbena.wire.mad.RdmaCmHeader;
import dev.verbena.wire.mad.SidrReply;
import dev.verbena.wire.mad.SidrRequest;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The calls that an id permits in each state, addresses and ports, options, and the destruction of ids. */
class SimConnectionIdTest {
    /** Valid for ids with and without a queue pair. */
    private static final ConnectionParameters DEFAULTS =
            ConnectionParameters.builder().qpNumber(4711).build();

    private final VirtualRuntime runtime = new VirtualRuntime(5);
    private final MadWire wire = MadWire.delayed(runtime);
    private CmHost client;
    private CmHost server;

    @BeforeEach
    void makeHosts() throws VerbsException {
        client = new CmHost(runtime, wire, "10.0.0.1", "fd00::1", "10.1.0.1");
        server = new CmHost(runtime, wire, "10.0.0.2");
    }

    private static InetSocketAddress address(String host, int port) {
        return new InetSocketAddress(InetAddress.ofLiteral(host), port);
    }

    private static void assertRefused(Errno errno, String part, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(errno))
                .hasMessageContaining(part);
    }

    /** A call of a user on an id. */
    @FunctionalInterface
    interface Call {
        void on(ConnectionId id, CmHost host) throws Exception;
    }

    static Stream<Arguments> callsThatNeedAState() {
        return Stream.of(
                Arguments.of("LISTEN", "bind", (Call) (id, host) -> id.bind(host.at(0))),
                Arguments.of("IDLE", "listen", (Call) (id, host) -> id.listen(0)),
                Arguments.of("LISTEN", "listen", (Call) (id, host) -> id.listen(0)),
                Arguments.of("LISTEN", "resolveAddress", (Call)
                        (id, host) -> id.resolveAddress(null, host.at(1), Duration.ZERO)),
                Arguments.of("ROUTE_RESOLVED", "resolveAddress", (Call)
                        (id, host) -> id.resolveAddress(null, host.at(1), Duration.ZERO)),
                Arguments.of("IDLE", "resolveRoute", (Call) (id, host) -> id.resolveRoute(Duration.ZERO)),
                Arguments.of("ROUTE_RESOLVED", "resolveRoute", (Call) (id, host) -> id.resolveRoute(Duration.ZERO)),
                Arguments.of("IDLE", "createQp", (Call) (id, host) -> id.createQp(host.domain, CmHost.rc())),
                Arguments.of("CLOSED", "createQp", (Call) (id, host) -> id.createQp(host.domain, CmHost.rc())),
                Arguments.of("IDLE", "connect", (Call) (id, host) -> id.connect(DEFAULTS)),
                Arguments.of("CONNECT", "connect", (Call) (id, host) -> id.connect(DEFAULTS)),
                Arguments.of("LISTEN", "accept", (Call) (id, host) -> id.accept(DEFAULTS)),
                Arguments.of("CONNECT", "accept", (Call) (id, host) -> id.accept(DEFAULTS)),
                Arguments.of("CONNECT", "reject", (Call) (id, host) -> id.reject(new byte[0])),
                Arguments.of("ROUTE_RESOLVED", "reject", (Call) (id, host) -> id.reject(new byte[0])),
                Arguments.of("CONNECT", "establish", (Call) (id, host) -> id.establish()),
                Arguments.of("IDLE", "establish", (Call) (id, host) -> id.establish()),
                Arguments.of("CONNECT", "notifyEstablished", (Call) (id, host) -> id.notifyEstablished()),
                Arguments.of("ROUTE_RESOLVED", "disconnect", (Call) (id, host) -> id.disconnect()),
                Arguments.of("LISTEN", "disconnect", (Call) (id, host) -> id.disconnect()),
                Arguments.of("LISTEN", "setReuseAddress", (Call) (id, host) -> id.setReuseAddress(true)),
                Arguments.of("CONNECT", "setIpv6Only", (Call) (id, host) -> id.setIpv6Only(true)),
                Arguments.of("CLOSED", "setTypeOfService", (Call) (id, host) -> id.setTypeOfService(1)),
                Arguments.of("CLOSED", "setAckTimeout", (Call) (id, host) -> id.setAckTimeout(AckTimeout.NONE)),
                Arguments.of("CLOSED", "migrate", (Call) (id, host) -> id.migrate(host.channel)));
    }

    @ParameterizedTest(name = "{1} in {0}")
    @MethodSource("callsThatNeedAState")
    void aCallInAWrongStateIsRefusedAndTheMessageNamesTheState(String state, String name, Call call) throws Exception {
        wire.lose(mad -> true);
        ConnectionId id = switch (state) {
            case "IDLE", "CLOSED" -> client.newId();
            case "LISTEN" -> client.listener();
            default -> client.resolved(server);
        };
        if (state.equals("CLOSED")) {
            id.close();
        }
        if (state.equals("CONNECT")) {
            id.connect(DEFAULTS);
        }
        assertRefused(Errno.EINVAL, "state " + state, () -> call.on(id, client));
    }

    @Test
    void theZoneOfABoundAddressIsKeptWhenAnAddressIsResolved() throws Exception {
        CmHost zoned = new CmHost(runtime, wire, "fe80::1");
        CmHost peer = new CmHost(runtime, wire, "fe80::2");
        ConnectionId id = zoned.newId();
        id.bind(new InetSocketAddress(Inet6Address.getByAddress(null, zoned.address.getAddress(), 5), 0));
        int port = id.localAddress().orElseThrow().getPort();

        id.resolveAddress(null, peer.at(1), Duration.ZERO);

        zoned.expect(CmEventType.ADDR_RESOLVED).close();
        InetSocketAddress local = id.localAddress().orElseThrow();
        assertThat(local.getPort()).isEqualTo(port);
        assertThat(((Inet6Address) local.getAddress()).getScopeId()).isEqualTo(5);
    }

    @Test
    void anAddressThatNoDeviceHasIsNotAvailable() throws Exception {
        ConnectionId id = client.newId();
        assertRefused(Errno.EADDRNOTAVAIL, "10.0.0.9", () -> id.bind(address("10.0.0.9", 7)));
        assertRefused(
                Errno.EADDRNOTAVAIL,
                "10.0.0.9",
                () -> id.resolveAddress(address("10.0.0.9", 7), server.at(1), Duration.ZERO));
        assertThat(id.localAddress()).isEmpty();
        id.bind(address("10.1.0.1", 7));
        assertThat(id.localAddress()).contains(address("10.1.0.1", 7));
        assertThat(id.device()).contains(client.context());
        assertThat(id.port()).isEqualTo(1);
    }

    @Test
    void aPortIsTakenAtItsAddressAndByWildcardsEverywhere() throws Exception {
        client.newId().bind(client.at(7));
        assertRefused(Errno.EADDRINUSE, "port 7", () -> client.newId().bind(client.at(7)));
        assertRefused(Errno.EADDRINUSE, "port 7", () -> client.newId().bind(address("0.0.0.0", 7)));
        ConnectionId other = client.newId();
        other.bind(address("10.1.0.1", 7));
        other.close();
        ConnectionId wildcard = client.newId();
        wildcard.bind(address("0.0.0.0", 8));
        assertThat(wildcard.device()).isEmpty();
        assertThat(wildcard.port()).isZero();
        assertRefused(Errno.EADDRINUSE, "port 8", () -> client.newId().bind(client.at(8)));
        wildcard.close();
        client.newId().bind(client.at(8));
    }

    @Test
    void portZeroIsAnyFreePort() throws Exception {
        Set<Integer> ports = new HashSet<>();
        for (int i = 0; i < 100; i++) {
            ConnectionId id = client.newId();
            id.bind(client.at(0));
            ports.add(id.localAddress().orElseThrow().getPort());
        }
        assertThat(ports).hasSize(100).allMatch(port -> port >= 32768 && port <= 60999);
    }

    @Test
    void idsThatReuseAnAddressShareItButNotWithAListener() throws Exception {
        ConnectionId first = client.newId();
        first.setReuseAddress(true);
        first.bind(client.at(1023));
        assertRefused(Errno.EADDRINUSE, "port 1023", () -> client.newId().bind(client.at(1023)));
        ConnectionId second = client.newId();
        second.setReuseAddress(true);
        second.resolveAddress(client.at(1023), server.at(CmHost.PORT), Duration.ZERO);
        assertThat(second.localAddress()).contains(client.at(1023));
        assertRefused(Errno.EADDRINUSE, "port 1023", () -> first.listen(0));
        second.close();
        first.listen(0);
        ConnectionId third = client.newId();
        third.setReuseAddress(true);
        assertRefused(Errno.EADDRINUSE, "port 1023", () -> third.bind(client.at(1023)));
    }

    @Test
    void severalConnectionsMayGoFromOnePortToOnePeer() throws Exception {
        server.listener();
        for (int i = 0; i < 3; i++) {
            ConnectionId id = client.newId();
            id.setReuseAddress(true);
            id.resolveAddress(client.at(1023), server.at(CmHost.PORT), Duration.ZERO);
            client.expect(CmEventType.ADDR_RESOLVED).close();
            id.resolveRoute(Duration.ZERO);
            client.expect(CmEventType.ROUTE_RESOLVED).close();
            client.giveQueuePair(id);
            id.connect(DEFAULTS);
            try (CmEvent request = server.expect(CmEventType.CONNECT_REQUEST)) {
                assertThat(request.id().peerAddress()).contains(client.at(1023));
                server.giveQueuePair(request.id());
                request.id().accept(DEFAULTS);
            }
            client.expect(CmEventType.ESTABLISHED).close();
            server.expect(CmEventType.ESTABLISHED).close();
        }
    }

    @Test
    void aWildcardListenerTakesRequestsForAnyAddress() throws Exception {
        ConnectionId listener = client.newId();
        listener.bind(address("0.0.0.0", CmHost.PORT));
        listener.listen(5);
        for (String each : new String[] {"10.0.0.1", "10.1.0.1"}) {
            ConnectionId id = server.newId();
            id.resolveAddress(null, address(each, CmHost.PORT), Duration.ZERO);
            server.expect(CmEventType.ADDR_RESOLVED).close();
            id.resolveRoute(Duration.ZERO);
            server.expect(CmEventType.ROUTE_RESOLVED).close();
            server.giveQueuePair(id);
            id.connect(DEFAULTS);
            try (CmEvent request = client.expect(CmEventType.CONNECT_REQUEST)) {
                assertThat(request.listenId()).contains(listener);
                assertThat(request.id().localAddress()).contains(address(each, CmHost.PORT));
                request.id().reject(new byte[0]);
            }
            server.expect(CmEventType.REJECTED).close();
        }
        listener.close();
    }

    @Test
    void connectionsGoOverIpVersionSixAsWell() throws Exception {
        CmHost six = new CmHost(runtime, wire, "fd00::2");
        ConnectionId listener = six.newId();
        listener.bind(six.at(CmHost.PORT));
        listener.listen(0);
        ConnectionId active = client.ready(six);
        assertThat(active.localAddress().orElseThrow().getAddress()).isEqualTo(InetAddress.ofLiteral("fd00::1"));
        active.connect(DEFAULTS);
        try (CmEvent request = six.expect(CmEventType.CONNECT_REQUEST)) {
            assertThat(request.id().peerAddress()).isEqualTo(active.localAddress());
            six.giveQueuePair(request.id());
            request.id().accept(DEFAULTS);
        }
        client.expect(CmEventType.ESTABLISHED).close();
    }

    @Test
    void anIpv6OnlyListenerLeavesIpv4Free() throws Exception {
        ConnectionId six = client.newId();
        six.setIpv6Only(true);
        six.bind(address("::", CmHost.PORT));
        six.listen(0);
        ConnectionId early = server.ready(client);
        early.connect(DEFAULTS);
        try (CmEvent rejected = server.expect(CmEventType.REJECTED)) {
            assertThat(rejected.rejectReason()).contains(RejectReason.INVALID_SERVICE_ID);
        }
        ConnectionId four = client.listener();
        server.ready(client).connect(DEFAULTS);
        try (CmEvent request = client.expect(CmEventType.CONNECT_REQUEST)) {
            assertThat(request.listenId()).contains(four);
        }
        assertRefused(Errno.EADDRINUSE, "port 987", () -> client.newId().bind(address("fd00::1", CmHost.PORT)));
        assertRefused(Errno.EINVAL, "state LISTEN", () -> six.setIpv6Only(false));
    }

    @Test
    void anAddressThatCannotBeReachedIsReportedAndTheIdMayTryAgain() throws Exception {
        client.cannotReach(InetAddress.ofLiteral("10.0.0.77"));
        ConnectionId id = client.newId();
        long start = runtime.nanoTime();
        id.resolveAddress(null, address("10.0.0.77", 1), Duration.ofSeconds(1));
        assertRefused(Errno.EINVAL, "state ADDR_QUERY", () -> id.resolveRoute(Duration.ZERO));
        try (CmEvent error = client.expect(CmEventType.ADDR_ERROR)) {
            assertThat(error.status()).isEqualTo(-Errno.ETIMEDOUT.number());
        }
        assertThat(runtime.nanoTime() - start).isEqualTo(1_000_000_000);
        id.resolveAddress(null, server.at(1), Duration.ofSeconds(1));
        client.expect(CmEventType.ADDR_RESOLVED).close();
        assertThat(id.peerAddress()).contains(server.at(1));

        ConnectionId wrongVersion = server.newId();
        wrongVersion.resolveAddress(null, address("fd00::9", 1), Duration.ofSeconds(1));
        try (CmEvent error = server.expect(CmEventType.ADDR_ERROR)) {
            assertThat(error.status()).isEqualTo(-Errno.ENODEV.number());
        }
    }

    @Test
    void aPeerThatBecomesReachableBeforeTheTimeoutIsFound() throws Exception {
        client.cannotReach(server.address);
        ConnectionId id = client.newId();
        id.resolveAddress(null, server.at(1), Duration.ofSeconds(5));
        client.expectNothingFor(Duration.ofSeconds(2));
        client.canReach(server.address);
        client.expect(CmEventType.ADDR_RESOLVED).close();

        client.cannotReach(server.address);
        id.resolveRoute(Duration.ofSeconds(2));
        try (CmEvent error = client.expect(CmEventType.ROUTE_ERROR)) {
            assertThat(error.status()).isEqualTo(-Errno.ETIMEDOUT.number());
        }
        id.resolveRoute(Duration.ofSeconds(2));
        client.canReach(server.address);
        client.expect(CmEventType.ROUTE_RESOLVED).close();
    }

    @Test
    void anIdClosedDuringResolutionGetsNoEvent() throws Exception {
        client.cannotReach(server.address);
        ConnectionId id = client.newId();
        id.resolveAddress(null, server.at(1), Duration.ofSeconds(5));
        id.close();
        client.expectNothingFor(Duration.ofSeconds(6));
    }

    @Test
    void addressesThatMeanNoHostAreRefused() throws Exception {
        ConnectionId id = client.newId();
        assertRefused(Errno.EINVAL, "0.0.0.0", () -> id.resolveAddress(null, address("0.0.0.0", 1), Duration.ZERO));
        assertRefused(Errno.EINVAL, "239.0.0.1", () -> id.resolveAddress(null, address("239.0.0.1", 1), Duration.ZERO));
        assertRefused(
                Errno.EINVAL,
                "nowhere.invalid",
                () -> id.resolveAddress(null, InetSocketAddress.createUnresolved("nowhere.invalid", 1), Duration.ZERO));
        assertRefused(
                Errno.EINVAL,
                "IP versions",
                () -> id.resolveAddress(client.at(0), address("fd00::2", 1), Duration.ZERO));
        id.bind(client.at(0));
        assertRefused(
                Errno.EINVAL, "already bound", () -> id.resolveAddress(client.at(0), server.at(1), Duration.ZERO));
    }

    @Test
    void aQueuePairNeedsADomainOfTheIdsDeviceAndTheTypeOfThePortSpace() throws Exception {
        ConnectionId id = client.resolved(server);
        ProtectionDomain foreign = mock(ProtectionDomain.class);
        when(foreign.device()).thenReturn(mock(Device.class));
        assertRefused(Errno.EINVAL, "protection domain", () -> id.createQp(foreign, CmHost.rc()));
        QpInitAttributes rc = CmHost.rc();
        QpInitAttributes datagrams = QpInitAttributes.builder()
                .type(QpType.UD)
                .sendCq(rc.sendCq())
                .receiveCq(rc.receiveCq())
                .capabilities(rc.capabilities())
                .build();
        assertRefused(Errno.EINVAL, "UD", () -> id.createQp(client.domain, datagrams));
        QueuePair made = id.createQp(client.domain, CmHost.rc());
        assertThat(id.queuePair()).contains(made);
        assertRefused(Errno.EINVAL, "already has a queue pair", () -> id.createQp(client.domain, CmHost.rc()));
        made.close();
        assertThat(id.queuePair()).isEmpty();
        id.createQp(client.domain, CmHost.rc());
    }

    @Test
    void withoutAnyQueuePairNothingConnects() throws Exception {
        server.listener();
        ConnectionParameters nothing = ConnectionParameters.builder().build();
        ConnectionId active = client.resolved(server);
        assertRefused(Errno.EINVAL, "createQp", () -> active.connect(nothing));
        active.connect(DEFAULTS);
        try (CmEvent request = server.expect(CmEventType.CONNECT_REQUEST)) {
            assertRefused(Errno.EINVAL, "createQp", () -> request.id().accept(nothing));
            request.id().accept(DEFAULTS);
        }
        client.expect(CmEventType.CONNECT_RESPONSE).close();
    }

    @ParameterizedTest
    @EnumSource(names = {"TCP", "UDP", "IB"})
    void privateDataHasToFitTheMessageOfThePortSpaceAndNothingIsSentOtherwise(PortSpace portSpace) throws Exception {
        boolean datagrams = portSpace == PortSpace.UDP;
        int request = (datagrams ? new SidrRequest().privateDataLength() : new CmRequest().privateDataLength())
                - RdmaCmHeader.LENGTH;
        int reply = datagrams ? new SidrReply().privateDataLength() : new CmReply().privateDataLength();
        int reject = datagrams ? new SidrReply().privateDataLength() : new CmReject().privateDataLength();
        server.listener(portSpace);
        ConnectionId active = client.resolved(server, portSpace);
        assertRefused(Errno.EINVAL, request + 1 + " bytes", () -> active.connect(withPrivateData(request + 1)));
        server.expectNothingFor(Duration.ofSeconds(1));
        active.connect(withPrivateData(request));
        try (CmEvent event = server.expect(CmEventType.CONNECT_REQUEST)) {
            assertThat(event.privateData()).hasSize(request);
            ConnectionId passive = event.id();
            assertRefused(Errno.EINVAL, reply + 1 + " bytes", () -> passive.accept(withPrivateData(reply + 1)));
            assertRefused(Errno.EINVAL, reject + 1 + " bytes", () -> passive.reject(new byte[reject + 1]));
            client.expectNothingFor(Duration.ofSeconds(1));
            passive.reject(new byte[reject]);
        }
        client.expect(datagrams ? CmEventType.UNREACHABLE : CmEventType.REJECTED)
                .close();
    }

    @Test
    void theAttributesOfAnExternalQueuePairNeedADeviceAndThePeersNumbers() throws Exception {
        server.listener();
        assertRefused(Errno.EINVAL, "no device", () -> client.newId().initQpAttributes(QpState.INIT));
        ConnectionId active = client.resolved(server);
        assertRefused(Errno.EINVAL, "not to SQD", () -> active.initQpAttributes(QpState.SQD));
        assertRefused(Errno.EINVAL, "CONNECT_RESPONSE", () -> active.initQpAttributes(QpState.RTR));
        active.connect(DEFAULTS);
        assertRefused(Errno.EINVAL, "CONNECT_RESPONSE", () -> active.initQpAttributes(QpState.RTS));
        ConnectionId passive;
        try (CmEvent request = server.expect(CmEventType.CONNECT_REQUEST)) {
            passive = request.id();
        }
        QpAttributes receiving = passive.initQpAttributes(QpState.RTR);
        QpAttributes sending = passive.initQpAttributes(QpState.RTS);
        assertThat(receiving.destinationQpn()).isEqualTo(4711);
        assertThat(receiving.maxDestRdAtomic())
                .as("the READs that the requester may have outstanding")
                .isEqualTo(8);
        passive.accept(ConnectionParameters.builder()
                .qpNumber(4712)
                .responderResources(3)
                .build());
        assertThat(passive.initQpAttributes(QpState.RTR).maxDestRdAtomic()).isEqualTo(3);
        client.expect(CmEventType.CONNECT_RESPONSE).close();
        assertThat(active.initQpAttributes(QpState.RTR).destinationQpn()).isEqualTo(4712);
        assertThat(active.initQpAttributes(QpState.RTR).rqPsn()).isEqualTo(sending.sqPsn());
        assertThat(active.initQpAttributes(QpState.RTS).sqPsn()).isEqualTo(receiving.rqPsn());
        active.establish();
        server.expect(CmEventType.ESTABLISHED).close();
        active.disconnect();
        assertRefused(Errno.EINVAL, "DISCONNECTED", () -> active.initQpAttributes(QpState.RTS));
    }

    @Test
    void theAttributesOfAnExternalQueuePairForDatagramsAreFixed() throws Exception {
        ConnectionId id = client.resolved(server, PortSpace.UDP);
        assertThat(id.initQpAttributes(QpState.INIT).qkey()).isEqualTo(0x01234567);
        assertThat(id.initQpAttributes(QpState.RTR).state()).isEqualTo(QpState.RTR);
        assertThat(id.initQpAttributes(QpState.RTS).sqPsn()).isEqualTo(Psn.of(0));
        assertRefused(Errno.EINVAL, "not to ERR", () -> id.initQpAttributes(QpState.ERR));
    }

    private static ConnectionParameters withPrivateData(int length) {
        return ConnectionParameters.builder()
                .qpNumber(4711)
                .privateData(new byte[length])
                .build();
    }

    @Test
    void anIdWithAnOpenQueuePairOrAnUnacknowledgedEventIsBusy() throws Exception {
        ConnectionId id = client.newId();
        id.resolveAddress(null, server.at(1), Duration.ZERO);
        CmEvent event = client.channel.await(Duration.ZERO).orElseThrow();
        QueuePair queuePair = id.createQp(client.domain, CmHost.rc());
        assertRefused(Errno.EBUSY, "queue pair", id::close);
        queuePair.close();
        assertRefused(Errno.EBUSY, "unacknowledged", id::close);
        event.close();
        event.close();
        id.close();
        id.close();
    }

    @Test
    void aRequestThatWasNotAcknowledgedKeepsItsListenerAndItsId() throws Exception {
        ConnectionId listener = server.listener();
        client.resolved(server).connect(DEFAULTS);
        CmEvent request = server.expect(CmEventType.CONNECT_REQUEST);
        assertRefused(Errno.EBUSY, "unacknowledged", listener::close);
        assertRefused(Errno.EBUSY, "unacknowledged", request.id()::close);
        request.close();
        request.id().close();
        listener.close();
        client.expect(CmEventType.REJECTED).close();
    }

    @Test
    void anIdMovesWithItsEventsToAnotherChannel() throws Exception {
        ConnectionId id = client.newId();
        ConnectionId staying = client.newId();
        id.resolveAddress(null, server.at(1), Duration.ZERO);
        staying.resolveAddress(null, server.at(2), Duration.ZERO);
        EventChannel other = client.manager.createEventChannel();
        id.migrate(other);
        id.resolveRoute(Duration.ZERO);
        for (CmEventType type : new CmEventType[] {CmEventType.ADDR_RESOLVED, CmEventType.ROUTE_RESOLVED}) {
            try (CmEvent event = other.poll().orElseThrow()) {
                assertThat(event.type()).isEqualTo(type);
                assertThat(event.id()).isEqualTo(id);
            }
        }
        try (CmEvent event = client.expect(CmEventType.ADDR_RESOLVED)) {
            assertThat(event.id()).isEqualTo(staying);
        }
        assertThat(client.channel.poll()).isEmpty();
        staying.close();
        client.channel.close();
        assertRefused(Errno.EBUSY, "1 id uses", other::close);
        assertRefused(Errno.EBADF, "closed", () -> id.migrate(client.channel));
        assertRefused(Errno.EINVAL, "connection manager", () -> id.migrate(server.channel));
    }

    @Test
    void aListenerTakesItsUnseenRequestsAlong() throws Exception {
        ConnectionId listener = server.listener();
        client.resolved(server).connect(DEFAULTS);
        assertThat(runtime.await(() -> false, Duration.ofMillis(10))).isFalse();
        EventChannel other = server.manager.createEventChannel();
        listener.migrate(other);
        server.channel.close();
        try (CmEvent request = other.poll().orElseThrow()) {
            assertThat(request.type()).isEqualTo(CmEventType.CONNECT_REQUEST);
            request.id().reject(new byte[0]);
        }
        client.expect(CmEventType.REJECTED).close();
    }

    @Test
    void thereIsNoIpOverInfiniBandOnEthernet() {
        assertRefused(Errno.EOPNOTSUPP, "IPOIB", () -> client.manager.createId(client.channel, PortSpace.IPOIB, null));
    }

    @Test
    void aConnectionHasNoGroups() throws Exception {
        ConnectionId id = client.newId();
        InetAddress group = InetAddress.ofLiteral("239.0.0.1");
        assertRefused(Errno.EOPNOTSUPP, "239.0.0.1", () -> id.joinMulticast(group, MulticastRole.FULL_MEMBER, null));
        assertRefused(Errno.EOPNOTSUPP, "239.0.0.1", () -> id.leaveMulticast(group));
    }

    @Test
    void typeOfServiceHasEightBits() throws Exception {
        ConnectionId id = client.newId();
        assertRefused(Errno.EINVAL, "256", () -> id.setTypeOfService(256));
        assertRefused(Errno.EINVAL, "-1", () -> id.setTypeOfService(-1));
        id.setTypeOfService(255);
    }
}
