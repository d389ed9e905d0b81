// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import dev.verbena.ibverbs.library.NativeHandle;
import dev.verbena.ibverbs.library.PortCalls;
import dev.verbena.ibverbs.queue.EceCalls;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.CapabilityException;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CqInitAttributes;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.DeviceAttributes;
import dev.verbena.verbs.Ece;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.FlushPlacement;
import dev.verbena.verbs.FlushTarget;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.PostRefusal;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SendFlag;
import dev.verbena.verbs.SendOpcode;
import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.VerbsArena;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WorkCompletionOpcode;
import dev.verbena.verbs.WorkCompletionStatus;
import dev.verbena.verbs.WorkCompletions;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Verbs that Soft-RoCE lacks, through a library in C that replaces libibverbs and its driver. */
class StandInTest {
    private static final int MODIFY_CQ = 1;
    private static final int QUERY_DATA_IN_ORDER = 2;
    private static final int CREATE_CQ_EX = 4;
    private static final int START_POLL = 5;
    private static final int END_POLL = 6;
    private static final int ATOMIC_WRITE = 8;
    private static final int FLUSH = 9;
    private static final int REG_DMABUF_MR = 10;
    private static final int SET_ECE = 11;
    private static final int SET_LOCAL_ECE = 12;
    private static final int MODERATE = 1;

    /** Bits of {@code enum ib_uverbs_device_cap_flags}. */
    private static final long FLUSH_GLOBAL = 1L << 38;

    private static final long ATOMIC_WRITE_CLAIM = 1L << 40;

    @TempDir
    private static Path directory;

    private static StandIn standIn;

    private final FakeLibrary fake = new FakeLibrary();

    /** The device_cap_flags_ex of a device. */
    private long claims;

    @BeforeAll
    static void compile() throws IOException, InterruptedException {
        standIn = StandIn.compiled(directory);
    }

    private Device open(boolean hasModifyCq) throws VerbsException {
        return open(hasModifyCq, 0);
    }

    private Device open(boolean hasModifyCq, int answer) throws VerbsException {
        standIn.control().answer(answer);
        standIn.control().claims(claims);
        PortCalls tables = standIn.tables(hasModifyCq);
        when(fake.ports.modifyCq(any(), any(), any()))
                .thenAnswer(call -> tables.modifyCq(call.getArgument(0), call.getArgument(1), call.getArgument(2)));
        when(fake.ports.queryDeviceEx(any(), any(), any(), any(), anyLong()))
                .thenAnswer(call -> tables.queryDeviceEx(
                        call.getArgument(0),
                        standIn.context(),
                        call.getArgument(2),
                        call.getArgument(3),
                        call.getArgument(4)));
        when(fake.memory.regDmabufMr(any(), any(), anyLong(), anyLong(), anyLong(), anyInt(), anyInt()))
                .thenAnswer(call -> standIn.memory()
                        .regDmabufMr(
                                call.getArgument(0),
                                call.getArgument(1),
                                call.getArgument(2),
                                call.getArgument(3),
                                call.getArgument(4),
                                call.getArgument(5),
                                call.getArgument(6)));
        when(fake.queuePairs.queryEce(any(), any(), any()))
                .thenAnswer(call ->
                        standIn.queuePairs().queryEce(call.getArgument(0), call.getArgument(1), call.getArgument(2)));
        when(fake.queuePairs.setEce(any(), any(), any()))
                .thenAnswer(call ->
                        standIn.queuePairs().setEce(call.getArgument(0), call.getArgument(1), call.getArgument(2)));
        when(fake.ports.createQpEx(any(), any(), any()))
                .thenAnswer(call -> tables.createQpEx(call.getArgument(0), standIn.context(), call.getArgument(2)));
        when(fake.queuePairs.qpToQpEx(any()))
                .thenAnswer(call -> standIn.queuePairs().qpToQpEx(call.getArgument(0)));
        when(fake.ports.createCqEx(any(), any(), any()))
                .thenAnswer(call -> tables.createCqEx(call.getArgument(0), standIn.context(), call.getArgument(2)));
        when(fake.ports.queryRtValues(any(), any(), any()))
                .thenAnswer(call -> tables.queryRtValues(call.getArgument(0), standIn.context(), call.getArgument(2)));
        when(fake.queuePairs.queryQpDataInOrder(any(), anyInt(), anyInt()))
                .thenAnswer(call -> standIn.queuePairs()
                        .queryQpDataInOrder(call.getArgument(0), call.getArgument(1), call.getArgument(2)));
        return fake.open();
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "16, 20", "65535, 65535"})
    void countAndPeriodReachTheDriver(int count, int micros) throws VerbsException {
        Device device = open(true);
        assertThat(device.capabilities()).contains(Capability.CQ_MODERATION);
        CompletionQueue cq = device.createCq(CqInitAttributes.ofCapacity(8));
        cq.moderate(count, Duration.ofNanos(1000L * micros + 999));
        assertThat(standIn.lastCall()).containsExactly(MODIFY_CQ, MODERATE, count, micros);
    }

    @ParameterizedTest
    @CsvSource({"-1, PT0S", "65536, PT0S", "1, PT-0.000001S", "1, PT0.065536S", "1, PT2000000000H"})
    void aModerationThatDoesNotFitIsRefusedBeforeTheCall(int count, Duration period) throws VerbsException {
        CompletionQueue cq = open(true).createCq(CqInitAttributes.ofCapacity(8));
        int before = standIn.control().calls();
        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(() -> cq.moderate(count, period))
                .satisfies(refused -> assertThat(refused.errno()).isEqualTo(Errno.EINVAL));
        assertThat(standIn.control().calls()).isEqualTo(before);
    }

    @Test
    void theDriversErrorIsReported() throws VerbsException {
        CompletionQueue cq = open(true).createCq(CqInitAttributes.ofCapacity(8));
        standIn.control().answer(Errno.ENOMEM.number());
        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(() -> cq.moderate(4, Duration.ZERO))
                .withMessageContaining("ibv_modify_cq")
                .satisfies(refused -> assertThat(refused.errno()).isEqualTo(Errno.ENOMEM));
    }

    @Test
    void aTableWithoutTheEntryIsALackingCapability() throws VerbsException {
        Device device = open(false);
        assertThat(device.capabilities()).doesNotContain(Capability.CQ_MODERATION);
        CompletionQueue cq = device.createCq(CqInitAttributes.ofCapacity(8));
        assertThatExceptionOfType(CapabilityException.class).isThrownBy(() -> cq.moderate(4, Duration.ZERO));
    }

    @Test
    void theExtendedAttributesAreTheDrivers() throws VerbsException {
        DeviceAttributes attributes = open(true).attributes();
        assertThat(attributes.completionTimestampMask()).isEqualTo(0xFFFF_FFFF_FFFFL);
        assertThat(attributes.hcaCoreClock()).isEqualTo(156_250);
        assertThat(attributes.maxCqModerationCount()).isEqualTo(0xFFFF);
        assertThat(attributes.maxCqModerationPeriod()).isEqualTo(0xFFF);
    }

    @Test
    void aDriverWithoutExtendedAttributesReportsTheBasicOnes() throws VerbsException {
        DeviceAttributes attributes = open(true, Errno.EOPNOTSUPP.number()).attributes();
        assertThat(attributes.completionTimestampMask()).isZero();
        assertThat(attributes.maxCqModerationPeriod()).isZero();
        assertThat(attributes.maxQpWr()).isEqualTo(64);
    }

    @Test
    void theDriverReportsWhetherDataIsInOrder() throws VerbsException {
        Device device = open(true);
        CompletionQueue cq = device.createCq(CqInitAttributes.ofCapacity(8));
        QueuePair qp = device.allocatePd().createQp(QpInitAttributes.rc(cq, QpCapabilities.of(2, 2)));
        assertThat(qp.isDataInOrder(SendOpcode.RDMA_WRITE)).isFalse();
        assertThat(standIn.lastCall()).containsExactly(QUERY_DATA_IN_ORDER, 1, SendOpcode.RDMA_WRITE.code(), 0);
        standIn.control().answer(1);
        assertThat(qp.isDataInOrder(SendOpcode.SEND)).isTrue();
        assertThat(standIn.lastCall()).containsExactly(QUERY_DATA_IN_ORDER, 1, SendOpcode.SEND.code(), 0);
    }

    private CompletionQueue stamping(Device device) throws VerbsException {
        return device.createCq(
                CqInitAttributes.builder().capacity(8).timestamps(true).build());
    }

    @Test
    void completionsOfAnExtendedPollHaveTheirTimestamps() throws VerbsException {
        Device device = open(true);
        assertThat(device.capabilities()).contains(Capability.COMPLETION_TIMESTAMP);
        CompletionQueue cq = stamping(device);
        assertThat(standIn.lastCall()).containsExactly(CREATE_CQ_EX, 8, 0xFF, 0);
        WorkCompletions batch = cq.newCompletions(2);
        assertThat(cq.poll(batch)).isZero();
        standIn.control().complete(5, 0, 1L << 47 | 9);
        standIn.control().complete(-6, 0, 11);
        standIn.control().complete(7, WorkCompletionStatus.RETRY_EXC_ERR.code(), 12);

        assertThat(cq.poll(batch)).isEqualTo(2);
        WorkCompletion first = batch.get(0);
        assertThat(first.workRequestId()).isEqualTo(5);
        assertThat(first.timestamp()).isEqualTo(1L << 47 | 9);
        assertThat(first.opcode()).isEqualTo(WorkCompletionOpcode.RECV);
        assertThat(first.byteLength()).isEqualTo(4_000_000_000L);
        assertThat(first.immediateData()).isEqualTo(0x01020304);
        assertThat(first.hasGlobalRoute()).isTrue();
        assertThat(first.qpNumber()).isEqualTo(17);
        assertThat(first.sourceQp()).isEqualTo(0x123456);
        assertThat(first.sourceLid()).isEqualTo(0xFFFE);
        assertThat(first.serviceLevel()).isEqualTo(15);
        assertThat(first.destinationPathBits()).isEqualTo(127);
        assertThat(batch.get(1).workRequestId()).isEqualTo(-6);
        assertThat(batch.get(1).timestamp()).isEqualTo(11);
        assertThat(standIn.lastCall()).containsExactly(END_POLL, 1, 1, 0);

        assertThat(cq.poll(batch)).isEqualTo(1);
        assertThat(batch.get(0).status()).isEqualTo(WorkCompletionStatus.RETRY_EXC_ERR);
        assertThat(batch.get(0).vendorError()).isEqualTo(0x51);
        assertThat(batch.get(0).workRequestId()).isEqualTo(7);
        assertThat(batch.get(0).timestamp()).isZero();
        assertThat(cq.poll(batch)).isZero();
        assertThat(standIn.lastCall()).containsExactly(START_POLL, 0, 0, 0);
    }

    @Test
    void aBatchKeepsNoTimestampOfAnotherQueue() throws VerbsException {
        Device device = open(true);
        CompletionQueue cq = stamping(device);
        WorkCompletions batch = cq.newCompletions(2);
        standIn.control().complete(5, 0, 9);
        assertThat(cq.poll(batch)).isEqualTo(1);
        when(fake.data.pollCq(anyLong(), anyInt(), anyLong())).thenReturn(1);
        assertThat(device.createCq(CqInitAttributes.ofCapacity(8)).poll(batch)).isEqualTo(1);
        assertThat(batch.get(0).timestamp()).isZero();
    }

    @Test
    void anExtendedPollReportsABrokenQueue() throws VerbsException {
        CompletionQueue cq = stamping(open(true));
        standIn.control().answer(Errno.EIO.number());
        assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> cq.poll(cq.newCompletions(1)));
    }

    @Test
    void theClockOfTimestampsIsReadFromTheDriver() throws VerbsException {
        assertThat(open(true).queryHcaClock()).isEqualTo(77);
    }

    @Test
    void timestampsNeedTheCapability() throws VerbsException {
        Device device = open(true, Errno.EOPNOTSUPP.number());
        assertThat(device.capabilities()).doesNotContain(Capability.COMPLETION_TIMESTAMP);
        assertThatExceptionOfType(CapabilityException.class).isThrownBy(() -> stamping(device));
        assertThatExceptionOfType(CapabilityException.class).isThrownBy(device::queryHcaClock);
    }

    private QueuePair connected(Device device, QpType type) throws VerbsException {
        CompletionQueue cq = device.createCq(CqInitAttributes.ofCapacity(8));
        QueuePair qp = device.allocatePd()
                .createQp(QpInitAttributes.rc(cq, new QpCapabilities(4, 4, 1, 1, 16)).toBuilder()
                        .type(type)
                        .build());
        qp.modify(QpAttributes.builder().state(QpState.RTS).build());
        return qp;
    }

    @Test
    void flushAndAtomicWriteAreBuiltByTheirOwnCalls() throws VerbsException {
        claims = FLUSH_GLOBAL | ATOMIC_WRITE_CLAIM;
        Device device = open(true);
        assertThat(device.capabilities()).contains(Capability.FLUSH, Capability.ATOMIC_WRITE);
        QueuePair qp = connected(device, QpType.RC);
        assertThat(qp.number()).isEqualTo(77);
        when(fake.data.postSend(anyLong(), anyLong(), anyLong())).thenReturn(0);
        try (VerbsArena arena = device.newArena()) {
            MemorySegment value = arena.allocate(16);
            value.set(ValueLayout.JAVA_LONG, 8, 0x1122334455667788L);
            MemoryRegion elsewhere = qp.protectionDomain().registerMemory(value, 0x10_0000, Set.of());
            SendRequests requests = qp.newSendRequests(3);
            requests.get(0).rdmaWrite(64, 5).id(1);
            requests.get(1)
                    .flush(128, 6, 4096, FlushTarget.MR, FlushPlacement.PERSISTENT)
                    .id(2)
                    .signaled();
            requests.get(2).atomicWrite(256, 7).sge(elsewhere, 8, 8).id(3).fence();
            assertThat(qp.postSend(requests, 0, 2)).isEqualTo(2);
            assertThat(standIn.lastRequest())
                    .containsExactly(FLUSH, 2, SendFlag.SIGNALED.mask(), 6, 128, 4096, 2 << 8 | 1);
            assertThat(qp.postSend(requests, 0, 3)).isEqualTo(3);
            assertThat(standIn.lastRequest())
                    .containsExactly(ATOMIC_WRITE, 3, SendFlag.FENCE.mask(), 7, 256, 0x55667788, 0x11223344);
            verify(fake.data, times(2)).postSend(anyLong(), anyLong(), anyLong());

            standIn.control().answer(Errno.ENOMEM.number());
            assertThat(qp.postSend(requests, 0, 3)).isEqualTo(1);
            assertThat(requests.refusal()).isEqualTo(PostRefusal.QUEUE_FULL);
            assertThat(requests.refusedIndex()).isEqualTo(1);
            requests.get(1)
                    .flush(128, 6, 4096, FlushTarget.MR, FlushPlacement.GLOBAL)
                    .sge(elsewhere, 0, 8);
            assertThat(qp.postSend(requests, 1, 1)).isZero();
            assertThat(requests.refusal()).isEqualTo(PostRefusal.TOO_MANY_SGES);
            elsewhere.close();
            assertThat(qp.postSend(requests, 2, 1)).isZero();
            assertThat(requests.refusal()).isEqualTo(PostRefusal.FOREIGN_OBJECT);
        }
    }

    @Test
    void anAtomicWriteHasEightBytesAtAnAlignedAddress() throws VerbsException {
        claims = ATOMIC_WRITE_CLAIM;
        Device device = open(true);
        QueuePair qp = connected(device, QpType.RC);
        try (VerbsArena arena = device.newArena();
                MemoryRegion region = qp.protectionDomain().registerMemory(arena.allocate(16))) {
            SendRequests requests = qp.newSendRequests(3);
            requests.get(0).atomicWrite(256, 7).sge(region, 0, 7);
            requests.get(1).atomicWrite(252, 7).sge(region, 0, 8);
            requests.get(2).flush(128, 6, 4096, FlushTarget.RANGE, FlushPlacement.GLOBAL);
            for (int i = 0; i < 2; i++) {
                assertThat(qp.postSend(requests, i, 1)).isZero();
                assertThat(requests.refusal()).isEqualTo(PostRefusal.BAD_ATOMIC);
            }
            assertThat(qp.postSend(requests, 2, 1)).isZero();
            assertThat(requests.refusal()).isEqualTo(PostRefusal.OPCODE_NOT_SUPPORTED);
        }
    }

    @Test
    void otherQueuePairsAreMadeByTheOrdinaryCall() throws VerbsException {
        claims = FLUSH_GLOBAL | ATOMIC_WRITE_CLAIM;
        assertThat(connected(open(true), QpType.UC).number()).isNotEqualTo(77);
    }

    @Test
    void operationsWithoutTheKernelsClaimAreNotAskedFor() throws VerbsException {
        Device device = open(true);
        assertThat(device.capabilities()).doesNotContain(Capability.FLUSH, Capability.ATOMIC_WRITE);
        assertThat(connected(device, QpType.RC).number()).isNotEqualTo(77);
    }

    @Test
    void aDmabufIsRegisteredByItsDescriptor() throws VerbsException {
        Device device = open(true);
        assertThat(device.capabilities()).contains(Capability.DMABUF_MR);
        ProtectionDomain domain = device.allocatePd();
        MemoryRegion region = domain.registerDmabuf(9, 4096, 8192, 0x5_0000_3000L, EnumSet.of(AccessFlag.LOCAL_WRITE));
        assertThat(standIn.lastRequest())
                .containsExactly(REG_DMABUF_MR, 4096, 8192, 5, 0x3000, 9, AccessFlag.LOCAL_WRITE.mask());
        assertThat(region.lkey()).isEqualTo(0x11);
        assertThat(region.rkey()).isEqualTo(0x22);
        assertThat(region.address()).isEqualTo(0x5_0000_3000L);
        assertThat(region.length()).isEqualTo(8192);
        assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(region::memory);
        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(() -> region.reregister(null, null, Set.of()))
                .satisfies(refused -> assertThat(refused.errno()).isEqualTo(Errno.EOPNOTSUPP));

        QueuePair qp = connected(device, QpType.RC);
        when(fake.data.postSend(anyLong(), anyLong(), anyLong())).thenReturn(0);
        SendRequests requests = qp.newSendRequests(2);
        requests.get(0).send().sge(region, 8, 16);
        requests.get(1).send().sge(region, 8, 16).inline();
        assertThat(qp.postSend(requests, 0, 2)).isEqualTo(1);
        assertThat(requests.refusedIndex()).isEqualTo(1);
        region.close();
    }

    @Test
    void aDescriptorThatIsNoDmabufIsReported() throws VerbsException {
        ProtectionDomain domain = open(true).allocatePd();
        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(() -> domain.registerDmabuf(-1, 0, 4096, 0, Set.of()))
                .satisfies(refused -> assertThat(refused.errno()).isEqualTo(Errno.EINVAL));
        standIn.control().answer(Errno.EBADF.number());
        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(() -> domain.registerDmabuf(0, 0, 4096, 0, Set.of()))
                .withMessageContainingAll("ibv_reg_dmabuf_mr", "dma-buf 0")
                .satisfies(refused -> assertThat(refused.errno()).isEqualTo(Errno.EBADF));
    }

    @Test
    void aDriverWithoutDmabufsLacksTheCapability() throws VerbsException {
        Device device = open(true, Errno.EOPNOTSUPP.number());
        assertThat(device.capabilities()).doesNotContain(Capability.DMABUF_MR);
        ProtectionDomain domain = device.allocatePd();
        assertThatExceptionOfType(CapabilityException.class)
                .isThrownBy(() -> domain.registerDmabuf(9, 0, 4096, 0, Set.of()));
    }

    @Test
    void optionsOfConnectionEstablishmentPassBetweenProgramAndDriver() throws VerbsException {
        Device device = open(true);
        assertThat(device.capabilities()).contains(Capability.ECE);
        QueuePair qp = connected(device, QpType.RC);
        assertThat(qp.queryEce()).isEqualTo(new Ece(0x15b3, 0x8000_0001, 0));
        qp.setEce(new Ece(0x15b3, 4, 0));
        assertThat(standIn.lastCall()).containsExactly(SET_ECE, 0x15b3, 4, 0);
        standIn.control().answer(Errno.EINVAL.number());
        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(() -> qp.setEce(new Ece(1, 0, 0)))
                .withMessageContaining("ibv_set_ece")
                .satisfies(refused -> assertThat(refused.errno()).isEqualTo(Errno.EINVAL));
    }

    @Test
    void aDriverWithoutOptionsLacksTheCapability() throws VerbsException {
        Device device = open(true, Errno.EOPNOTSUPP.number());
        assertThat(device.capabilities()).doesNotContain(Capability.ECE);
        QueuePair qp = connected(device, QpType.RC);
        assertThatExceptionOfType(CapabilityException.class).isThrownBy(qp::queryEce);
    }

    @Test
    void optionsOfAnIdPassThroughTheConnectionManager() throws VerbsException {
        NativeHandle id = new NativeHandle("an id", MemorySegment.ofAddress(1));
        standIn.control().answer(0);
        EceCalls.set("rdma_set_local_ece", id, new Ece(0x15b3, 3, 0), standIn.connections()::setLocalEce);
        assertThat(standIn.lastCall()).containsExactly(SET_LOCAL_ECE, 0x15b3, 3, 0);
        assertThat(EceCalls.query("rdma_get_remote_ece", id, standIn.connections()::getRemoteEce))
                .isEqualTo(new Ece(0x15b3, 2, 0));
        standIn.control().answer(Errno.ENOSYS.number());
        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(() -> EceCalls.query("rdma_get_remote_ece", id, standIn.connections()::getRemoteEce))
                .satisfies(refused -> assertThat(refused.errno()).isEqualTo(Errno.ENOSYS));
    }
}
