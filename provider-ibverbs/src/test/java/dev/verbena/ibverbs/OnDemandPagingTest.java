// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import dev.verbena.ibverbs.struct.IbvDeviceAttrEx;
import dev.verbena.ibverbs.struct.IbvSge;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.CapabilityException;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MrAdvice;
import dev.verbena.verbs.MrRange;
import dev.verbena.verbs.OdpCapabilities;
import dev.verbena.verbs.OdpOperation;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.VerbsArena;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** On-demand paging as the library reports it, and the arguments of {@code ibv_reg_mr} and {@code ibv_advise_mr}. */
class OnDemandPagingTest {
    private static final int ON_DEMAND = 0x40;
    private static final long UNKNOWN = 1L << 33;

    private final FakeLibrary library = new FakeLibrary();

    private Device open(long general) throws VerbsException {
        when(library.ports.queryDeviceEx(any(), any(), any(), any(), anyLong())).thenAnswer(call -> {
            MemorySegment attributes = call.getArgument(3);
            attributes.set(ValueLayout.JAVA_LONG, IbvDeviceAttrEx.ODP_GENERAL_CAPS, general);
            attributes.set(ValueLayout.JAVA_INT, IbvDeviceAttrEx.RC_ODP_CAPS, 0x1C0);
            attributes.set(ValueLayout.JAVA_INT, IbvDeviceAttrEx.UC_ODP_CAPS, 2);
            attributes.set(ValueLayout.JAVA_INT, IbvDeviceAttrEx.UD_ODP_CAPS, 1);
            attributes.set(ValueLayout.JAVA_INT, IbvDeviceAttrEx.XRC_ODP_CAPS, 4);
            return 0;
        });
        return library.open();
    }

    @Test
    void operationsAreThoseOfEachQueuePairTypeAndUnknownBitsStay() throws VerbsException {
        Device device = open(OdpCapabilities.SUPPORT | UNKNOWN);
        OdpCapabilities odp = device.attributes().odpCapabilities();
        assertThat(odp).isEqualTo(new OdpCapabilities(1 | UNKNOWN, 0x1C0, 2, 1, 4));
        assertThat(odp.operations(QpType.RC)).containsExactly(OdpOperation.FLUSH, OdpOperation.ATOMIC_WRITE);
        assertThat(odp.operations(QpType.UC)).containsExactly(OdpOperation.RECV);
        assertThat(odp.operations(QpType.UD)).containsExactly(OdpOperation.SEND);
        assertThat(device.capabilities())
                .contains(Capability.ON_DEMAND_PAGING)
                .doesNotContain(Capability.IMPLICIT_ON_DEMAND_PAGING);
    }

    @Test
    void aDeviceWithoutOnDemandPagingRefusesTheFlagAndTheAdvice() throws VerbsException {
        Device device = open(0);
        ProtectionDomain domain = device.allocatePd();
        VerbsArena arena = device.newArena();
        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(() -> domain.registerMemory(arena.allocate(64), AccessFlag.ON_DEMAND))
                .withMessageContaining("ON_DEMAND")
                .satisfies(refused -> assertThat(refused.errno()).isEqualTo(Errno.EOPNOTSUPP));
        assertThatExceptionOfType(CapabilityException.class)
                .isThrownBy(() -> domain.adviseMr(MrAdvice.PREFETCH, true, List.of()));
        assertThatExceptionOfType(CapabilityException.class).isThrownBy(() -> domain.registerImplicit(Set.of()));
    }

    @Test
    void anImplicitRegionCoversAllAddresses() throws VerbsException {
        Device device = open(OdpCapabilities.SUPPORT | OdpCapabilities.IMPLICIT);
        ProtectionDomain domain = device.allocatePd();
        MemoryRegion region = domain.registerImplicit(Set.of(AccessFlag.LOCAL_WRITE));
        verify(library.memory).regMr(any(), any(), eq(MemorySegment.NULL), eq(-1L), eq(ON_DEMAND | 1));
        assertThat(region.address()).isZero();
        assertThat(region.length()).isEqualTo(Long.MAX_VALUE);
        assertThat(region.access()).containsExactlyInAnyOrder(AccessFlag.ON_DEMAND, AccessFlag.LOCAL_WRITE);
        assertThat(MrRange.of(region, 0x7fff_1234_5000L, 64))
                .isEqualTo(new MrRange(0x7fff_1234_5000L, 64, region.lkey()));
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(region::memory)
                .withMessageContaining("implicit");
        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(() -> region.reregister(null, null, Set.of()))
                .satisfies(refused -> assertThat(refused.errno()).isEqualTo(Errno.EOPNOTSUPP));
        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(() -> domain.registerImplicit(Set.of(AccessFlag.REMOTE_WRITE)))
                .satisfies(refused -> assertThat(refused.errno()).isEqualTo(Errno.EINVAL));
        region.close();
    }

    @Test
    void anOptionalFlagOfAnImplicitRegionNeedsTheNewerFunction() throws VerbsException {
        open(OdpCapabilities.SUPPORT | OdpCapabilities.IMPLICIT)
                .allocatePd()
                .registerImplicit(Set.of(AccessFlag.RELAXED_ORDERING));
        verify(library.memory)
                .regMrIova2(any(), any(), eq(MemorySegment.NULL), eq(-1L), eq(0L), eq(ON_DEMAND | 1 << 20));
    }

    @Test
    void anAdviceReachesTheLibrary() throws VerbsException {
        List<Object> seen = new ArrayList<>();
        when(library.ports.adviseMr(any(), any(), anyInt(), anyInt(), any(), anyInt()))
                .thenAnswer(call -> {
                    MemorySegment entry = call.getArgument(4);
                    seen.addAll(List.of(
                            call.getArgument(2),
                            call.getArgument(3),
                            entry.get(ValueLayout.JAVA_LONG, IbvSge.ADDR),
                            entry.get(ValueLayout.JAVA_INT, IbvSge.LENGTH),
                            entry.get(ValueLayout.JAVA_INT, IbvSge.LKEY),
                            call.getArgument(5)));
                    return 0;
                });
        ProtectionDomain domain = open(OdpCapabilities.SUPPORT).allocatePd();
        domain.adviseMr(MrAdvice.PREFETCH_NO_FAULT, true, List.of(new MrRange(0x1000, 0xFFFF_FFFFL, 7)));
        assertThat(seen).containsExactly(2, 1, 0x1000L, -1, 7, 1);
    }

    @Test
    void aRefusedAdviceNamesTheVerbAndTheRight() throws VerbsException {
        ProtectionDomain domain = open(OdpCapabilities.SUPPORT).allocatePd();
        for (Errno errno : List.of(Errno.EPERM, Errno.EFAULT)) {
            when(library.ports.adviseMr(any(), any(), anyInt(), anyInt(), any(), anyInt()))
                    .thenReturn(errno.number());
            assertThatExceptionOfType(VerbsException.class)
                    .isThrownBy(() -> domain.adviseMr(MrAdvice.PREFETCH_WRITE, false, List.of()))
                    .withMessageContainingAll("ibv_advise_mr", "PREFETCH_WRITE", "rights allow the advice")
                    .satisfies(refused -> assertThat(refused.errno()).isEqualTo(errno));
        }
    }

    @Test
    void aContextWithoutTheFunctionRefusesTheAdvice() throws VerbsException {
        when(library.ports.adviseMr(any(), any(), anyInt(), anyInt(), any(), anyInt()))
                .thenThrow(new UnsupportedOperationException("advise_mr"));
        ProtectionDomain domain = open(OdpCapabilities.SUPPORT).allocatePd();
        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(() -> domain.adviseMr(MrAdvice.PREFETCH, true, List.of(new MrRange(0, 8, 7))))
                .withMessageContaining("ibv_advise_mr")
                .satisfies(refused -> assertThat(refused.errno()).isEqualTo(Errno.EOPNOTSUPP));
    }
}
