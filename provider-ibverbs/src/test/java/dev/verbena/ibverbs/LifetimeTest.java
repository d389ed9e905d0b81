// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;

import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.AddressVector;
import dev.verbena.verbs.CapabilityException;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CqInitAttributes;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SrqInitAttributes;
import dev.verbena.verbs.VerbsArena;
import dev.verbena.verbs.VerbsBusyException;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Closing in any order, using after closing, and refusals of the library. */
class LifetimeTest {
    private final FakeLibrary library = new FakeLibrary();
    private static final AddressVector PATH = AddressVector.toGid(Gid.ZERO, 0);

    private Device device;
    private ProtectionDomain domain;

    private interface Verb {
        void run() throws Exception;
    }

    @BeforeEach
    void open() throws VerbsException {
        device = library.open();
        domain = device.allocatePd();
    }

    @AfterEach
    void nothingIsLeft() throws Exception {
        domain.close();
        device.close();
        assertThat(library.system.awaitAllClosed()).isTrue();
        assertThat(library.verbs.closedContexts()).isOne();
        assertThat(library.verbs.outstandingLists()).isZero();
    }

    private static VerbsException refusal(Verb verb) {
        return catchThrowableOfType(VerbsException.class, verb::run);
    }

    @Test
    void anObjectInUseIsNotClosedAndTheMessageNamesItsUsers() throws VerbsException {
        CompletionQueue queue = device.createCq(CqInitAttributes.ofCapacity(4));
        QueuePair qp = domain.createQp(QpInitAttributes.rc(queue, QpCapabilities.of(4, 4)));

        assertThat(refusal(queue::close)).hasMessageContainingAll("ibv_destroy_cq", "QP 17 of device fake0", "EBUSY");
        assertThat(refusal(domain::close)).hasMessageContainingAll("ibv_dealloc_pd", "QP 17");
        assertThat(refusal(device::close)).hasMessageContainingAll("ibv_close_device", "protection domain");
        verify(library.completions, never()).destroyCq(any(), any());
        verify(library.memory, never()).deallocPd(any(), any());
        assertThat(library.verbs.closedContexts()).isZero();

        qp.close();
        queue.close();
    }

    @Test
    void closingTwiceDestroysOnce() throws VerbsException {
        CompletionQueue queue = device.createCq(CqInitAttributes.ofCapacity(4));

        queue.close();
        queue.close();

        verify(library.completions, times(1)).destroyCq(any(), any());
    }

    @Test
    void nothingOfAClosedObjectReachesTheLibrary() throws VerbsException {
        CompletionQueue queue = device.createCq(CqInitAttributes.ofCapacity(4));
        QueuePair qp = domain.createQp(QpInitAttributes.rc(queue, QpCapabilities.of(4, 4)));
        qp.close();
        queue.close();
        domain.close();

        assertThatIllegalStateException().isThrownBy(() -> queue.poll(queue.newCompletions(1)));
        assertThatIllegalStateException().isThrownBy(qp::query);
        assertThatIllegalStateException().isThrownBy(() -> domain.createAh(PATH));
        verify(library.data, never()).pollCq(anyLong(), anyInt(), anyLong());
        verify(library.queuePairs, never()).queryQp(any(), any(), any(), anyInt(), any());
        device.close();
        assertThatIllegalStateException().isThrownBy(() -> device.queryPort(1));
        assertThatIllegalStateException().isThrownBy(device::attributes);
    }

    @Test
    void anArenaUnderAnOpenRegionIsNotFreed() throws VerbsException {
        VerbsArena arena = device.newArena();
        MemorySegment memory = arena.allocate(64);
        MemoryRegion region = domain.registerMemory(memory);

        assertThatExceptionOfType(VerbsBusyException.class).isThrownBy(arena::close);
        assertThat(memory.scope().isAlive()).isTrue();

        region.close();
        arena.close();
        assertThat(memory.scope().isAlive()).isFalse();
    }

    @Test
    void onlyMemoryOfThisDevicesArenasIsRegistered() throws VerbsException {
        try (Arena foreign = Arena.ofShared()) {
            assertThat(refusal(() -> domain.registerMemory(foreign.allocate(8))).errno())
                    .isEqualTo(Errno.EINVAL);
        }
        assertThat(refusal(() -> domain.registerMemory(MemorySegment.ofArray(new byte[8]))))
                .hasMessageContainingAll("heap", "Device.newArena()");
        verify(library.memory, never()).regMr(any(), any(), any(), anyLong(), anyInt());
    }

    @Test
    void theFunctionThatRegistersIsTheOneTheHeaderWouldCall() throws VerbsException {
        VerbsArena arena = device.newArena();
        MemorySegment memory = arena.allocate(64);

        domain.registerMemory(memory, AccessFlag.LOCAL_WRITE).close();
        domain.registerMemory(memory, 4096, Set.of()).close();
        domain.registerMemory(memory, AccessFlag.RELAXED_ORDERING).close();

        verify(library.memory).regMr(any(), any(), any(), anyLong(), anyInt());
        verify(library.memory).regMrIova(any(), any(), any(), anyLong(), anyLong(), anyInt());
        verify(library.memory).regMrIova2(any(), any(), any(), anyLong(), anyLong(), anyInt());
        arena.close();
    }

    @Test
    void pinningTooMuchIsExplainedByTheLimit() throws VerbsException {
        VerbsArena arena = device.newArena();
        doAnswer(FakeLibrary.failing(Errno.ENOMEM.number(), MemorySegment.NULL))
                .when(library.memory)
                .regMr(any(), any(), any(), anyLong(), anyInt());

        VerbsException refused = refusal(() -> domain.registerMemory(arena.allocate(64)));

        assertThat(refused.errno()).isEqualTo(Errno.ENOMEM);
        assertThat(refused).hasMessageContainingAll("64 bytes", "ulimit -l");
        arena.close();
    }

    @Test
    void aRegionThatTheLibraryWillNotCloseStaysOpenAndCoversItsArena() throws VerbsException {
        VerbsArena arena = device.newArena();
        MemoryRegion region = domain.registerMemory(arena.allocate(64), AccessFlag.LOCAL_WRITE, AccessFlag.MW_BIND);
        doReturn(Errno.EINVAL.number()).when(library.memory).deregMr(any(), any());

        assertThat(refusal(region::close)).hasMessageContaining("a window is bound");
        assertThatExceptionOfType(VerbsBusyException.class).isThrownBy(arena::close);

        doReturn(0).when(library.memory).deregMr(any(), any());
        region.close();
        arena.close();
    }

    @Test
    void aSourceGidIndexWithoutAnEntryIsAnInvalidArgument() throws VerbsException {
        doAnswer(FakeLibrary.failing(Errno.ENODATA.number(), MemorySegment.NULL))
                .when(library.queuePairs)
                .createAh(any(), any(), any());

        VerbsException refused = refusal(() -> domain.createAh(PATH));

        assertThat(refused.errno()).isEqualTo(Errno.EINVAL);
        assertThat(refused).hasMessageContainingAll("errno 61", "source GIDs has no entry");
    }

    @Test
    void anOperationThatTheDeviceDoesNotReportIsRefusedByCapability() {
        assertThatExceptionOfType(CapabilityException.class)
                .isThrownBy(() ->
                        domain.createSrq(SrqInitAttributes.builder().maxWr(4).build()));
    }

    @Test
    void aVerbMayRefuseWithAnErrnoOrWithMinusOneAndErrno() {
        doReturn(Errno.ENODEV.number()).when(library.memory).deallocPd(any(), any());
        assertThat(refusal(domain::close).errno()).isEqualTo(Errno.ENODEV);
        doAnswer(FakeLibrary.failing(Errno.EBUSY.number(), -1))
                .when(library.memory)
                .deallocPd(any(), any());
        assertThat(refusal(domain::close).errno()).isEqualTo(Errno.EBUSY);
        doReturn(0).when(library.memory).deallocPd(any(), any());
    }
}
