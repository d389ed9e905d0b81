// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import dev.verbena.ibverbs.struct.IbvMw;
import dev.verbena.ibverbs.struct.IbvSendWr;
import dev.verbena.ibverbs.struct.IbvSge;
import dev.verbena.ibverbs.struct.IbvWc;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.AddressVector;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CqInitAttributes;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.MemoryWindowBinding;
import dev.verbena.verbs.MemoryWindowType;
import dev.verbena.verbs.PostRefusal;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.SendWorkRequest;
import dev.verbena.verbs.VerbsArena;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WorkCompletionOpcode;
import dev.verbena.verbs.WorkCompletionStatus;
import dev.verbena.verbs.WorkCompletions;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the structures that reach the library when requests are posted and completions polled. */
class PostingTest {
    private static final int INLINE = 32;

    private final FakeLibrary library = new FakeLibrary();
    private final List<Seen> seen = new ArrayList<>();
    private Device device;
    private ProtectionDomain domain;
    private VerbsArena arena;
    private MemorySegment memory;
    private MemoryRegion region;
    private CompletionQueue queue;
    private QueuePair qp;

    /** A request as the library found it. */
    private record Seen(
            long address, long id, int opcode, int flags, int immediate, long remote, List<List<Long>> entries) {}

    @BeforeEach
    void open() throws VerbsException {
        device = library.open();
        domain = device.allocatePd();
        arena = device.newArena();
        memory = arena.allocatePages(4096);
        region = domain.registerMemory(memory, AccessFlag.LOCAL_WRITE);
        queue = device.createCq(CqInitAttributes.ofCapacity(16));
        qp = queuePair(QpType.RC);
        takeEverything();
    }

    @AfterEach
    void close() throws InterruptedException, VerbsException {
        qp.close();
        queue.close();
        region.close();
        arena.close();
        domain.close();
        device.close();
        assertThat(library.system.awaitAllClosed()).isTrue();
    }

    private QueuePair queuePair(QpType type) throws VerbsException {
        QueuePair made = domain.createQp(QpInitAttributes.builder()
                .type(type)
                .sendCq(queue)
                .receiveCq(queue)
                .capabilities(new QpCapabilities(8, 8, 2, 2, INLINE))
                .build());
        made.modify(QpAttributes.builder().state(QpState.RTS).build());
        return made;
    }

    private void takeEverything() {
        when(library.data.postSend(anyLong(), anyLong(), anyLong())).thenAnswer(call -> {
            see(call.getArgument(1));
            return 0;
        });
    }

    private void see(long head) {
        for (long at = head; at != 0; ) {
            MemorySegment wr = FakeLibrary.behind(at, IbvSendWr.LAYOUT.byteSize());
            List<List<Long>> entries = new ArrayList<>();
            MemorySegment list =
                    FakeLibrary.behind(wr.get(ADDRESS, IbvSendWr.SG_LIST).address(), 1024);
            for (int i = 0; i < wr.get(JAVA_INT, IbvSendWr.NUM_SGE); i++) {
                long base = i * IbvSge.LAYOUT.byteSize();
                entries.add(List.of(
                        list.get(JAVA_LONG, base + IbvSge.ADDR), (long) list.get(JAVA_INT, base + IbvSge.LENGTH), (long)
                                list.get(JAVA_INT, base + IbvSge.LKEY)));
            }
            seen.add(new Seen(
                    at,
                    wr.get(JAVA_LONG, IbvSendWr.WR_ID),
                    wr.get(JAVA_INT, IbvSendWr.OPCODE),
                    wr.get(JAVA_INT, IbvSendWr.SEND_FLAGS),
                    wr.get(JAVA_INT, IbvSendWr.IMM_DATA),
                    wr.get(JAVA_LONG, IbvSendWr.REMOTE_ADDR),
                    entries));
            at = wr.get(ADDRESS, IbvSendWr.NEXT).address();
        }
    }

    @Test
    void aBatchIsOneCallWithAChainThatEndsWhereTheCountDoes() {
        SendRequests batch = qp.newSendRequests(4);
        for (int i = 0; i < 4; i++) {
            batch.get(i).send().id(i).signaled().sge(region, i * 16L, 16);
        }

        assertThat(qp.postSend(batch, 1, 2)).isEqualTo(2);
        assertThat(seen).extracting(Seen::id).containsExactly(1L, 2L);
        assertThat(seen.getFirst().flags()).isEqualTo(2);
        assertThat(seen.getFirst().entries())
                .containsExactly(List.of(memory.address() + 16, 16L, (long) region.lkey()));

        seen.clear();
        assertThat(qp.postSend(batch, 4)).isEqualTo(4);
        assertThat(seen).extracting(Seen::id).containsExactly(0L, 1L, 2L, 3L);
    }

    @Test
    void thePositionOfEarlierPostsDoesNotMatter() {
        int size = 4;
        SendRequests batch = qp.newSendRequests(size);
        for (int i = 0; i < size; i++) {
            batch.get(i).send().id(i).signaled().sge(region, i * 16L, 16);
        }
        for (int first = 0; first < size; first++) {
            for (int count = 1; count <= size - first; count++) {
                for (int before = 0; before < size; before++) {
                    for (int less = 1; less <= size - before; less++) {
                        qp.postSend(batch, before, less);
                        seen.clear();
                        assertThat(qp.postSend(batch, first, count)).isEqualTo(count);
                        assertThat(seen)
                                .as("%s of %s, after %s of %s", count, first, less, before)
                                .extracting(Seen::id)
                                .containsExactlyElementsOf(LongStream.range(first, first + count)
                                        .boxed()
                                        .toList());
                    }
                }
            }
        }
    }

    @Test
    void fieldsOfOneOperationAreNotInTheNext() {
        SendRequests batch = qp.newSendRequests(1);
        batch.get(0).sendWithImmediate(0x01020304).id(9).solicited().sge(region, 0, 8);
        qp.postSend(batch, 1);
        batch.get(0).send();
        qp.postSend(batch, 1);

        // The bytes 1, 2, 3, 4 in this order.
        assertThat(Integer.reverseBytes(seen.getFirst().immediate())).isEqualTo(0x01020304);
        assertThat(seen.getLast())
                .returns(0L, Seen::id)
                .returns(0, Seen::flags)
                .returns(0, Seen::immediate)
                .returns(List.of(), Seen::entries);
    }

    @Test
    void aRegionUnderAnotherAddressIsNamedByThatAddressButReadInlineByItsOwn() throws VerbsException {
        try (MemoryRegion elsewhere = domain.registerMemory(memory, 0x10_0000, Set.of())) {
            SendRequests batch = qp.newSendRequests(2);
            batch.get(0).send().sge(elsewhere, 8, 8);
            batch.get(1).send().inline().sge(elsewhere, 8, 8);

            qp.postSend(batch, 2);

            assertThat(seen.get(0).entries().getFirst().getFirst()).isEqualTo(0x10_0008L);
            assertThat(seen.get(1).entries().getFirst().getFirst()).isEqualTo(memory.address() + 8);
        }
    }

    @Test
    void memoryOfARegionThatIsClosedIsNeverReadInline() throws VerbsException {
        MemoryRegion closed = domain.registerMemory(memory);
        SendRequests batch = qp.newSendRequests(1);
        batch.get(0).send().inline().sge(closed, 0, 8);
        closed.close();

        assertThat(qp.postSend(batch, 1)).isZero();

        assertThat(batch.refusal()).isEqualTo(PostRefusal.FOREIGN_OBJECT);
        verify(library.data, never()).postSend(anyLong(), anyLong(), anyLong());
    }

    @Test
    void anAddressHandleThatIsClosedIsNeverFollowed() throws VerbsException {
        try (QueuePair datagrams = queuePair(QpType.UD)) {
            AddressHandle handle = domain.createAh(AddressVector.toGid(Gid.parse("10.0.0.1"), 1));
            SendRequests batch = datagrams.newSendRequests(1);
            batch.get(0).send().to(handle, 5, 6);
            assertThat(datagrams.postSend(batch, 1)).isOne();
            handle.close();

            assertThat(datagrams.postSend(batch, 1)).isZero();
            assertThat(batch.refusal()).isEqualTo(PostRefusal.FOREIGN_OBJECT);
            assertThat(seen).hasSize(1);
        }
    }

    /** Drivers read there the key that the next bind changes, and write it only for windows of type 1. */
    @Test
    void theKeyOfAWindowThatWasBoundIsInTheLibrarysStructureToo() throws VerbsException {
        MemorySegment structure = library.zeroed(IbvMw.LAYOUT);
        structure.set(JAVA_INT, IbvMw.RKEY, 0x100);
        when(library.windows.allocMw(any(), any(), anyInt())).thenReturn(FakeLibrary.pointer(structure));
        try (MemoryRegion whole = domain.registerMemory(memory, AccessFlag.LOCAL_WRITE, AccessFlag.MW_BIND);
                MemoryWindow window = domain.allocateMw(MemoryWindowType.TYPE_2)) {
            SendRequests batch = qp.newSendRequests(1);
            batch.get(0)
                    .bindMemoryWindow(
                            window, 0x101, new MemoryWindowBinding(whole, 0, 64, Set.of(AccessFlag.REMOTE_WRITE)));
            assertThat(structure.get(JAVA_INT, IbvMw.RKEY)).isEqualTo(0x100);
            assertThat(qp.postSend(batch, 1)).isOne();
            assertThat(structure.get(JAVA_INT, IbvMw.RKEY)).isEqualTo(0x101);
            assertThat(window.rkey()).isEqualTo(0x101);
        }
    }

    @Test
    void aBindThatIsRefusedForItsWindowLeavesWhereItWouldHaveGone() throws VerbsException {
        MemorySegment structure = library.zeroed(IbvMw.LAYOUT);
        when(library.windows.allocMw(any(), any(), anyInt())).thenReturn(FakeLibrary.pointer(structure));
        AddressHandle handle = domain.createAh(AddressVector.toGid(Gid.parse("10.0.0.1"), 1));
        try (MemoryRegion whole = domain.registerMemory(memory, AccessFlag.LOCAL_WRITE, AccessFlag.MW_BIND)) {
            MemoryWindow window = domain.allocateMw(MemoryWindowType.TYPE_2);
            SendRequests batch = qp.newSendRequests(1);
            batch.get(0)
                    .bindMemoryWindow(
                            window, 0x101, new MemoryWindowBinding(whole, 0, 64, Set.of(AccessFlag.REMOTE_WRITE)))
                    .to(handle, 5, 6);
            window.close();

            assertThat(qp.postSend(batch, 1)).isZero();
            assertThat(batch.refusal()).isEqualTo(PostRefusal.FOREIGN_OBJECT);
        }
        assertTimeoutPreemptively(Duration.ofMinutes(1), handle::close);
    }

    @Test
    void theRequestsBeforeABadOneArePostedAndTheChainIsWholeAfterwards() {
        SendRequests batch = qp.newSendRequests(3);
        batch.get(0).send().id(1);
        batch.get(1).rdmaRead(1, 2).inline().sge(region, 0, 8).id(2);
        batch.get(2).send().id(3);

        assertThat(qp.postSend(batch, 3)).isOne();
        assertThat(batch.refusal()).isEqualTo(PostRefusal.BAD_FLAGS);
        assertThat(batch.refusedIndex()).isOne();

        batch.get(1).send().id(2);
        seen.clear();
        assertThat(qp.postSend(batch, 3)).isEqualTo(3);
        assertThat(seen).extracting(Seen::id).containsExactly(1L, 2L, 3L);
    }

    @Test
    void aRequestThatIsChangedAfterAPostIsCheckedAgain() {
        List<Consumer<SendWorkRequest>> spoilers = List.of(
                request -> request.sge(region, 0, 8).sge(region, 0, 8).sge(region, 0, 8),
                request -> request.rdmaRead(1, 2).inline(),
                request -> request.fetchAndAdd(4, 1, 1),
                request -> request.to(mock(AddressHandle.class), 1, 2));
        for (Consumer<SendWorkRequest> spoiler : spoilers) {
            SendRequests batch = qp.newSendRequests(2);
            batch.get(0).send();
            batch.get(1).send();
            assertThat(qp.postSend(batch, 2)).isEqualTo(2);

            spoiler.accept(batch.get(1));

            assertThat(qp.postSend(batch, 2)).isOne();
            assertThat(batch.refusedIndex()).isOne();
        }
    }

    @Test
    void theLibrarysBadRequestBecomesAnIndexAndItsErrnoAReason() {
        doAnswer(call -> {
                    long head = call.getArgument(1);
                    FakeLibrary.behind(call.getArgument(2), ADDRESS.byteSize())
                            .set(ADDRESS, 0, MemorySegment.ofAddress(head + IbvSendWr.LAYOUT.byteSize()));
                    return Errno.ENOMEM.number();
                })
                .when(library.data)
                .postSend(anyLong(), anyLong(), anyLong());
        SendRequests batch = qp.newSendRequests(3);
        for (int i = 0; i < 3; i++) {
            batch.get(i).send();
        }

        assertThat(qp.postSend(batch, 1, 2)).isOne();
        assertThat(batch.refusal()).isEqualTo(PostRefusal.QUEUE_FULL);
        assertThat(batch.refusedIndex()).isEqualTo(2);
    }

    @Test
    void aRefusalIsForgottenWhenTheSameIsPostedAgainAndTaken() {
        SendRequests batch = qp.newSendRequests(2);
        batch.get(0).send().id(1);
        batch.get(1).send().id(2);
        assertThat(qp.postSend(batch, 2)).isEqualTo(2);
        doReturn(Errno.ENOMEM.number()).when(library.data).postSend(anyLong(), anyLong(), anyLong());
        assertThat(qp.postSend(batch, 2)).isZero();
        assertThat(batch.refusal()).isEqualTo(PostRefusal.QUEUE_FULL);

        takeEverything();
        seen.clear();
        assertThat(qp.postSend(batch, 2)).isEqualTo(2);
        assertThat(batch.refusal()).isEqualTo(PostRefusal.NONE);
        assertThat(batch.refusedIndex()).isNegative();
        assertThat(seen).extracting(Seen::id).containsExactly(1L, 2L);
    }

    @Test
    void partsThatAreNoneOfTheBatchAreRefusedAfterAnyPost() {
        SendRequests batch = qp.newSendRequests(2);
        batch.get(0).send();
        batch.get(1).send();
        assertThat(qp.postSend(batch, 2)).isEqualTo(2);
        for (int[] part : new int[][] {{-1, 2}, {0, -1}, {0, 3}, {1, 2}}) {
            assertThatThrownBy(() -> qp.postSend(batch, part[0], part[1]))
                    .isInstanceOf(IndexOutOfBoundsException.class);
        }
        assertThat(qp.postSend(batch, 0)).isZero();
        assertThat(qp.postSend(batch, 2)).isEqualTo(2);
    }

    @Test
    void everyInvalidRequestIsRefusedBeforeTheLibraryCall() {
        SendRequests batch = qp.newSendRequests(1);
        assertThat(refusal(batch)).isEqualTo(PostRefusal.NO_OPERATION);
        batch.get(0).send().sge(region, 0, 1).sge(region, 0, 1).sge(region, 0, 1);
        assertThat(refusal(batch)).isEqualTo(PostRefusal.TOO_MANY_SGES);
        batch.get(0).fetchAndAdd(4, 1, 1).sge(region, 0, 8);
        assertThat(refusal(batch)).isEqualTo(PostRefusal.BAD_ATOMIC);
        batch.get(0).atomicWrite(8, 1).sge(region, 0, 8);
        assertThat(refusal(batch)).isEqualTo(PostRefusal.OPCODE_NOT_SUPPORTED);
        batch.get(0).send().inlineData(MemorySegment.ofArray(new byte[INLINE + 1]));
        assertThat(refusal(batch)).isEqualTo(PostRefusal.INLINE_TOO_LONG);
        verify(library.data, never()).postSend(anyLong(), anyLong(), anyLong());
    }

    private PostRefusal refusal(SendRequests batch) {
        assertThat(qp.postSend(batch, 1)).isZero();
        return batch.refusal();
    }

    @Test
    void inlineBytesAreTheBatchsOwnCopy() {
        byte[] bytes = {1, 2, 3};
        SendRequests batch = qp.newSendRequests(1);
        batch.get(0).send().inlineData(MemorySegment.ofArray(bytes));
        bytes[0] = 99;

        qp.postSend(batch, 1);

        long address = seen.getFirst().entries().getFirst().getFirst();
        assertThat(FakeLibrary.behind(address, 3).toArray(JAVA_BYTE)).containsExactly(1, 2, 3);
    }

    @Test
    void aStateThatTakesNoSendsIsRefusedWithoutTheLibrary() throws VerbsException {
        qp.modify(QpAttributes.reset());
        SendRequests batch = qp.newSendRequests(1);
        batch.get(0).send();

        assertThat(refusal(batch)).isEqualTo(PostRefusal.WRONG_STATE);
        verify(library.data, never()).postSend(anyLong(), anyLong(), anyLong());
    }

    @Test
    void aClosedQueuePairAndAForeignBatchAreRefused() throws VerbsException {
        QueuePair other = queuePair(QpType.RC);
        SendRequests foreign = other.newSendRequests(1);
        foreign.get(0).send();

        assertThatIllegalArgumentException().isThrownBy(() -> qp.postSend(foreign, 1));
        other.close();
        assertThat(other.postSend(foreign, 1)).isZero();
        assertThat(foreign.refusal()).isEqualTo(PostRefusal.CLOSED);
    }

    @Test
    void completionsAreReadWhereTheLibraryPutThem() {
        when(library.data.pollCq(anyLong(), anyInt(), anyLong())).thenAnswer(call -> {
            MemorySegment wc = FakeLibrary.behind(call.getArgument(2), IbvWc.LAYOUT.byteSize());
            wc.set(JAVA_LONG, IbvWc.WR_ID, 77);
            wc.set(JAVA_INT, IbvWc.STATUS, 12);
            wc.set(JAVA_INT, IbvWc.QP_NUM, FakeLibrary.QP_NUMBER);
            return 1;
        });
        WorkCompletions batch = queue.newCompletions(4);

        assertThat(queue.poll(batch)).isOne();

        assertThat(batch.get(0).workRequestId()).isEqualTo(77);
        assertThat(batch.get(0).status()).isEqualTo(WorkCompletionStatus.RETRY_EXC_ERR);
        assertThat(batch.get(0).qpNumber()).isEqualTo(FakeLibrary.QP_NUMBER);
    }

    @Test
    void statusesAndOpcodesOfLaterReleasesAreReportedByNumber() {
        when(library.data.pollCq(anyLong(), anyInt(), anyLong())).thenAnswer(call -> {
            MemorySegment wc = FakeLibrary.behind(call.getArgument(2), 2 * IbvWc.LAYOUT.byteSize());
            wc.set(JAVA_LONG, IbvWc.WR_ID, 77);
            wc.set(JAVA_INT, IbvWc.STATUS, 99);
            MemorySegment second = wc.asSlice(IbvWc.LAYOUT.byteSize());
            second.set(JAVA_LONG, IbvWc.WR_ID, 78);
            second.set(JAVA_INT, IbvWc.STATUS, 0);
            second.set(JAVA_INT, IbvWc.OPCODE, 128 + 77);
            return 2;
        });
        WorkCompletions batch = queue.newCompletions(4);

        assertThat(queue.poll(batch)).isEqualTo(2);

        WorkCompletion failed = batch.get(0);
        assertThat(failed.workRequestId()).isEqualTo(77);
        assertThat(failed.isSuccess()).isFalse();
        assertThat(failed.status()).isEqualTo(WorkCompletionStatus.UNKNOWN);
        assertThat(failed.statusCode()).isEqualTo(99);
        assertThat(failed.explain().toString()).contains("statusCode()");
        WorkCompletion received = batch.get(1);
        assertThat(received.isSuccess()).isTrue();
        assertThat(received.opcode()).isEqualTo(WorkCompletionOpcode.UNKNOWN);
        assertThat(received.opcodeCode()).isEqualTo(128 + 77);
        assertThat(received.isReceive()).isTrue();
    }

    @Test
    void pollingABrokenQueueThrows() {
        when(library.data.pollCq(anyLong(), anyInt(), anyLong())).thenReturn(-1);

        assertThatIllegalStateException()
                .isThrownBy(() -> queue.poll(queue.newCompletions(1)))
                .withMessageContaining("broken");
    }

    @Test
    void noPartOfABatchThatItHasNotIsPosted() {
        SendRequests batch = qp.newSendRequests(2);
        batch.get(0).send();
        batch.get(1).send();
        for (int time = 0; time < 2; time++) {
            assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> qp.postSend(batch, 0, -1));
            assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> qp.postSend(batch, -1, 1));
            assertThatExceptionOfType(IndexOutOfBoundsException.class)
                    .isThrownBy(() -> qp.postSend(batch, Integer.MIN_VALUE, 1));
            assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> qp.postSend(batch, 1, 2));
            assertThat(qp.postSend(batch, 0, 0)).isZero();
            assertThat(qp.postSend(batch, 2)).isEqualTo(2);
        }
    }

    @Test
    void entriesByKeyReachTheLibraryAsTheyAre() {
        SendRequests batch = qp.newSendRequests(1);
        batch.get(0).send().sge(0x1234_5678_9ABCL, 100, 0xABCD).sge(region, 8, 4);

        assertThat(qp.postSend(batch, 1)).isEqualTo(1);

        assertThat(seen.get(0).entries())
                .containsExactly(List.of(0x1234_5678_9ABCL, 100L, 0xABCDL), List.of(memory.address() + 8, 4L, (long)
                        region.lkey()));
    }

    @Test
    void inlineEntriesByKeyAreReadWhereTheRegionIsInThisProcess() throws VerbsException {
        MemoryRegion elsewhere = domain.registerMemory(memory, 0x7000, Set.of(AccessFlag.LOCAL_WRITE));
        SendRequests batch = qp.newSendRequests(1);
        batch.get(0).send().inline().sge(elsewhere.address() + 16, 8, elsewhere.lkey());

        // Twice, as the first post replaces the address.
        assertThat(qp.postSend(batch, 1)).isEqualTo(1);
        assertThat(qp.postSend(batch, 1)).isEqualTo(1);

        assertThat(seen).extracting(request -> request.entries().get(0).get(0)).containsOnly(memory.address() + 16);
        elsewhere.close();
        assertThat(qp.postSend(batch, 1)).isZero();
        assertThat(batch.refusal()).isEqualTo(PostRefusal.INLINE_KEY_UNKNOWN);
    }

    @Test
    void inlineEntriesBeyondTheMemoryOfTheirKeyAreRefused() {
        SendRequests batch = qp.newSendRequests(1);
        for (long address : new long[] {region.address() + 4089, region.address() - 1, 0}) {
            batch.get(0).send().inline().sge(address, 8, region.lkey());
            assertThat(qp.postSend(batch, 1)).isZero();
            assertThat(batch.refusal()).isEqualTo(PostRefusal.INLINE_KEY_UNKNOWN);
        }
    }
}
