// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.cm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.timeout;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import dev.verbena.cm.CmEvent;
import dev.verbena.cm.CmEventType;
import dev.verbena.cm.ConnectionId;
import dev.verbena.cm.ConnectionParameters;
import dev.verbena.cm.EventChannel;
import dev.verbena.cm.MulticastRole;
import dev.verbena.cm.PortSpace;
import dev.verbena.ibverbs.FakeLibrary;
import dev.verbena.ibverbs.internal.CmEventQueue;
import dev.verbena.ibverbs.library.CmCalls;
import dev.verbena.ibverbs.struct.Pollfd;
import dev.verbena.ibverbs.struct.RdmaAddr;
import dev.verbena.ibverbs.struct.RdmaCmEvent;
import dev.verbena.ibverbs.struct.RdmaCmId;
import dev.verbena.ibverbs.struct.RdmaCmJoinMcAttrEx;
import dev.verbena.ibverbs.struct.RdmaConnParam;
import dev.verbena.ibverbs.struct.RdmaEventChannel;
import dev.verbena.ibverbs.struct.RdmaRoute;
import dev.verbena.spi.WallRuntime;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Ids and events of librdmacm; its functions are mocks. */
class ConnectionsTest {
    private static final int DESCRIPTOR = 7;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final FakeLibrary library = new FakeLibrary();
    private final CmCalls calls = mock(CmCalls.class);
    private final Deque<MemorySegment> arrived = new ArrayDeque<>();
    private final NativeConnectionManager manager =
            new NativeConnectionManager(library.library("libibverbs.so.1", library.verbs), calls, new WallRuntime());
    private EventChannel channel;
    private ConnectionId id;

    @BeforeEach
    void open() throws VerbsException {
        MemorySegment raw = library.zeroed(RdmaEventChannel.LAYOUT);
        raw.set(JAVA_INT, RdmaEventChannel.FD, DESCRIPTOR);
        when(calls.createEventChannel(any())).thenReturn(FakeLibrary.pointer(raw));
        when(calls.createId(any(), any(), any(), any(), anyInt())).thenAnswer(call -> {
            ((MemorySegment) call.getArgument(2)).set(ADDRESS, 0, library.zeroed(RdmaCmId.LAYOUT));
            return 0;
        });
        when(calls.getCmEvent(any(), any(), any())).thenAnswer(call -> {
            MemorySegment next;
            synchronized (arrived) {
                next = arrived.poll();
            }
            if (next == null) {
                library.system.readable(DESCRIPTOR, false);
                return -1;
            }
            ((MemorySegment) call.getArgument(2)).set(ADDRESS, 0, next);
            return 0;
        });
        channel = manager.createEventChannel();
        id = manager.createId(channel, PortSpace.TCP, "mine");
    }

    @AfterEach
    void close() throws VerbsException {
        manager.loop().close();
    }

    /** Lets the kernel report something. */
    private MemorySegment arrives(CmEventType type, MemorySegment about) {
        MemorySegment event = library.zeroed(RdmaCmEvent.LAYOUT);
        event.set(ADDRESS, RdmaCmEvent.ID, about);
        event.set(JAVA_INT, RdmaCmEvent.EVENT, type.code());
        return event;
    }

    private void report(MemorySegment event) {
        synchronized (arrived) {
            arrived.add(event);
        }
        library.system.readable(DESCRIPTOR, true);
    }

    private MemorySegment raw(ConnectionId of) {
        return ((NativeConnectionId) of).handlePointer();
    }

    private CmEvent next() throws Exception {
        return channel.await(PATIENCE).orElseThrow();
    }

    @Test
    void anEventIsTheLibrarysAgainBeforeItsReceiverAcknowledgesIt() throws Exception {
        report(arrives(CmEventType.ADDR_RESOLVED, raw(id)));

        CmEvent event = next();

        assertThat(event.type()).isEqualTo(CmEventType.ADDR_RESOLVED);
        assertThat(event.id()).isSameAs(id);
        verify(calls, times(1)).ackCmEvent(any(), any());
        assertThat(catchThrowableOfType(VerbsException.class, id::close).errno())
                .isEqualTo(Errno.EBUSY);
        verify(calls, never()).destroyId(any(), any());
        event.close();
        id.close();
        channel.close();
        verify(calls).destroyEventChannel(any());
    }

    @Test
    void aSelectorAndAStageTellOfAnEvent() throws Exception {
        try (Selector selector = Selector.open()) {
            channel.selectable().register(selector, SelectionKey.OP_READ);
            CompletionStage<Void> stage = channel.ready();
            assertThat(selector.selectNow()).isZero();

            report(arrives(CmEventType.ADDR_RESOLVED, raw(id)));

            assertThat(selector.select(PATIENCE.toMillis())).isOne();
            stage.toCompletableFuture().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            channel.poll().orElseThrow().close();
            selector.selectedKeys().clear();
            assertThat(selector.selectNow()).isZero();
        }
    }

    @Test
    void anEventOfALaterReleaseIsReportedByNumber() throws Exception {
        MemorySegment raw = arrives(CmEventType.ADDR_CHANGE, raw(id));
        raw.set(JAVA_INT, RdmaCmEvent.EVENT, 99);
        raw.set(JAVA_INT, RdmaCmEvent.STATUS, -5);
        report(raw);

        try (CmEvent event = next()) {
            assertThat(event.type()).isEqualTo(CmEventType.UNKNOWN);
            assertThat(event.typeCode()).isEqualTo(99);
            assertThat(event.id()).isSameAs(id);
            assertThat(event.status()).isEqualTo(-5);
        }
    }

    @Test
    void aRequestBringsAnIdOfItsOwnWithTheListenersContextAndThePeersWishes() throws Exception {
        MemorySegment fresh = library.zeroed(RdmaCmId.LAYOUT);
        MemorySegment event = arrives(CmEventType.CONNECT_REQUEST, fresh);
        event.set(ADDRESS, RdmaCmEvent.LISTEN_ID, raw(id));
        MemorySegment parameters = event.asSlice(RdmaCmEvent.PARAM);
        byte[] knock = "knock".getBytes(StandardCharsets.US_ASCII);
        parameters.set(ADDRESS, RdmaConnParam.PRIVATE_DATA, library.arena.allocateFrom(JAVA_BYTE, knock));
        parameters.set(JAVA_BYTE, RdmaConnParam.PRIVATE_DATA_LEN, (byte) knock.length);
        parameters.set(JAVA_BYTE, RdmaConnParam.RESPONDER_RESOURCES, (byte) 3);
        parameters.set(JAVA_INT, RdmaConnParam.QP_NUM, 0x123);
        report(event);

        try (CmEvent request = next()) {
            assertThat(request.id()).isNotSameAs(id).returns("mine", ConnectionId::context);
            assertThat(request.listenId()).containsSame(id);
            assertThat(request.privateData()).isEqualTo(knock);
            assertThat(request.parameters().orElseThrow())
                    .returns(3, ConnectionParameters::responderResources)
                    .returns(0x123, ConnectionParameters::qpNumber);
        }
    }

    @Test
    void untakenEventsAreRemovedWithTheId() throws Exception {
        ConnectionId other = manager.createId(channel, PortSpace.TCP, null);
        report(arrives(CmEventType.ADDR_RESOLVED, raw(id)));
        report(arrives(CmEventType.ADDR_ERROR, raw(id)));
        report(arrives(CmEventType.ADDR_RESOLVED, raw(other)));
        try (CmEvent first = next()) {
            assertThat(first.id()).isSameAs(id);
        }

        id.close();

        assertThat(next().id()).isSameAs(other);
    }

    @Test
    void closingAListenerClosesTheIdsOfUntakenRequests() throws Exception {
        MemorySegment fresh = library.zeroed(RdmaCmId.LAYOUT);
        MemorySegment event = arrives(CmEventType.CONNECT_REQUEST, fresh);
        event.set(ADDRESS, RdmaCmEvent.LISTEN_ID, raw(id));
        report(event);
        report(arrives(CmEventType.ADDR_RESOLVED, raw(manager.createId(channel, PortSpace.TCP, null))));
        // Both were read when the second one is there; the first one was not taken.
        verify(calls, timeout(PATIENCE.toMillis()).times(2)).ackCmEvent(any(), any());

        id.close();

        verify(calls, timeout(PATIENCE.toMillis()).times(2)).destroyId(any(), any());
    }

    private void reportRequests(int count) {
        synchronized (arrived) {
            for (int i = 0; i < count; i++) {
                MemorySegment event = arrives(CmEventType.CONNECT_REQUEST, library.zeroed(RdmaCmId.LAYOUT));
                event.set(ADDRESS, RdmaCmEvent.LISTEN_ID, raw(id));
                arrived.add(event);
            }
        }
        library.system.readable(DESCRIPTOR, true);
    }

    private int inTheKernel() {
        synchronized (arrived) {
            return arrived.size();
        }
    }

    @Test
    void requestsThatTheProgramDoesNotTakeStayInTheKernel() throws Exception {
        int requests = 1000;
        reportRequests(requests);
        while (inTheKernel() > 0 && !library.system.polled().contains(Pollfd.IGNORED)) {
            Thread.onSpinWait();
        }
        assertThat(inTheKernel()).isGreaterThanOrEqualTo(requests - 2 * CmEventQueue.MOST_WAITING);

        for (int i = 0; i < requests; i++) {
            next().close();
        }

        assertThat(channel.poll()).isEmpty();
        assertThat(inTheKernel()).isZero();
    }

    @Test
    void requestsOfAListenerThatIsClosedMakeRoomForOtherEvents() throws Exception {
        ConnectionId other = manager.createId(channel, PortSpace.TCP, null);
        reportRequests(CmEventQueue.MOST_WAITING);
        while (!library.system.polled().contains(Pollfd.IGNORED)) {
            Thread.onSpinWait();
        }
        report(arrives(CmEventType.ADDR_RESOLVED, raw(other)));

        id.close();

        assertThat(next().id()).isSameAs(other);
    }

    @Test
    void anIdForDatagramsHasNoConnectionToEnd() throws Exception {
        ConnectionId datagrams = manager.createId(channel, PortSpace.UDP, null);
        ConnectionParameters tooMuch =
                ConnectionParameters.builder().privateData(new byte[137]).build();

        assertThat(catchThrowableOfType(VerbsException.class, datagrams::disconnect)
                        .errno())
                .isEqualTo(Errno.EINVAL);
        assertThat(catchThrowableOfType(VerbsException.class, datagrams::establish)
                        .errno())
                .isEqualTo(Errno.EINVAL);
        assertThat(catchThrowableOfType(VerbsException.class, () -> datagrams.accept(tooMuch)))
                .hasMessageContainingAll("137", "136");
        verify(calls, never()).disconnect(any(), any());
        verify(calls, never()).accept(any(), any(), any());
    }

    @Test
    void anIdWithoutADeviceNeitherAsksNorAccepts() {
        ConnectionParameters usual = ConnectionParameters.builder().build();

        assertThat(catchThrowableOfType(VerbsException.class, () -> id.connect(usual)))
                .hasMessageContainingAll("EINVAL", "rdma_connect", "bound to no device");
        assertThat(catchThrowableOfType(VerbsException.class, () -> id.accept(usual)))
                .hasMessageContainingAll("EINVAL", "rdma_accept", "bound to no device");
        verify(calls, never()).connect(any(), any(), any());
        verify(calls, never()).accept(any(), any(), any());
    }

    @Test
    void joiningToSendOnlyPassesTheFlag() throws Exception {
        List<Integer> flags = new ArrayList<>();
        when(calls.joinMulticast(any(), any(), any(), any())).thenAnswer(call -> {
            MemorySegment raw = FakeLibrary.behind(
                    ((MemorySegment) call.getArgument(2)).address(), RdmaCmJoinMcAttrEx.LAYOUT.byteSize());
            assertThat(raw.get(JAVA_INT, RdmaCmJoinMcAttrEx.COMP_MASK)).isEqualTo(3);
            flags.add(raw.get(JAVA_INT, RdmaCmJoinMcAttrEx.JOIN_FLAGS));
            return 0;
        });

        id.joinMulticast(InetAddress.ofLiteral("239.1.1.1"), MulticastRole.FULL_MEMBER, null);
        id.joinMulticast(InetAddress.ofLiteral("239.1.1.2"), MulticastRole.SEND_ONLY, null);

        assertThat(flags).containsExactly(0, 1);
    }

    @Test
    void aHandlerMayCloseTheIdOfTheEventThatItGets() throws Exception {
        List<String> outcome = new ArrayList<>();
        channel.setHandler(event -> {
            synchronized (outcome) {
                try {
                    event.id().close();
                    outcome.add("closed");
                } catch (VerbsException refused) {
                    outcome.add(String.valueOf(refused.getMessage()));
                }
                outcome.notifyAll();
            }
        });
        report(arrives(CmEventType.DISCONNECTED, raw(id)));

        synchronized (outcome) {
            long end = System.nanoTime() + PATIENCE.toNanos();
            while (outcome.isEmpty() && System.nanoTime() < end) {
                outcome.wait(100);
            }
            assertThat(outcome).containsExactly("closed");
        }
        verify(calls).destroyId(any(), any());
    }

    @Test
    void privateDataThatDoesNotFitIsRefusedBeforeTheLibraryCutsIt() {
        ConnectionParameters tooMuch =
                ConnectionParameters.builder().privateData(new byte[57]).build();

        assertThat(catchThrowableOfType(VerbsException.class, () -> id.connect(tooMuch)))
                .hasMessageContainingAll("57", "56", "EINVAL");
        assertThat(catchThrowableOfType(VerbsException.class, () -> id.reject(new byte[149])))
                .hasMessageContainingAll("149", "148");
        verify(calls, never()).connect(any(), any(), any());
        verify(calls, never()).reject(any(), any(), any(), anyInt());
    }

    @Test
    void addressesOfBothVersionsSurviveTheWayThroughC() throws Exception {
        for (String literal : List.of("192.0.2.7", "2001:db8::17")) {
            InetSocketAddress address = new InetSocketAddress(InetAddress.ofLiteral(literal), 40000);
            MemorySegment encoded = SocketAddresses.encode(library.arena, address);
            MemorySegment.copy(
                    encoded, 0, raw(id), RdmaCmId.ROUTE + RdmaRoute.ADDR + RdmaAddr.SRC_STORAGE, RdmaAddr.STORAGE);

            assertThat(id.localAddress()).contains(address);
        }
        assertThat(id.peerAddress()).isEmpty();
        assertThat(id.device()).isEmpty();
    }

    @Test
    void aRefusalNamesTheStepAndItsErrno() {
        when(calls.listen(any(), any(), anyInt())).thenAnswer(FakeLibrary.failing(Errno.EADDRINUSE.number(), -1));

        VerbsException refused = catchThrowableOfType(VerbsException.class, () -> id.listen(1));

        assertThat(refused.errno()).isEqualTo(Errno.EADDRINUSE);
        assertThat(refused.verb()).isEqualTo("rdma_listen");
    }
}
