// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import dev.verbena.ibverbs.cm.NativeConnectionManager;
import dev.verbena.ibverbs.cm.SocketAddresses;
import dev.verbena.ibverbs.device.DeviceFacts;
import dev.verbena.ibverbs.library.CmCalls;
import dev.verbena.ibverbs.library.NativeHandle;
import dev.verbena.ibverbs.queue.NativeCq;
import dev.verbena.ibverbs.queue.QpAttributeCodec;
import dev.verbena.ibverbs.queue.QpControl;
import dev.verbena.ibverbs.struct.IbvContext;
import dev.verbena.ibverbs.struct.IbvCq;
import dev.verbena.ibverbs.struct.IbvDevice;
import dev.verbena.ibverbs.struct.IbvDeviceAttr;
import dev.verbena.ibverbs.struct.IbvDeviceAttrEx;
import dev.verbena.ibverbs.struct.IbvGidEntry;
import dev.verbena.ibverbs.struct.IbvPortAttr;
import dev.verbena.ibverbs.struct.IbvQp;
import dev.verbena.ibverbs.struct.IbvQpAttr;
import dev.verbena.ibverbs.struct.IbvQpCap;
import dev.verbena.ibverbs.struct.IbvQpInitAttr;
import dev.verbena.ibverbs.struct.IbvSendWr;
import dev.verbena.spi.WallRuntime;
import dev.verbena.verbs.AtomicCapability;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CqInitAttributes;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.DeviceAttributes;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.PathMtu;
import dev.verbena.verbs.PhysicalPortState;
import dev.verbena.verbs.PortAttributes;
import dev.verbena.verbs.PortState;
import dev.verbena.verbs.PostRefusal;
import dev.verbena.verbs.QpAttribute;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Devices and drivers that behave differently from Soft-RoCE, each within the rules of the header or the man pages. */
class DriverDifferencesTest {
    private static final int OF_PORT = 2;

    private final FakeLibrary library = new FakeLibrary();

    private void sends(QpState state) {
        when(library.queuePairs.queryQp(any(), any(), any(), anyInt(), any())).thenAnswer(call -> {
            ((MemorySegment) call.getArgument(2)).set(JAVA_INT, IbvQpAttr.QP_STATE, state.code());
            return 0;
        });
    }

    private QueuePair queuePair(QpCapabilities depths) throws VerbsException {
        Device device = library.open();
        CompletionQueue cq = device.createCq(CqInitAttributes.ofCapacity(16));
        QueuePair made = device.allocatePd()
                .createQp(QpInitAttributes.builder()
                        .type(QpType.RC)
                        .sendCq(cq)
                        .receiveCq(cq)
                        .capabilities(depths)
                        .build());
        sends(QpState.RTS);
        return made;
    }

    @Test
    void aDriverMayGrantLessInlineDataThanRequested() throws VerbsException {
        when(library.queuePairs.createQp(any(), any(), any())).thenAnswer(call -> {
            MemorySegment attributes = call.getArgument(2);
            attributes.set(JAVA_INT, IbvQpInitAttr.CAP + IbvQpCap.MAX_INLINE_DATA, 8);
            return FakeLibrary.pointer(library.zeroed(IbvQp.LAYOUT));
        });

        assertThat(queuePair(new QpCapabilities(4, 4, 1, 1, 16)).capabilities().maxInlineData())
                .isEqualTo(8);
    }

    /** As the kernel's {@code rdma_query_gid_table}: all ports' entries, or EINVAL. */
    @Test
    void eachPortOfTwoHasItsGidTable() throws VerbsException {
        library.deviceAttributes.set(JAVA_BYTE, IbvDeviceAttr.PHYS_PORT_CNT, (byte) 2);
        doAnswer(call -> {
                    ((MemorySegment) call.getArgument(3)).set(JAVA_INT, IbvPortAttr.GID_TBL_LEN, OF_PORT);
                    return 0;
                })
                .when(library.ports)
                .queryPort(any(), any(), anyInt(), any(), anyLong());
        when(library.contexts.queryGidTable(any(), any(), any(), anyLong(), anyInt(), anyLong()))
                .thenAnswer(call -> {
                    MemorySegment entries = call.getArgument(2);
                    if ((long) call.getArgument(3) < 2 * OF_PORT) {
                        return (long) -Errno.EINVAL.number();
                    }
                    for (int i = 0; i < 2 * OF_PORT; i++) {
                        MemorySegment entry = entries.asSlice(i * IbvGidEntry.LAYOUT.byteSize());
                        entry.set(JAVA_INT, IbvGidEntry.PORT_NUM, 1 + i / OF_PORT);
                        entry.set(JAVA_INT, IbvGidEntry.GID_INDEX, i % OF_PORT);
                    }
                    return 2L * OF_PORT;
                });
        Device device = library.open();

        assertThat(device.gidTable(1)).hasSize(OF_PORT).allMatch(entry -> entry.port() == 1);
        assertThat(device.gidTable(2)).hasSize(OF_PORT).allMatch(entry -> entry.port() == 2);
    }

    private PortAttributes port(int speed, int extendedSpeed, int width) throws VerbsException {
        doAnswer(call -> {
                    MemorySegment raw = call.getArgument(3);
                    raw.set(JAVA_INT, IbvPortAttr.STATE, 9);
                    raw.set(JAVA_BYTE, IbvPortAttr.PHYS_STATE, (byte) 200);
                    raw.set(JAVA_BYTE, IbvPortAttr.LINK_LAYER, (byte) 7);
                    raw.set(JAVA_INT, IbvPortAttr.MAX_MTU, 7);
                    raw.set(JAVA_INT, IbvPortAttr.ACTIVE_MTU, 6);
                    raw.set(JAVA_BYTE, IbvPortAttr.ACTIVE_SPEED, (byte) speed);
                    raw.set(JAVA_INT, IbvPortAttr.ACTIVE_SPEED_EX, extendedSpeed);
                    raw.set(JAVA_BYTE, IbvPortAttr.ACTIVE_WIDTH, (byte) width);
                    return 0;
                })
                .when(library.ports)
                .queryPort(any(), any(), anyInt(), any(), anyLong());
        return library.open().queryPort(1);
    }

    @Test
    void statesOfLaterReleasesAreReportedByNumber() throws VerbsException {
        PortAttributes port = port(128, 0, 2);

        assertThat(port.state()).isEqualTo(PortState.UNKNOWN);
        assertThat(port.stateCode()).isEqualTo(9);
        assertThat(port.physicalState()).isEqualTo(PhysicalPortState.UNKNOWN);
        assertThat(port.physicalStateCode()).isEqualTo(200);
        assertThat(port.linkLayer()).isEqualTo(LinkLayer.UNKNOWN);
        assertThat(port.linkLayerCode()).isEqualTo(7);
        assertThat(port.maxMtu()).isEqualTo(PathMtu.MTU_4096);
        assertThat(port.maxMtuCode()).isEqualTo(7);
        assertThat(port.activeMtu()).isEqualTo(PathMtu.MTU_4096);
        assertThat(port.activeMtuCode()).isEqualTo(6);
        assertThat(port.toBuilder().build()).isEqualTo(port);
    }

    @ParameterizedTest
    @CsvSource({
        "NDR 4x,             128,    0,  2, 400000, 128",
        "XDR 4x,             128,  256,  2, 800000, 256",
        "a later speed,      128,  512,  2,      0, 512",
        "a later width,      128,    0, 64,      0, 128",
        "SDR 2x,               1,    0, 16,   5000,   1",
        "no speed,             0,    0,  2,      0,   0",
    })
    void speedsAndWidthsAreReportedByNumber(
            String name, int speed, int extendedSpeed, int width, long mbps, int speedCode) throws VerbsException {
        PortAttributes port = port(speed, extendedSpeed, width);

        assertThat(port.activeSpeedMbps()).as(name).isEqualTo(mbps);
        assertThat(port.activeSpeedCode()).as(name).isEqualTo(speedCode);
        assertThat(port.activeWidthCode()).as(name).isEqualTo(width);
    }

    @Test
    void aKindOfAtomicsOfALaterReleaseIsReportedByNumber() throws VerbsException {
        library.limit(IbvDeviceAttr.ATOMIC_CAP, 3);

        DeviceAttributes attributes = library.open().attributes();

        assertThat(attributes.atomicCapability()).isEqualTo(AtomicCapability.UNKNOWN);
        assertThat(attributes.atomicCapabilityCode()).isEqualTo(3);
        assertThat(attributes.toBuilder().build()).isEqualTo(attributes);
    }

    @Test
    void aQueryThatFindsAStateOfALaterReleaseFailsWithItsNumber() {
        MemorySegment raw = library.zeroed(IbvQpAttr.LAYOUT);
        raw.set(JAVA_INT, IbvQpAttr.QP_STATE, 7);

        assertThatThrownBy(() -> QpAttributeCodec.state(raw))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("state 7");
    }

    @Test
    void aQueuePairOfTheConnectionManagerIsQueriedBeforeItHasAPathMtu() throws VerbsException {
        QpControl control = new QpControl(
                library.queuePairs, new NativeHandle("QP", MemorySegment.ofAddress(64)), QpType.RC, qp -> {});
        sends(QpState.INIT);
        control.managedElsewhere();

        QpAttributes attributes = control.query();

        assertThat(attributes.state()).isEqualTo(QpState.INIT);
        assertThat(attributes.has(QpAttribute.PATH_MTU)).isFalse();
    }

    @Test
    void inlineDataNeedsNoEntryThatWasAskedFor() throws VerbsException {
        List<Integer> entries = new ArrayList<>();
        QueuePair qp = queuePair(new QpCapabilities(4, 4, 0, 1, 64));
        when(library.data.postSend(anyLong(), anyLong(), anyLong())).thenAnswer(call -> {
            entries.add(FakeLibrary.behind(call.getArgument(1), IbvSendWr.LAYOUT.byteSize())
                    .get(JAVA_INT, IbvSendWr.NUM_SGE));
            return 0;
        });
        SendRequests sends = qp.newSendRequests(1);
        sends.get(0).send().signaled().inlineData(MemorySegment.ofArray(new byte[5]));

        assertThat(qp.postSend(sends, 1)).isOne();

        assertThat(entries).containsExactly(1);
    }

    /** libsiw cuts a list that does not fit and answers 0. */
    @ParameterizedTest
    @CsvSource({"0, 0", "1, 0", "2, 0", "1, 12"})
    void aPostAcceptsTheRequestsBeforeTheBadOneForAnyReturnValue(int taken, int answer) throws VerbsException {
        QueuePair qp = queuePair(QpCapabilities.of(4, 4));
        SendRequests sends = qp.newSendRequests(3);
        for (int i = 0; i < 3; i++) {
            sends.get(i).send().signaled();
        }
        when(library.data.postSend(anyLong(), anyLong(), anyLong())).thenAnswer(call -> {
            long first = call.getArgument(1);
            FakeLibrary.behind(call.getArgument(2), Long.BYTES)
                    .set(JAVA_LONG, 0, first + taken * IbvSendWr.LAYOUT.byteSize());
            return answer;
        });
        assertThat(qp.postSend(sends, 3)).isEqualTo(taken);
        assertThat(sends.refusal()).isEqualTo(PostRefusal.QUEUE_FULL);
        assertThat(sends.refusedIndex()).isEqualTo(taken);

        doReturn(0).when(library.data).postSend(anyLong(), anyLong(), anyLong());

        assertThat(qp.postSend(sends, 3)).isEqualTo(3);
        assertThat(sends.refusal()).isEqualTo(PostRefusal.NONE);
    }

    @Test
    void theCapacityOfAClosedQueueIsNotReadFromItsMemory() throws VerbsException {
        CompletionQueue cq = library.open().createCq(CqInitAttributes.ofCapacity(4));
        MemorySegment raw = ((NativeCq) cq).handle().pointer();
        when(library.completions.resizeCq(any(), any(), anyInt())).thenAnswer(call -> {
            raw.set(JAVA_INT, IbvCq.CQE, 8);
            return 0;
        });
        cq.resize(7);
        cq.close();
        raw.set(JAVA_INT, IbvCq.CQE, 0xdead);

        assertThat(cq.capacity()).isEqualTo(8);
    }

    @Test
    void theZoneOfALinkLocalAddressSurvivesTheWayThroughC() throws Exception {
        InetAddress local = InetAddress.ofLiteral("fe80::1");
        InetSocketAddress zoned = new InetSocketAddress(Inet6Address.getByAddress(null, local.getAddress(), 5), 7);
        try (Arena arena = Arena.ofConfined()) {
            InetSocketAddress back =
                    SocketAddresses.decode(SocketAddresses.encode(arena, zoned)).orElseThrow();

            assertThat(back).isEqualTo(zoned);
            assertThat(((Inet6Address) back.getAddress()).getScopeId()).isEqualTo(5);
        }
    }

    private MemorySegment device(String name) {
        MemorySegment device = library.zeroed(IbvDevice.LAYOUT);
        device.setString(IbvDevice.LAYOUT.byteOffset(PathElement.groupElement("name")), name);
        return device;
    }

    @Test
    void aContextAtTheAddressOfARemovedOneIsOfAnotherDeviceAndIsHeld() throws VerbsException {
        CmCalls calls = mock(CmCalls.class);
        NativeConnectionManager manager = new NativeConnectionManager(
                library.library("libibverbs.so.1", library.verbs), calls, new WallRuntime());
        MemorySegment context = library.zeroed(IbvContext.LAYOUT);
        context.set(ADDRESS, 0, device("mlx5_0"));
        Device first = manager.device(FakeLibrary.pointer(context));
        assertThat(manager.device(FakeLibrary.pointer(context))).isSameAs(first);
        verify(calls).getDevices(any(), any());

        context.set(ADDRESS, 0, device("mlx5_7"));
        Device next = manager.device(FakeLibrary.pointer(context));

        assertThat(next.name()).isEqualTo("mlx5_7");
        assertThatThrownBy(first::attributes).hasMessage("device mlx5_0 is closed");
    }

    @Test
    void theChannelOfHandlersIsDestroyedWhenAnotherContextHasTheAddressOfItsContext() throws VerbsException {
        NativeConnectionManager manager = new NativeConnectionManager(
                library.library("libibverbs.so.1", library.verbs), mock(CmCalls.class), new WallRuntime());
        MemorySegment context = library.zeroed(IbvContext.LAYOUT);
        context.set(ADDRESS, 0, device("mlx5_0"));
        manager.device(FakeLibrary.pointer(context))
                .createCq(CqInitAttributes.builder()
                        .capacity(4)
                        .handler(queue -> {})
                        .build())
                .close();
        context.set(ADDRESS, 0, device("mlx5_7"));
        when(library.completions.destroyCompChannel(any(), any()))
                .thenReturn(Errno.ENOMEM.number())
                .thenReturn(0);

        assertThatThrownBy(() -> manager.device(FakeLibrary.pointer(context)))
                .hasMessageContainingAll("ibv_destroy_comp_channel", "ENOMEM");
        assertThat(manager.device(FakeLibrary.pointer(context)).name()).isEqualTo("mlx5_7");
        verify(library.completions, times(2)).destroyCompChannel(any(), any());
    }

    @Test
    void iwarpHasNoChosenAddressesAndNoDatagrams() {
        DeviceFacts facts =
                DeviceFacts.of(library.deviceAttributes, library.zeroed(IbvDeviceAttrEx.LAYOUT), 1, 4096, true);

        assertThat(facts.with(facts.claims()))
                .contains(Capability.RC, Capability.CQ_RESIZE)
                .doesNotContain(Capability.UC, Capability.UD, Capability.IOVA_MR, Capability.MANUAL_CONNECT);
    }

    /** siw claims MEM_MGT_EXTENSIONS, as other iWARP devices do. */
    @ParameterizedTest
    @CsvSource({"0x626d74, false", "0x1425, true"})
    void siwHasNeitherSolicitedEventsNorInvalidation(String vendor, boolean has) {
        library.deviceAttributes.set(JAVA_INT, IbvDeviceAttr.VENDOR_ID, Integer.decode(vendor));
        library.deviceAttributes.set(JAVA_INT, IbvDeviceAttr.DEVICE_CAP_FLAGS, 1 << 21);
        DeviceFacts facts =
                DeviceFacts.of(library.deviceAttributes, library.zeroed(IbvDeviceAttrEx.LAYOUT), 1, 4096, true);

        assertThat(facts.attributes().capabilityFlags()).isEqualTo(1 << 21);
        assertThat(facts.capabilities().contains(Capability.SOLICITED_EVENTS)).isEqualTo(has);
        assertThat(facts.capabilities().contains(Capability.SEND_WITH_INV)).isEqualTo(has);
    }
}
