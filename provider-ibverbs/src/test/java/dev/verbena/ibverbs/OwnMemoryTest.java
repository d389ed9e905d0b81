// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.ArgumentMatchers.argThat;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.verify;

import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CqInitAttributes;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.MemoryLifetime;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MrInitAttributes;
import dev.verbena.verbs.PostRefusal;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.ReceiveRequests;
import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.VerbsArena;
import dev.verbena.verbs.VerbsBusyException;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Memory of the program's own under the library. */
class OwnMemoryTest {
    private final FakeLibrary library = new FakeLibrary();
    private Device device;
    private ProtectionDomain domain;
    private CompletionQueue queue;
    private QueuePair qp;

    @BeforeEach
    void open() throws VerbsException {
        device = library.open();
        domain = device.allocatePd();
        queue = device.createCq(CqInitAttributes.ofCapacity(16));
        qp = domain.createQp(QpInitAttributes.rc(queue, new QpCapabilities(8, 8, 2, 2, 32)));
        qp.modify(QpAttributes.builder().state(QpState.RTS).build());
    }

    @AfterEach
    void close() throws VerbsException {
        qp.close();
        queue.close();
        domain.close();
        device.close();
    }

    private MemoryRegion register(MemorySegment memory, MemoryLifetime lifetime) throws VerbsException {
        return domain.registerMemory(MrInitAttributes.builder(memory)
                .lifetime(lifetime)
                .access(AccessFlag.LOCAL_WRITE)
                .build());
    }

    @Test
    void theArenaOfTheMemoryCanBeClosedDuringTheCall() throws Exception {
        Arena arena = Arena.ofShared();
        MemorySegment memory = arena.allocate(64);
        MemoryRegion region = register(memory, MemoryLifetime.CALLER_KEEPS_ALIVE);

        verify(library.memory)
                .regMr(
                        any(),
                        any(),
                        argThat(given -> given.address() == memory.address()
                                && !given.scope().equals(arena.scope())),
                        eq(64L),
                        anyInt());
        region.close();
        arena.close();
    }

    @Test
    void postsThatNameMemoryOfAClosedArenaAreRefusedEachTime() throws Exception {
        Arena arena = Arena.ofShared();
        MemoryRegion region = register(arena.allocate(64), MemoryLifetime.CALLER_KEEPS_ALIVE);
        SendRequests sends = qp.newSendRequests(1);
        sends.get(0).send().sge(region, 0, 8);
        ReceiveRequests receives = qp.newReceiveRequests(1);
        receives.get(0).clear().sge(region, 0, 8);
        assertThat(qp.postSend(sends, 1)).isEqualTo(1);
        assertThat(qp.postReceive(receives, 1)).isEqualTo(1);

        arena.close();

        // The same batches, unchanged.
        assertThat(qp.postSend(sends, 1)).isZero();
        assertThat(sends.refusal()).isEqualTo(PostRefusal.MEMORY_CLOSED);
        assertThat(qp.postReceive(receives, 1)).isZero();
        assertThat(receives.refusal()).isEqualTo(PostRefusal.MEMORY_CLOSED);
        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(region::close)
                .satisfies(refusal -> assertThat(refusal.errno()).isEqualTo(Errno.EFAULT))
                .withMessageContaining("is closed, but the arena of its memory was closed first");
        verify(library.memory).deregMr(any(), any());
        region.close();
    }

    @Test
    void theMemoryOfARegisteredBufferIsNotFreed() throws Exception {
        MemoryRegion region =
                domain.registerMemory(ByteBuffer.allocateDirect(64).position(8), AccessFlag.LOCAL_WRITE);

        System.gc();

        assertThat(region.memory().byteSize()).isEqualTo(56);
        assertThat(region.memory().toArray(JAVA_BYTE)).containsOnly(0);
        region.close();
    }

    @Test
    void oneSegmentIsRegisteredWithTwoDevices() throws Exception {
        FakeLibrary second = new FakeLibrary();
        Device other = second.open();
        ProtectionDomain otherDomain = other.allocatePd();
        VerbsArena arena = device.newArena();
        MemorySegment memory = arena.allocate(64);

        MemoryRegion here = domain.registerMemory(memory, AccessFlag.LOCAL_WRITE);
        MemoryRegion there = otherDomain.registerMemory(memory, AccessFlag.LOCAL_WRITE);

        assertThat(here.memory()).isEqualTo(there.memory());
        here.close();
        assertThatExceptionOfType(VerbsBusyException.class).isThrownBy(arena::close);
        there.close();
        arena.close();
        otherDomain.close();
        other.close();
    }

    @Test
    void memoryThatCannotBeRegisteredIsRefusedByName() {
        assertRefused(MemorySegment.ofArray(new byte[8]), "heap memory");
        try (Arena confined = Arena.ofConfined();
                Arena shared = Arena.ofShared()) {
            assertRefused(confined.allocate(8), "confined arena");
            assertRefused(shared.allocate(8), "REACHABLE", "CALLER_KEEPS_ALIVE");
        }
    }

    private void assertRefused(MemorySegment memory, String... words) {
        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(() -> domain.registerMemory(memory, AccessFlag.LOCAL_WRITE))
                .satisfies(refusal -> assertThat(refusal.errno()).isEqualTo(Errno.EINVAL))
                .satisfies(refusal -> assertThat(refusal).message().contains(words));
    }
}
