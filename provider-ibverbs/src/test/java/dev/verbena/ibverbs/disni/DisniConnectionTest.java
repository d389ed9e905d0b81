// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.disni;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.inOrder;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;

import com.ibm.disni.verbs.IbvQPInitAttr;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaConnParam;
import dev.verbena.cm.CmEvent;
import dev.verbena.cm.CmEventType;
import dev.verbena.cm.ConnectionId;
import dev.verbena.cm.ConnectionManager;
import dev.verbena.cm.ConnectionParameters;
import dev.verbena.cm.EventChannel;
import dev.verbena.cm.PortSpace;
import dev.verbena.verbs.AckTimeout;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.CapabilityException;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CqInitAttributes;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.RnrRetryCount;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mockito.ArgumentCaptor;
import org.mockito.InOrder;

class DisniConnectionTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    @TempDir
    private Path root;

    private FakeDisni fake;
    private ConnectionManager manager;

    @BeforeEach
    void make() throws Exception {
        fake = new FakeDisni(root);
        manager = fake.provider.extension(ConnectionManager.class).orElseThrow();
    }

    private static VerbsException refusal(ThrowingCallable call) {
        return catchThrowableOfType(VerbsException.class, call);
    }

    private static void assertAbsent(String named, ThrowingCallable call) {
        assertThat(refusal(call).errno()).isEqualTo(Errno.EOPNOTSUPP);
        assertThat(refusal(call)).hasMessageContaining(named);
    }

    @AfterEach
    void end() {
        fake.close();
    }

    @Test
    void theManagerHasNoOptionalCapability() throws Exception {
        assertThat(manager.capabilities()).isEmpty();
        EventChannel channel = manager.createEventChannel();
        assertAbsent("DATAGRAM", () -> manager.createId(channel, PortSpace.UDP, null));
        assertAbsent("IB_PORT_SPACE", () -> manager.createId(channel, PortSpace.IB, null));
        ConnectionId id = manager.createId(channel, PortSpace.TCP, "context");
        assertThat(id.context()).isEqualTo("context");
        assertAbsent("REJECT", () -> id.reject(new byte[0]));
        assertAbsent("MIGRATE", () -> id.migrate(channel));
        assertAbsent("OPTIONS", () -> id.setAckTimeout(AckTimeout.ofCode(14)));
        assertAbsent("IPV6", () -> id.bind(new InetSocketAddress(InetAddress.ofLiteral("::1"), 1)));
        assertAbsent(
                "EXTERNAL_QP", () -> id.connect(ConnectionParameters.builder().build()));
    }

    @Test
    void anIdWithoutDeviceIsNotAskedForItsContextWhichDisniWouldKeepAsNull() throws Exception {
        EventChannel channel = manager.createEventChannel();
        ConnectionId id = manager.createId(channel, PortSpace.TCP, null);

        assertThat(id.device()).isEmpty();
        assertThat(id.port()).isZero();
        assertThat(id.localAddress()).isEmpty();
        verify(fake.ids.getFirst(), never()).getVerbs();

        id.resolveAddress(null, FakeDisni.THERE, SECOND);
        assertThat(id.device()).isEmpty();
        fake.tells(CmEventType.ADDR_RESOLVED, null, fake.ids.getFirst());
        FakeDisni.next(channel).close();

        assertThat(id.device().map(Device::name)).contains("rxe0");
        assertThat(id.port()).isEqualTo(1);
        assertThat(id.localAddress()).contains(FakeDisni.HERE);
        assertThat(id.peerAddress()).contains(FakeDisni.THERE);
    }

    @Test
    void aListenerOfAnyAddressIsRefusedForItsGuestsWouldHaveNoDevice() throws Exception {
        ConnectionId id = manager.createId(manager.createEventChannel(), PortSpace.TCP, null);

        assertThat(refusal(() -> id.bind(new InetSocketAddress(7471))).errno()).isIn(Errno.EINVAL, Errno.EOPNOTSUPP);
        assertThat(refusal(() -> id.bind(new InetSocketAddress(InetAddress.ofLiteral("0.0.0.0"), 7471))))
                .hasMessageContaining("bind to the address of a device");
        assertThat(refusal(() -> id.listen(1)).errno()).isEqualTo(Errno.EINVAL);
        verify(fake.cm, never()).bindAddr(any(), any());
        verify(fake.cm, never()).listen(any(), anyInt());
    }

    @Test
    void theSourceThatDisniWouldDropIsBoundToFirst() throws Exception {
        ConnectionId id = manager.createId(manager.createEventChannel(), PortSpace.TCP, null);

        id.resolveAddress(FakeDisni.HERE, FakeDisni.THERE, Duration.ofMillis(1500));

        InOrder order = inOrder(fake.cm);
        order.verify(fake.cm).bindAddr(fake.ids.getFirst(), FakeDisni.HERE);
        order.verify(fake.cm).resolveAddr(fake.ids.getFirst(), FakeDisni.HERE, FakeDisni.THERE, 1500);
    }

    @Test
    void connectingHandsOverPrivateDataAndRetryCounts() throws Exception {
        byte[][] seen = new byte[1][];
        byte[] counts = new byte[2];
        doAnswer(call -> {
                    RdmaConnParam raw = call.getArgument(1);
                    counts[0] = raw.getRetry_count();
                    counts[1] = raw.getRnr_retry_count();
                    seen[0] = behind(raw.getPrivate_data(), raw.getPrivate_data_len());
                    return null;
                })
                .when(fake.cm)
                .connect(any(), any());
        FakeDisni.Connected side = fake.connected(QpCapabilities.of(4, 4), false);

        side.bound()
                .id()
                .connect(ConnectionParameters.builder()
                        .privateData(new byte[] {1, 2, 3})
                        .retryCount(5)
                        .rnrRetryCount(new RnrRetryCount(3))
                        .build());

        assertThat(seen[0]).containsExactly(1, 2, 3);
        assertThat(counts).containsExactly(5, 3);
        assertThat(refusal(() -> side.bound()
                                .id()
                                .connect(ConnectionParameters.builder()
                                        .privateData(new byte[57])
                                        .build()))
                        .errno())
                .isEqualTo(Errno.EINVAL);
    }

    @SuppressWarnings("restricted") // Returns the bytes that C would read.
    private static byte[] behind(long address, int length) {
        return MemorySegment.ofAddress(address).reinterpret(length).toArray(ValueLayout.JAVA_BYTE);
    }

    @Test
    void aConnectionGoesThroughItsStatesByEvents() throws Exception {
        FakeDisni.Bound listening = fake.bound();
        listening.id().setContext("listener");
        listening.id().listen(4);
        RdmaCmId guest = fake.newId();
        fake.tells(CmEventType.CONNECT_REQUEST, fake.ids.getFirst(), guest);
        CmEvent request = FakeDisni.next(listening.channel());
        assertThat(request.type()).isEqualTo(CmEventType.CONNECT_REQUEST);
        assertThat(request.status()).isZero();
        assertThat(request.privateData()).isEmpty();
        assertThat(request.parameters()).isEmpty();
        assertThat(request.listenId()).contains(listening.id());
        ConnectionId id = request.id();
        assertThat(id.context()).isEqualTo("listener");
        Device device = id.device().orElseThrow();
        assertThat(device).isSameAs(listening.id().device().orElseThrow());
        ProtectionDomain domain = device.allocatePd();
        CompletionQueue queue = device.createCq(CqInitAttributes.ofCapacity(8));
        QueuePair qp = id.createQp(domain, QpInitAttributes.rc(queue, QpCapabilities.of(4, 8)));

        ArgumentCaptor<IbvQPInitAttr> raw = ArgumentCaptor.forClass(IbvQPInitAttr.class);
        verify(fake.cm).createQP(eq(guest), any(), raw.capture());
        assertThat(raw.getValue().cap().getMax_recv_wr()).isEqualTo(8);
        assertThat(qp.number()).isEqualTo(FakeDisni.QP_NUMBER);
        assertThat(qp.state()).isEqualTo(QpState.INIT);
        assertAbsent(
                "o2iblnd",
                () -> id.accept(
                        ConnectionParameters.builder().privateData(new byte[1]).build()));
        id.accept(ConnectionParameters.builder().build());
        assertThat(qp.state()).isEqualTo(QpState.RTS);
        id.disconnect();
        assertThat(qp.state()).isEqualTo(QpState.ERR);

        assertThat(refusal(queue::close).errno()).isEqualTo(Errno.EBUSY);
        assertThat(refusal(id::close).errno()).isEqualTo(Errno.EBUSY);
        qp.close();
        assertThat(refusal(id::close)).hasMessageContaining("CONNECT_REQUEST");
        request.close();
        id.close();
        queue.close();
        domain.close();
        verify(fake.cm).destroyQP(guest);
        verify(fake.cm).destroyCmId(guest);
        assertThat(refusal(listening.channel()::close).errno()).isEqualTo(Errno.EBUSY);
        listening.id().close();
        listening.channel().close();
        assertThat(refusal(listening.channel()::poll).errno()).isEqualTo(Errno.EBADF);
    }

    @Test
    void aRequestToAClosedListenerIsRejectedByClosingTheId() throws Exception {
        FakeDisni.Bound listening = fake.bound();
        RdmaCmId listener = fake.ids.getFirst();
        listening.id().close();
        RdmaCmId guest = fake.newId();

        fake.tells(CmEventType.CONNECT_REQUEST, listener, guest);

        assertThat(Arrays.asList(fake.destroyed.poll(60, TimeUnit.SECONDS), fake.destroyed.poll(60, TimeUnit.SECONDS)))
                .containsExactly(listener, guest);
        assertThat(listening.channel().poll()).isEmpty();
    }

    @Test
    void queuePairsHaveDisnisFormAndBelongToThatDevice() throws Exception {
        FakeDisni.Bound bound = fake.bound();
        Device device = bound.id().device().orElseThrow();
        ProtectionDomain domain = device.allocatePd();
        CompletionQueue queue = device.createCq(CqInitAttributes.ofCapacity(8));
        QpInitAttributes datagrams = QpInitAttributes.builder()
                .type(QpType.UD)
                .sendCq(queue)
                .receiveCq(queue)
                .capabilities(QpCapabilities.of(1, 1))
                .build();

        assertThat(catchThrowableOfType(
                                CapabilityException.class, () -> bound.id().createQp(domain, datagrams))
                        .capability())
                .isEqualTo(Capability.UD);
        assertThat(refusal(() ->
                        bound.id().createQp(domain, QpInitAttributes.rc(queue, new QpCapabilities(1, 1, 5, 1, 0)))))
                .hasMessageContaining("4 entries");
        // A domain of the device as the provider opens it is of the same context.
        ProtectionDomain opened = fake.provider.open("rxe0").allocatePd();
        assertThat(bound.id()
                        .createQp(opened, QpInitAttributes.rc(queue, QpCapabilities.of(1, 1)))
                        .type())
                .isEqualTo(QpType.RC);
    }

    @Test
    void eventsGoToAHandlerWhereOneIsSet() throws Exception {
        FakeDisni.Bound bound = fake.bound();
        BlockingQueue<CmEventType> handled = new LinkedBlockingQueue<>();
        bound.channel().setHandler(event -> handled.add(event.type()));

        fake.tells(CmEventType.DISCONNECTED, null, fake.ids.getFirst());

        assertThat(handled.poll(60, TimeUnit.SECONDS)).isEqualTo(CmEventType.DISCONNECTED);
    }

    /** As after {@code rdma link delete rxe0} and {@code rdma link add rxe0}. */
    @Test
    void aDeviceThatWasMadeAgainUnderItsNameIsAnotherOne() throws Exception {
        ConnectionId before = fake.bound().id();
        Device removed = before.device().orElseThrow();
        ProtectionDomain ofRemoved = removed.allocatePd();
        CompletionQueue queue = removed.createCq(CqInitAttributes.ofCapacity(8));
        Path files = root.resolve("sys/class/infiniband_verbs");
        Files.move(files.resolve("uverbs0"), files.resolve("removed"));
        FakeDisni.write(files.resolve("uverbs0/ibdev"), "rxe0");

        ConnectionId after = fake.bound().id();

        assertThat(after.device().orElseThrow()).isNotSameAs(removed).returns("rxe0", Device::name);
        assertThat(refusal(() -> after.createQp(ofRemoved, QpInitAttributes.rc(queue, QpCapabilities.of(1, 1))))
                        .errno())
                .isEqualTo(Errno.EINVAL);
    }

    /** librdmacm closes the context of a removed device, and the next file that is opened gets its descriptor. */
    @Test
    void aDescriptorThatWasClosedStandsForTheDeviceThatHasItByNow() throws Exception {
        EventChannel events = manager.createEventChannel();
        ConnectionId before = manager.createId(events, PortSpace.TCP, null);
        before.bind(FakeDisni.HERE);
        assertThat(before.device().orElseThrow().name()).isEqualTo("rxe0");
        Files.move(root.resolve("sys/class/infiniband/rxe0"), root.resolve("sys/class/infiniband/rxe1"));
        FakeDisni.write(root.resolve("sys/class/infiniband_verbs/uverbs0/ibdev"), "rxe1");
        ConnectionId after = manager.createId(events, PortSpace.TCP, null);
        after.bind(FakeDisni.HERE);
        assertThat(after.device().orElseThrow().name()).isEqualTo("rxe1");
        Files.delete(root.resolve("sys/class/infiniband_verbs/uverbs0/ibdev"));
        assertThat(after.device().orElseThrow().name()).isEqualTo("rxe1");
    }
}
