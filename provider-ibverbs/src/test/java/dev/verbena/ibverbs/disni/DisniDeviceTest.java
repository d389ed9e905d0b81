// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.disni;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.inOrder;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvPd;
import com.ibm.disni.verbs.IbvQP;
import dev.verbena.ibverbs.internal.UseGuard;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.CapabilityException;
import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CqInitAttributes;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.GidEntry;
import dev.verbena.verbs.GidType;
import dev.verbena.verbs.Guid;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MemoryWindowType;
import dev.verbena.verbs.Notification;
import dev.verbena.verbs.PathMtu;
import dev.verbena.verbs.PortAttributes;
import dev.verbena.verbs.PortState;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.SrqInitAttributes;
import dev.verbena.verbs.VerbsArena;
import dev.verbena.verbs.VerbsBusyException;
import dev.verbena.verbs.VerbsException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mockito.InOrder;

/** The device, its facts, and everything on it but connections and the data path. */
class DisniDeviceTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    @TempDir
    private Path root;

    private FakeDisni fake;
    private Device device;

    @BeforeEach
    void open() throws Exception {
        fake = new FakeDisni(root);
        device = fake.provider.open("rxe0");
    }

    @AfterEach
    void end() {
        fake.close();
    }

    @Test
    void devicesAndTheirPortsFollowTheKernelsFiles() throws Exception {
        assertThat(fake.provider.devices()).singleElement().satisfies(info -> {
            assertThat(info.name()).isEqualTo("rxe0");
            assertThat(info.nodeGuid()).isEqualTo(Guid.parse("0256:fffe:c000:0201"));
        });
        PortAttributes port = device.queryPort(1);
        assertThat(port.state()).isEqualTo(PortState.ACTIVE);
        assertThat(port.linkLayer()).isEqualTo(LinkLayer.ETHERNET);
        assertThat(port.activeMtu()).isEqualTo(PathMtu.MTU_1024);
        assertThat(port.activeSpeedMbps()).isEqualTo(2500);
        assertThat(device.gidTable(1))
                .containsExactly(
                        GidEntry.builder()
                                .port(1)
                                .index(0)
                                .gid(Gid.parse("fe80::56:fffe:c000:201"))
                                .type(GidType.ROCE_V2)
                                .interfaceName("eth0")
                                .build(),
                        GidEntry.builder()
                                .port(1)
                                .index(1)
                                .gid(Gid.parse("192.0.2.1"))
                                .type(GidType.ROCE_V2)
                                .interfaceName("eth0")
                                .build());
        assertThat(device.queryPkey(1, 0)).isEqualTo(0xFFFF);
        assertThat(catchThrowableOfType(VerbsException.class, () -> device.queryPkey(1, 1))
                        .errno())
                .isEqualTo(Errno.EINVAL);
        assertThat(catchThrowableOfType(VerbsException.class, () -> device.queryPort(2))
                        .errno())
                .isEqualTo(Errno.EINVAL);
        assertThat(device.attributes().completionVectors()).isEqualTo(2);
        assertThat(device.attributes().firmwareVersion()).isEqualTo("1.2.3");
    }

    private List<String> gids() throws VerbsException {
        return device.gidTable(1).stream().map(entry -> entry.gid().toString()).toList();
    }

    private void kernelMakesGid(int index, String gid) throws IOException {
        Path port = root.resolve("sys/class/infiniband/rxe0/ports/1");
        FakeDisni.write(port.resolve("gids/" + index), gid);
        FakeDisni.write(port.resolve("gid_attrs/ndevs/" + index), "eth0");
    }

    @Test
    void theGidTableIsReadAgainOnceAnInterfaceGetsAnAddressUntilTheKernelHasMadeItsEntry() throws Exception {
        InetAddress first = InetAddress.ofLiteral("192.0.2.1");
        fake.addresses = Map.of("eth0", Set.of(first));
        List<String> before = gids();
        kernelMakesGid(2, "::ffff:192.0.2.2");
        assertThat(gids()).isEqualTo(before);

        fake.addresses = Map.of("eth0", Set.of(first, InetAddress.ofLiteral("192.0.2.3")));
        assertThat(gids()).hasSize(before.size() + 1);
        kernelMakesGid(3, "::ffff:192.0.2.3");
        assertThat(gids()).hasSize(before.size() + 2);
        kernelMakesGid(4, "::ffff:192.0.2.4");

        assertThat(gids()).hasSize(before.size() + 2);
    }

    @Test
    void theChannelOfAQueueThatRefusesToBeDestroyedIsDestroyedByTheNextClose() throws Exception {
        CompletionQueue queue = device.createCq(CqInitAttributes.ofCapacity(4));
        when(fake.verbs.destroyCompChannel(any())).thenReturn(1, 0);
        assertThat(catchThrowableOfType(VerbsException.class, queue::close))
                .hasMessageContaining("the call returned 1");
        assertThat(catchThrowableOfType(VerbsException.class, device::close).errno())
                .isEqualTo(Errno.EBUSY);

        queue.close();
        device.close();

        verify(fake.verbs).destroyCQ(any());
        verify(fake.verbs, times(2)).destroyCompChannel(any());
    }

    @Test
    void aDeviceWhoseChannelRefusesToBeDestroyedDestroysItsIdOnce() throws Exception {
        when(fake.cm.destroyEventChannel(any())).thenReturn(1, 0);
        assertThat(catchThrowableOfType(VerbsException.class, device::close))
                .hasMessageContaining("the call returned 1");

        device.close();

        verify(fake.cm).destroyCmId(any());
        verify(fake.cm, times(2)).destroyEventChannel(any());
    }

    @Test
    void aQueuePairWhoseNumberCannotBeReadIsDestroyed() throws Exception {
        when(fake.cm.createQP(any(), any(), any())).thenAnswer(call -> {
            IbvQP made = mock(IbvQP.class);
            when(made.getQp_num()).thenThrow(new IOException("no number"));
            return made;
        });

        assertThat(catchThrowableOfType(VerbsException.class, () -> fake.connected(QpCapabilities.of(4, 4), false)))
                .hasMessageContaining("no number");

        verify(fake.cm).destroyQP(any());
    }

    @Test
    void objectsOfADeviceThatIsGoneCanBeClosed() throws Exception {
        ProtectionDomain domain = device.allocatePd();
        CompletionQueue queue = device.createCq(CqInitAttributes.ofCapacity(4));
        when(fake.verbs.deallocPd(any())).thenReturn(Errno.EIO.number());
        when(fake.verbs.destroyCQ(any())).thenReturn(Errno.EIO.number());

        domain.close();
        queue.close();
        device.close();

        verify(fake.verbs).deallocPd(any());
        verify(fake.verbs).destroyCQ(any());
    }

    @Test
    void aThreadThatReadsEventsSurvivesEveryExceptionOfAPoll() throws Exception {
        UseGuard guard = new UseGuard("the object");
        AtomicInteger polls = new AtomicInteger();
        CountDownLatch acted = new CountDownLatch(1);
        PollingThread poller = new PollingThread("test-poller", guard, milliseconds -> {
            if (polls.incrementAndGet() == 1) {
                throw new IllegalStateException("of the poll");
            }
            return Optional.of(acted::countDown);
        });

        poller.start();

        assertThat(acted.await(60, TimeUnit.SECONDS)).isTrue();
        poller.end(() -> {});
    }

    @Test
    void theCapabilitiesAreThoseOfDisni() {
        assertThat(device.capabilities())
                .containsExactlyInAnyOrderElementsOf(EnumSet.of(
                        Capability.RC,
                        Capability.RDMA_READ,
                        Capability.IMMEDIATE_DATA,
                        Capability.INLINE_DATA,
                        Capability.COMPLETION_CHANNEL,
                        Capability.SOLICITED_EVENTS,
                        Capability.GLOBAL_ROUTING));
        assertThat(device.attributes().maxSge()).isEqualTo(4);
    }

    @Test
    void openingBindsAnIdToAnAddressOfTheDeviceAndClosingGivesItBack() throws Exception {
        verify(fake.cm).bindAddr(fake.ids.getFirst(), new InetSocketAddress("192.0.2.1", 0));

        device.close();

        InOrder order = inOrder(fake.cm);
        order.verify(fake.cm).destroyCmId(fake.ids.getFirst());
        order.verify(fake.cm).destroyEventChannel(any());
        assertThatIllegalStateException().isThrownBy(device::attributes).withMessageContaining("closed");
    }

    @Test
    void aDeviceThatIsNotListedOrHasNoAddressIsRefused() throws Exception {
        VerbsException unknown = catchThrowableOfType(VerbsException.class, () -> fake.provider.open("mlx5_0"));
        assertThat(unknown.errno()).isEqualTo(Errno.ENODEV);
        assertThat(unknown).hasMessageContaining("there are: rxe0");
        Files.delete(root.resolve("sys/class/infiniband/rxe0/ports/1/gids/1"));

        VerbsException nowhere = catchThrowableOfType(VerbsException.class, () -> fake.provider.open("rxe0"));

        assertThat(nowhere.errno()).isEqualTo(Errno.EADDRNOTAVAIL);
        assertThat(nowhere).hasMessageContaining("no IPv4 address");
    }

    @Test
    void anIdThatCannotBeBoundIsClosedAndRefusedWithDisnisMessage() throws Exception {
        doThrow(new IOException("no such device")).when(fake.cm).bindAddr(any(), any());

        VerbsException refused = catchThrowableOfType(VerbsException.class, () -> fake.provider.open("rxe0"));

        assertThat(refused).hasMessageContainingAll("rdma_bind_addr", "no such device", "'ibverbs'");
        verify(fake.cm).destroyCmId(fake.ids.getLast());
    }

    @Test
    void memoryIsRegisteredByAddressAndLengthAndDeregistered() throws Exception {
        ProtectionDomain domain = device.allocatePd();
        VerbsArena arena = device.newArena();
        var memory = arena.allocate(4096, 8);

        MemoryRegion region = domain.registerMemory(memory, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_READ);

        verify(fake.verbs).regMr(any(IbvPd.class), eq(memory.address()), eq(4096), eq(5));
        verify(fake.registering).free();
        assertThat(region.lkey()).isEqualTo(FakeDisni.LKEY);
        assertThat(region.rkey()).isEqualTo(FakeDisni.LKEY + 1);
        assertThat(region.length()).isEqualTo(4096);
        assertThat(catchThrowableOfType(VerbsException.class, domain::close).errno())
                .isEqualTo(Errno.EBUSY);
        region.close();
        domain.close();
        arena.close();
        device.close();
    }

    @Test
    void anArenaIsBusyWhileItsMemoryIsRegistered() throws Exception {
        ProtectionDomain domain = device.allocatePd();
        VerbsArena arena = device.newArena();
        AtomicReference<VerbsBusyException> busy = new AtomicReference<>();
        when(fake.registering.execute()).thenAnswer(call -> {
            busy.set(catchThrowableOfType(VerbsBusyException.class, arena::close));
            return fake.registering;
        });

        MemoryRegion region = domain.registerMemory(arena.allocate(4096, 8), AccessFlag.LOCAL_WRITE);

        assertThat(busy.get()).hasMessageContaining("ibv_reg_mr in the protection domain");
        region.close();
        arena.close();
        domain.close();
    }

    @Test
    void aRegionLongerThanAnIntIsRefusedBeforeDisniWouldCutItsLength() throws Exception {
        ProtectionDomain domain = device.allocatePd();
        var memory = device.newArena().allocate(Integer.MAX_VALUE + 4097L, 4096);

        VerbsException refused =
                catchThrowableOfType(VerbsException.class, () -> domain.registerMemory(memory, AccessFlag.LOCAL_WRITE));

        assertThat(refused.errno()).isEqualTo(Errno.EINVAL);
        assertThat(refused).hasMessageContainingAll("int in DiSNI", "at most 2147483647");
        verify(fake.verbs, never()).regMr(any(IbvPd.class), anyLong(), anyInt(), anyInt());
    }

    @Test
    void aRefusedRegistrationIsReportedAndLeavesNothingOpen() throws Exception {
        when(fake.registering.execute()).thenThrow(new IOException("Memory registration failed with 12"));
        ProtectionDomain domain = device.allocatePd();
        var memory = device.newArena().allocate(64, 8);

        VerbsException refused =
                catchThrowableOfType(VerbsException.class, () -> domain.registerMemory(memory, AccessFlag.LOCAL_WRITE));

        assertThat(refused).hasMessageContainingAll("ibv_reg_mr", "failed with 12");
        verify(fake.registering).free();
        domain.close();
    }

    @Test
    void aMissingFeatureOfDisniIsRefusedByTheNameOfTheCapability() throws Exception {
        FakeDisni.Connected side = fake.connected(QpCapabilities.of(4, 4), false);
        ProtectionDomain domain = side.domain();
        MemoryRegion region = domain.registerMemory(domain.device().newArena().allocate(64, 8), AccessFlag.LOCAL_WRITE);
        QpInitAttributes attributes = QpInitAttributes.rc(side.cq(), QpCapabilities.of(1, 1));

        assertLacking(Capability.MANUAL_CONNECT, () -> domain.createQp(attributes));
        assertLacking(
                Capability.MANUAL_CONNECT,
                () -> side.qp().modify(QpAttributes.builder().state(QpState.ERR).build()));
        assertLacking(Capability.QP_QUERY, () -> side.qp().query());
        assertLacking(
                Capability.SRQ,
                () -> domain.createSrq(
                        SrqInitAttributes.builder().maxWr(4).maxSge(1).build()));
        assertLacking(Capability.MW_TYPE_1, () -> domain.allocateMw(MemoryWindowType.TYPE_1));
        assertLacking(Capability.MW_TYPE_2B, () -> domain.allocateMw(MemoryWindowType.TYPE_2));
        assertLacking(
                Capability.IOVA_MR,
                () -> domain.registerMemory(
                        domain.device().newArena().allocate(64, 8), 0x1000, EnumSet.of(AccessFlag.LOCAL_WRITE)));
        assertLacking(Capability.REREGISTER_MR, () -> region.reregister(null, null, null));
        assertLacking(Capability.CQ_RESIZE, () -> side.cq().resize(32));
        assertLacking(Capability.UD_MULTICAST, () -> side.qp().attachMulticast(Gid.parse("ff02::1"), 0));
    }

    private static void assertLacking(Capability capability, ThrowingCallable call) {
        assertThat(catchThrowableOfType(CapabilityException.class, call).capability())
                .isEqualTo(capability);
    }

    @Test
    void aQueueThatIsArmedIsAnnouncedToItsHandlerByAThreadOfItsOwn() throws Exception {
        BlockingQueue<CompletionQueue> announced = new LinkedBlockingQueue<>();
        CompletionQueue queue = device.createCq(
                CqInitAttributes.builder().capacity(4).handler(announced::add).build());
        queue.requestNotification(Notification.SOLICITED_ONLY);
        verify(fake.verbs).reqNotifyCQ(any(), eq(true));

        fake.announces();

        assertThat(announced.poll(60, TimeUnit.SECONDS)).isSameAs(queue);
        verify(fake.verbs).ackCqEvents(any(), eq(1));
        queue.close();
        verify(fake.verbs).destroyCQ(any());
        verify(fake.verbs).destroyCompChannel(any());
        device.close();
    }

    @Test
    void oneChannelAnnouncesManyQueuesAndIsInUseByThem() throws Exception {
        CompletionChannel channel = device.createCompletionChannel();
        CqInitAttributes attributes =
                CqInitAttributes.builder().capacity(4).channel(channel).build();
        CompletionQueue first = device.createCq(attributes);
        CompletionQueue second = device.createCq(attributes);

        fake.announces();

        assertThat(Stream.of(channel.await(LONG), channel.await(LONG)).map(Optional::orElseThrow))
                .containsExactlyInAnyOrder(first, second);
        assertThat(catchThrowableOfType(VerbsException.class, channel::close).errno())
                .isEqualTo(Errno.EBUSY);
        first.close();
        second.close();
        channel.close();
        assertThat(catchThrowableOfType(VerbsException.class, channel::poll).errno())
                .isEqualTo(Errno.EBADF);
    }

    @Test
    void aRegistrationThatEndsWithAnUncheckedExceptionLeavesNoRegion() throws Exception {
        ProtectionDomain domain = device.allocatePd();
        VerbsArena arena = device.newArena();
        MemorySegment memory = arena.allocate(64);
        doThrow(new IllegalStateException("of free")).when(fake.registering).free();
        assertThatIllegalStateException()
                .isThrownBy(() -> domain.registerMemory(memory, AccessFlag.LOCAL_WRITE))
                .withMessage("of free");
        verify(fake.verbs, times(1)).deregMr(any());

        doReturn(fake.registering).when(fake.registering).free();
        IbvMr mr = fake.registering.getMr();
        doThrow(new IllegalStateException("of the key")).when(mr).getLkey();
        assertThatIllegalStateException()
                .isThrownBy(() -> domain.registerMemory(memory, AccessFlag.LOCAL_WRITE))
                .withMessage("of the key");
        verify(fake.verbs, times(2)).deregMr(any());
        arena.close();
        domain.close();
    }

    @Test
    void aQueueOfWhichPollingFailsIsBroken() throws Exception {
        CompletionQueue queue = device.createCq(CqInitAttributes.ofCapacity(4));
        doThrow(new IOException("Polling CQ failed")).when(fake.verbs).pollCQ(any(), any(), anyInt());

        assertThatIllegalStateException()
                .isThrownBy(() -> queue.poll(queue.newCompletions(1)))
                .withMessageContaining("broken");
    }
}
