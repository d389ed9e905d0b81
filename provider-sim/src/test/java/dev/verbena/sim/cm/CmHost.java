// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import dev.verbena.cm.CmEvent;
import dev.verbena.cm.CmEventType;
import dev.verbena.cm.ConnectionId;
import dev.verbena.cm.EventChannel;
import dev.verbena.cm.PortSpace;
import dev.verbena.sim.runtime.SimRuntime;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.DeviceAttributes;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.Guid;
import dev.verbena.verbs.PathMtu;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpAttribute;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.VerbsException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A host with a connection manager and one device, which has little more than its addresses. */
final class CmHost implements CmDevice {
    static final int PORT = 987;
    static final Duration PATIENCE = Duration.ofSeconds(100);
    private static final Duration SOON = Duration.ofSeconds(1);

    final SimConnectionManager manager;
    final EventChannel channel;
    final InetAddress address;
    final ProtectionDomain domain = mock(ProtectionDomain.class);

    private final List<Gid> gids;
    private final Device context = mock(Device.class);
    private final MadPort madPort;
    private final Set<Integer> openQueuePairs = new HashSet<>();
    private final Set<Gid> unreachable = new HashSet<>();
    private int nextQpn;

    CmHost(SimRuntime runtime, MadWire wire, String... addresses) throws VerbsException {
        this.gids = List.of(addresses).stream().map(Gid::parse).toList();
        this.address = InetAddress.ofLiteral(addresses[0]);
        this.madPort = wire.port(gids);
        this.nextQpn = 1000 * (int) (gids.getFirst().low() & 0xFF);
        when(context.name()).thenReturn("host " + addresses[0]);
        when(context.attributes())
                .thenReturn(DeviceAttributes.builder()
                        .nodeGuid(new Guid(gids.getFirst().low()))
                        .maxQpRdAtom(16)
                        .maxQpInitRdAtom(8)
                        .localCaAckDelay(15)
                        .build());
        when(context.capabilities()).thenReturn(EnumSet.of(Capability.RC, Capability.ATOMICS));
        when(domain.device()).thenReturn(context);
        when(domain.createQp(any()))
                .thenAnswer(call -> newQueuePair(
                                call.<QpInitAttributes>getArgument(0).type())
                        .queuePair());
        this.manager = new SimConnectionManager(runtime, () -> List.of(this));
        this.channel = manager.createEventChannel();
    }

    /** A queue pair that makes every transition until it is set to fail. */
    static final class FakeQueuePair {
        final List<QpAttributes> modified = new ArrayList<>();
        final QueuePair queuePair = mock(QueuePair.class);
        private QpState state = QpState.RESET;
        private @Nullable QpState failing;

        QueuePair queuePair() {
            return queuePair;
        }

        void failOn(QpState next) {
            failing = next;
        }
    }

    private final List<FakeQueuePair> made = new ArrayList<>();

    private FakeQueuePair newQueuePair(QpType type) throws VerbsException {
        FakeQueuePair fake = new FakeQueuePair();
        int number = nextQpn++;
        openQueuePairs.add(number);
        QueuePair queuePair = fake.queuePair();
        when(queuePair.number()).thenReturn(number);
        when(queuePair.type()).thenReturn(type);
        when(queuePair.srq()).thenReturn(Optional.empty());
        when(queuePair.state()).thenAnswer(call -> fake.state);
        doAnswer(call -> {
                    QpAttributes attributes = call.getArgument(0);
                    if (fake.failing != null && attributes.state() == fake.failing) {
                        throw new VerbsException(Errno.ENOMEM, "ibv_modify_qp", "as the test wants it");
                    }
                    fake.modified.add(attributes);
                    if (attributes.has(QpAttribute.STATE)) {
                        fake.state = attributes.state();
                    }
                    return null;
                })
                .when(queuePair)
                .modify(any());
        doAnswer(call -> openQueuePairs.remove(number)).when(queuePair).close();
        made.add(fake);
        return fake;
    }

    /** Returns the fake of a queue pair of this host. */
    FakeQueuePair fake(QueuePair queuePair) {
        return made.stream()
                .filter(each -> each.queuePair().equals(queuePair))
                .findFirst()
                .orElseThrow();
    }

    void canReach(InetAddress other) {
        unreachable.remove(Gid.ofAddress(other));
    }

    void cannotReach(InetAddress other) {
        unreachable.add(Gid.ofAddress(other));
    }

    // Frequent steps of tests.

    InetSocketAddress at(int port) {
        return new InetSocketAddress(address, port);
    }

    ConnectionId newId() throws VerbsException {
        return newId(PortSpace.TCP);
    }

    ConnectionId newId(PortSpace portSpace) throws VerbsException {
        return manager.createId(channel, portSpace, null);
    }

    ConnectionId listener() throws VerbsException {
        return listener(PortSpace.TCP);
    }

    ConnectionId listener(PortSpace portSpace) throws VerbsException {
        ConnectionId listener = newId(portSpace);
        listener.bind(at(PORT));
        listener.listen(0);
        return listener;
    }

    /** Makes an id that may connect to a host. */
    ConnectionId resolved(CmHost peer) throws VerbsException, InterruptedException {
        return resolved(peer, PortSpace.TCP);
    }

    ConnectionId resolved(CmHost peer, PortSpace portSpace) throws VerbsException, InterruptedException {
        ConnectionId id = newId(portSpace);
        id.resolveAddress(null, peer.at(PORT), SOON);
        expect(CmEventType.ADDR_RESOLVED).close();
        id.resolveRoute(SOON);
        expect(CmEventType.ROUTE_RESOLVED).close();
        return id;
    }

    /** Makes an id that may connect and has a queue pair. */
    ConnectionId ready(CmHost peer) throws VerbsException, InterruptedException {
        ConnectionId id = resolved(peer);
        giveQueuePair(id);
        return id;
    }

    FakeQueuePair giveQueuePair(ConnectionId id) throws VerbsException {
        return giveQueuePair(id, QpType.RC);
    }

    FakeQueuePair giveQueuePair(ConnectionId id, QpType type) throws VerbsException {
        return fake(id.createQp(domain, attributes(type)));
    }

    static QpInitAttributes rc() {
        return attributes(QpType.RC);
    }

    static QpInitAttributes attributes(QpType type) {
        CompletionQueue completions = mock(CompletionQueue.class);
        return QpInitAttributes.builder()
                .type(type)
                .sendCq(completions)
                .receiveCq(completions)
                .capabilities(new QpCapabilities(1, 1, 1, 1, 0))
                .build();
    }

    CmEvent expect(CmEventType type) throws VerbsException, InterruptedException {
        CmEvent event = channel.await(PATIENCE).orElseThrow(() -> new AssertionError("no event, where was " + type));
        assertThat(event.type()).as("%s", event).isEqualTo(type);
        return event;
    }

    void expectNothingFor(Duration duration) throws VerbsException, InterruptedException {
        assertThat(channel.await(duration)).isEmpty();
    }

    // The device.

    @Override
    public Device context() {
        return context;
    }

    @Override
    public List<Gid> addresses() {
        return gids;
    }

    @Override
    public int gidIndex(Gid gid) {
        return gids.indexOf(gid);
    }

    @Override
    public PathMtu pathMtu() {
        return PathMtu.MTU_1024;
    }

    @Override
    public PathMtu pathMtu(Gid destination) {
        return pathMtu();
    }

    @Override
    public boolean reaches(Gid source, Gid destination) {
        return !unreachable.contains(destination);
    }

    @Override
    public boolean isOpen(QueuePair queuePair) {
        return openQueuePairs.contains(queuePair.number());
    }

    @Override
    public MadPort madPort() {
        return madPort;
    }
}
