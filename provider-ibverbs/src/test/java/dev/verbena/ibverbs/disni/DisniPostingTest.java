// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.disni;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.mockito.Mockito.when;

import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvSge;
import com.ibm.disni.verbs.IbvWC;
import dev.verbena.spi.RegistrableMemory;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.MemoryLifetime;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MrInitAttributes;
import dev.verbena.verbs.PostRefusal;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.ReceiveRequests;
import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.SendWorkRequest;
import dev.verbena.verbs.VerbsArena;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WorkCompletionOpcode;
import dev.verbena.verbs.WorkCompletionStatus;
import dev.verbena.verbs.WorkCompletions;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares the data path with the arguments and results of DiSNI's own objects. */
class DisniPostingTest {
    private static final int WITH_IMMEDIATE = 2;
    private static final int RECEIVED = 128;
    private static final int FLUSHED = 5;

    @TempDir
    private Path root;

    private FakeDisni fake;
    private FakeDisni.Connected side;
    private MemoryRegion region;

    @BeforeEach
    void connect() throws Exception {
        fake = new FakeDisni(root);
        connect(false);
    }

    private void connect(boolean signalAll) throws Exception {
        side = fake.connected(new QpCapabilities(4, 2, 4, 4, 64), signalAll);
        VerbsArena arena = side.domain().device().newArena();
        region = side.domain().registerMemory(arena.allocate(4096, 8), AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
    }

    private SendRequests sends(int count) {
        SendRequests batch = side.qp().newSendRequests(count);
        for (int i = 0; i < count; i++) {
            batch.get(i).send().id(100 + i).signaled().sge(region, 0, 8);
        }
        return batch;
    }

    private WorkCompletions polled() {
        WorkCompletions batch = side.cq().newCompletions(8);
        side.cq().poll(batch);
        return batch;
    }

    @AfterEach
    void end() {
        fake.close();
    }

    @Test
    void everyFieldOfAWriteGoesToDisni() {
        SendRequests batch = side.qp().newSendRequests(1);
        batch.get(0)
                .rdmaWriteWithImmediate(0x1234_5678_9abcL, 0x77, 0x01020304)
                .signaled()
                .fence()
                .sge(region, 16, 32)
                .sge(region, 100, 4);

        assertThat(side.qp().postSend(batch, 1)).isEqualTo(1);

        IbvSendWR raw = fake.sent.getFirst();
        assertThat(raw.getOpcode()).isEqualTo(IbvSendWR.IBV_WR_RDMA_WRITE_WITH_IMM);
        assertThat(raw.getSend_flags()).isEqualTo(IbvSendWR.IBV_SEND_SIGNALED | IbvSendWR.IBV_SEND_FENCE);
        assertThat(raw.getRdma().getRemote_addr()).isEqualTo(0x1234_5678_9abcL);
        assertThat(raw.getRdma().getRkey()).isEqualTo(0x77);
        assertThat(raw.getImm_data())
                .isEqualTo(ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? 0x01020304 : 0x04030201);
        assertThat(raw.getNum_sge()).isEqualTo(2);
        IbvSge second = raw.getSge(1);
        assertThat(second.getAddr()).isEqualTo(region.address() + 100);
        assertThat(second.getLength()).isEqualTo(4);
        assertThat(second.getLkey()).isEqualTo(FakeDisni.LKEY);
    }

    @Test
    void withSignalAllTheProviderSignalsEachRequest() throws Exception {
        connect(true);
        SendRequests batch = side.qp().newSendRequests(1);
        batch.get(0).send().sge(region, 0, 8);

        side.qp().postSend(batch, 1);

        assertThat(fake.sent.getLast().getSend_flags()).isEqualTo(IbvSendWR.IBV_SEND_SIGNALED);
    }

    @Test
    void bytesOfAnyMemoryAreCopiedForAnInlineSend() {
        MemorySegment heap = MemorySegment.ofArray(new byte[] {1, 2, 3});
        SendRequests batch = side.qp().newSendRequests(1);
        batch.get(0).send().inlineData(heap);

        assertThat(side.qp().postSend(batch, 1)).isEqualTo(1);

        IbvSge entry = fake.sent.getFirst().getSge(0);
        assertThat(entry.getLength()).isEqualTo(3);
        assertThat(entry.getLkey()).isZero();
        assertThat(fake.sent.getFirst().getSend_flags()).isEqualTo(IbvSendWR.IBV_SEND_INLINE);
    }

    static Stream<Consumer<SendWorkRequest>> whatIsNotCarried() {
        return Stream.of(
                request -> request.compareAndSwap(8, 1, 0, 1),
                request -> request.fetchAndAdd(8, 1, 1),
                request -> request.sendWithInvalidate(1),
                request -> request.localInvalidate(1),
                request -> request.atomicWrite(8, 1));
    }

    @ParameterizedTest
    @MethodSource("whatIsNotCarried")
    void anOperationThatDisniDoesNotPassToTheDeviceIsRefused(Consumer<SendWorkRequest> operation) {
        SendRequests batch = side.qp().newSendRequests(1);
        operation.accept(batch.get(0));

        assertThat(side.qp().postSend(batch, 1)).isZero();
        assertThat(batch.refusal()).isEqualTo(PostRefusal.OPCODE_NOT_SUPPORTED);
        assertThat(fake.sent).isEmpty();
    }

    @Test
    void aRequestWithMoreThanFourEntriesIsRefused() {
        SendRequests batch = side.qp().newSendRequests(1);
        batch.get(0).send();
        for (int i = 0; i < 5; i++) {
            batch.get(0).sge(region, i, 1);
        }

        assertThat(side.qp().postSend(batch, 1)).isZero();
        assertThat(batch.refusal()).isEqualTo(PostRefusal.TOO_MANY_SGES);
    }

    @Test
    @SuppressWarnings("restricted") // The memory is never accessed.
    void aMessageThatAddsUpToMoreThanAnIntIsRefused() throws VerbsException {
        // A region with the longest length that DiSNI can represent.
        MemorySegment claimed = MemorySegment.ofAddress(0x1000).reinterpret(Integer.MAX_VALUE);
        MrInitAttributes attributes = MrInitAttributes.builder(claimed)
                .lifetime(MemoryLifetime.CALLER_KEEPS_ALIVE)
                .access(region.access())
                .build();
        DisniMr large = new DisniMr(
                side.domain(),
                side.domain().context(),
                side.domain().dependents(),
                fake.registering.getMr(),
                RegistrableMemory.check(attributes, "ibv_reg_mr"),
                attributes);
        SendRequests batch = side.qp().newSendRequests(1);
        batch.get(0).send().sge(large, 0, Integer.MAX_VALUE).sge(large, 0, 1);

        assertThat(side.qp().postSend(batch, 1)).isZero();
        assertThat(batch.refusal()).isEqualTo(PostRefusal.MESSAGE_TOO_LONG);
    }

    @Test
    void aFullQueueTakesAsManyAsItHoldsUntilACompletionFreesThem() {
        SendRequests batch = sends(6);

        assertThat(side.qp().postSend(batch, 6)).isEqualTo(4);
        assertThat(batch.refusal()).isEqualTo(PostRefusal.QUEUE_FULL);
        assertThat(batch.refusedIndex()).isEqualTo(4);

        // The second one completes, and with it the first, signaled or not.
        fake.completes(FakeDisni.completion(fake.sent.get(1).getWr_id(), 0, 0, 0));
        assertThat(polled().get(0).workRequestId()).isEqualTo(101);
        assertThat(side.qp().postSend(batch, 4, 2)).isEqualTo(2);
        assertThat(batch.refusal()).isEqualTo(PostRefusal.NONE);
    }

    @Test
    void anExceptionOfDisniIsADeviceErrorAndFreesTheSlot() throws Exception {
        when(fake.posting.execute()).thenThrow(new IOException("post failed")).thenReturn(fake.posting);
        SendRequests batch = sends(4);

        assertThat(side.qp().postSend(batch, 4)).isZero();
        assertThat(batch.refusal()).isEqualTo(PostRefusal.DEVICE_ERROR);
        assertThat(side.qp().postSend(batch, 4)).isEqualTo(4);
    }

    @Test
    void aCompletionHasTheUsersIdAndItsData() {
        ReceiveRequests receives = side.qp().newReceiveRequests(1);
        receives.get(0).clear().id(-3).sge(region, 0, 4096);
        assertThat(side.qp().postReceive(receives, 1)).isEqualTo(1);
        IbvWC raw = FakeDisni.completion(fake.received.getFirst().getWr_id(), 0, RECEIVED, 17);
        raw.setWc_flags(WITH_IMMEDIATE);
        raw.setImm_data(ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? 0x01020304 : 0x04030201);
        fake.completes(raw);

        WorkCompletion completion = polled().get(0);

        assertThat(completion.workRequestId()).isEqualTo(-3);
        assertThat(completion.opcode()).isEqualTo(WorkCompletionOpcode.RECV);
        assertThat(completion.byteLength()).isEqualTo(17);
        assertThat(completion.hasImmediateData()).isTrue();
        assertThat(completion.immediateData()).isEqualTo(0x01020304);
        assertThat(completion.qpNumber()).isEqualTo(FakeDisni.QP_NUMBER);
        assertThat(completion.vendorError()).isZero();
    }

    @Test
    void ofAnErrorTheFieldsThatDisniLeavesFromBeforeAreNotPassedOn() {
        side.qp().postSend(sends(2), 2);
        IbvWC before = FakeDisni.completion(fake.sent.get(0).getWr_id(), 0, 0, 4096);
        before.setWc_flags(WITH_IMMEDIATE);
        before.setQp_num(0x999); // Of another queue pair on the same queue.
        fake.completes(before);
        fake.completes(FakeDisni.completion(fake.sent.get(1).getWr_id(), FLUSHED, 0x5A5A, 1));
        WorkCompletions batch = side.cq().newCompletions(1);
        side.cq().poll(batch);
        assertThat(batch.get(0).isSuccess()).isTrue();

        side.cq().poll(batch);

        WorkCompletion failed = batch.get(0);
        assertThat(failed.status()).isEqualTo(WorkCompletionStatus.WR_FLUSH_ERR);
        assertThat(failed.workRequestId()).isEqualTo(101);
        assertThat(failed.qpNumber()).isEqualTo(FakeDisni.QP_NUMBER);
        assertThat(failed.vendorError()).isZero();
        assertThat(failed.byteLength()).isZero();
        assertThat(failed.hasImmediateData()).isFalse();
        assertThat(failed.opcode()).isEqualTo(WorkCompletionOpcode.SEND);
        assertThat(side.qp().state()).isEqualTo(QpState.ERR);
    }

    @Test
    void completionsOfAQueuePairThatIsClosedAreLeftOutAndTheNextOnesFound() throws Exception {
        side.qp().postSend(sends(1), 1);
        long stale = fake.sent.getFirst().getWr_id();
        side.qp().close();
        DisniCq cq = side.cq();
        connect(false);
        side.qp().postSend(sends(1), 1);
        fake.completes(FakeDisni.completion(stale, FLUSHED, 0, 0));
        fake.completes(FakeDisni.completion(fake.sent.getLast().getWr_id(), 0, 0, 0));

        WorkCompletions batch = cq.newCompletions(4);

        assertThat(cq.poll(batch)).isEqualTo(1);
        assertThat(batch.get(0).isSuccess()).isTrue();
    }

    @Test
    void nothingIsPostedToAQueuePairThatIsClosedOrAnothers() throws Exception {
        SendRequests batch = sends(1);
        DisniQp first = side.qp();
        connect(false);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> side.qp().postSend(batch, 1))
                .withMessageContaining("was not made by");
        first.close();

        assertThat(first.postSend(batch, 1)).isZero();
        assertThat(batch.refusal()).isEqualTo(PostRefusal.CLOSED);
    }

    @Test
    void aQueuePairThatIsNotConnectedTakesReceivesAlone() throws Exception {
        side.qp().setState(QpState.INIT);
        SendRequests batch = sends(1);
        ReceiveRequests receives = side.qp().newReceiveRequests(1);
        receives.get(0).clear().sge(region, 0, 8);

        assertThat(side.qp().postSend(batch, 1)).isZero();
        assertThat(batch.refusal()).isEqualTo(PostRefusal.WRONG_STATE);
        assertThat(side.qp().postReceive(receives, 1)).isEqualTo(1);
    }
}
