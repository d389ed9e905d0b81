// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.verify;

import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.CapabilityException;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.VerbsArena;
import dev.verbena.verbs.VerbsBusyException;
import dev.verbena.verbs.VerbsException;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Changing regions, and finding out whether a driver can. */
class ReregistrationTest {
    private static final int ERR_DO_FORK_OLD = -3;
    private static final int ERR_CMD = -4;
    private static final int CHANGE_PD = 2;
    private static final int CHANGE_ACCESS = 4;

    private final FakeLibrary library = new FakeLibrary();

    @Test
    void rightsReachTheLibraryOnlyIfTheyChange() throws Exception {
        Device device = library.open();
        ProtectionDomain domain = device.allocatePd();
        ProtectionDomain other = device.allocatePd();
        VerbsArena arena = device.newArena();
        MemoryRegion region = domain.registerMemory(arena.allocate(64), AccessFlag.LOCAL_WRITE);

        region.reregister(other, null, null);
        region.reregister(null, null, Set.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE));

        verify(library.memory).reregMr(any(), any(), eq(CHANGE_PD), any(), any(), anyLong(), eq(0));
        verify(library.memory).reregMr(any(), any(), eq(CHANGE_ACCESS), any(), any(), anyLong(), eq(3));
        region.close();
        arena.close();
        other.close();
        domain.close();
        device.close();
    }

    @Test
    void aDriverWithoutItIsFoundOutWhenItsDeviceIsOpened() throws Exception {
        doAnswer(FakeLibrary.failing(Errno.EOPNOTSUPP.number(), -1))
                .when(library.memory)
                .reregMr(any(), any(), anyInt(), any(), any(), anyLong(), anyInt());

        Device device = library.open();

        assertThat(device.capabilities()).doesNotContain(Capability.REREGISTER_MR);
        ProtectionDomain domain = device.allocatePd();
        VerbsArena arena = device.newArena();
        MemoryRegion region = domain.registerMemory(arena.allocate(64), AccessFlag.LOCAL_WRITE);
        assertThatExceptionOfType(CapabilityException.class)
                .isThrownBy(() -> region.reregister(null, null, Set.of()))
                .withMessageContaining("ibv_rereg_mr");
        region.close();
        arena.close();
        domain.close();
        device.close();
    }

    @Test
    void aDriverThatOnlyRefusesToChangeNothingHasIt() throws Exception {
        doAnswer(FakeLibrary.failing(Errno.EINVAL.number(), -1))
                .when(library.memory)
                .reregMr(any(), any(), anyInt(), any(), any(), anyLong(), anyInt());

        try (Device device = library.open()) {
            assertThat(device.capabilities()).contains(Capability.REREGISTER_MR);
        }
    }

    /** Reregisters memory of one arena over that of another one, where the library returns a result and sets errno. */
    private MemoryRegion reregistered(ProtectionDomain domain, VerbsArena from, VerbsArena to, int result, Errno errno)
            throws VerbsException {
        MemoryRegion region = domain.registerMemory(from.allocate(64), AccessFlag.LOCAL_WRITE);
        doAnswer(FakeLibrary.failing(errno.number(), result))
                .when(library.memory)
                .reregMr(any(), any(), anyInt(), any(), any(), anyLong(), anyInt());
        try {
            region.reregister(null, to.allocate(128), null);
        } catch (VerbsException failed) {
            assertThat(failed.errno()).isEqualTo(errno);
        }
        return region;
    }

    @Test
    void aRegionThatAFailedChangeBrokeHoldsBothArenasUntilItIsClosed() throws Exception {
        Device device = library.open();
        ProtectionDomain domain = device.allocatePd();
        VerbsArena old = device.newArena();
        VerbsArena changed = device.newArena();
        MemoryRegion region = reregistered(domain, old, changed, ERR_CMD, Errno.EIO);

        assertThatExceptionOfType(VerbsBusyException.class).isThrownBy(old::close);
        assertThatExceptionOfType(VerbsBusyException.class).isThrownBy(changed::close);
        region.close();
        old.close();
        changed.close();
        domain.close();
        device.close();
    }

    @Test
    void aRegionIsChangedIfOnlyTheOldMemoryCouldNotBeMadeInheritable() throws Exception {
        Device device = library.open();
        ProtectionDomain domain = device.allocatePd();
        VerbsArena old = device.newArena();
        VerbsArena changed = device.newArena();

        MemoryRegion region = reregistered(domain, old, changed, ERR_DO_FORK_OLD, Errno.ENOMEM);

        assertThat(region.length()).isEqualTo(128);
        old.close();
        assertThatExceptionOfType(VerbsBusyException.class).isThrownBy(changed::close);
        region.close();
        changed.close();
        domain.close();
        device.close();
    }
}
