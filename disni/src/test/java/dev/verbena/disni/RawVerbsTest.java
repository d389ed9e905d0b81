// SPDX-License-Identifier: Apache-2.0
package dev.verbena.disni;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import com.ibm.disni.util.MemoryUtils;
import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvRecvWR;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.RdmaCmEvent;
import com.ibm.disni.verbs.RdmaCmEvent.EventType;
import com.ibm.disni.verbs.SVCPostSend;
import com.ibm.disni.verbs.SVCPostSend.SendWRMod;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import program.verbs.Pair;
import program.verbs.Peer;

/** DiSNI's raw verbs, as programs without endpoints use them. docs/tests.md lists the traps. */
@Timeout(60)
class RawVerbsTest {
    private static final String HOST = "192.0.2.1";
    private static final int SIGNALED = IbvSendWR.IBV_SEND_SIGNALED;
    private static final int SEND = IbvSendWR.IBV_WR_SEND;
    private static final int WRITE = IbvSendWR.IBV_WR_RDMA_WRITE;
    private static final int READ = IbvSendWR.IBV_WR_RDMA_READ;

    private static int nextPort = 20_000;

    private Pair pair;

    @BeforeEach
    void connect() throws Exception {
        pair = new Pair(HOST, nextPort++);
    }

    @AfterEach
    void close() throws Exception {
        pair.close();
    }

    private static void fill(ByteBuffer buffer, String text) {
        buffer.put(0, text.getBytes(StandardCharsets.US_ASCII));
    }

    private static String text(ByteBuffer buffer, int offset, int length) {
        byte[] bytes = new byte[length];
        buffer.get(offset, bytes);
        return new String(bytes, StandardCharsets.US_ASCII);
    }

    private static void assertSuccess(List<IbvWC> completions) {
        assertThat(completions).allMatch(completion -> completion.getStatus() == 0);
    }

    @Test
    void aMessageArrivesWithItsLengthItsOpcodeAndItsQueuePair() throws Exception {
        pair.server.receive(7, 0, 64);
        fill(pair.client.buffer, "message");
        pair.client.record(pair.client.send(SEND, 8, SIGNALED, 0, 7)).execute().free();

        IbvWC sent = pair.client.await(1).getFirst();
        IbvWC received = pair.server.await(1).getFirst();
        assertThat(List.of(sent.getWr_id(), (long) sent.getStatus(), (long) sent.getOpcode()))
                .containsExactly(8L, 0L, 0L);
        assertThat(List.of(received.getWr_id(), (long) received.getOpcode(), (long) received.getByte_len()))
                .containsExactly(7L, 128L, 7L);
        assertThat(received.getQp_num()).isEqualTo(pair.server.qp.getQp_num());
        assertThat(text(pair.server.buffer, 0, 7)).isEqualTo("message");
    }

    /** Trap 3. */
    @Test
    void theLkeyOfAPeerIsItsRkey() throws Exception {
        fill(pair.server.buffer, "read by lkey");
        IbvSendWR read = pair.client.send(READ, 1, SIGNALED, 100, 12);
        read.getRdma().setRemote_addr(pair.server.mr.getAddr());
        read.getRdma().setRkey(pair.server.mr.getLkey());
        pair.client.record(read).execute().free();

        assertSuccess(pair.client.await(1));
        assertThat(text(pair.client.buffer, 100, 12)).isEqualTo("read by lkey");
        assertThat(pair.server.mr.getLkey()).isNotZero();
    }

    @Test
    void aRecordedBatchIsChangedAndExecutedAgain() throws Exception {
        IbvSendWR write = pair.client.send(WRITE, 1, 0, 0, 0);
        IbvSendWR read = pair.client.send(READ, 2, SIGNALED, 200, 1);
        write.getSge(0).setAddr(0);
        write.getSge(0).setLkey(0);
        SVCPostSend recorded = pair.client.record(write, read);
        for (int i = 0; i < 30; i++) {
            pair.client.buffer.put(i, (byte) (i + 1));
            SendWRMod first = recorded.getWrMod(0);
            first.getRdmaMod().setRemote_addr(pair.server.mr.getAddr() + i);
            first.getRdmaMod().setRkey(pair.server.mr.getRkey());
            first.getSgeMod(0).setAddr(pair.client.mr.getAddr() + i);
            first.getSgeMod(0).setLength(1);
            first.getSgeMod(0).setLkey(pair.client.mr.getLkey());
            SendWRMod second = recorded.getWrMod(1);
            second.setWr_id(1000 + i);
            second.getRdmaMod().setRemote_addr(pair.server.mr.getAddr() + i);
            second.getRdmaMod().setRkey(pair.server.mr.getRkey());
            recorded.execute();

            IbvWC done = pair.client.await(1).getFirst();
            assertThat(done.getStatus()).isZero();
            assertThat(done.getWr_id()).isEqualTo(1000 + i);
            assertThat(pair.server.buffer.get(i)).isEqualTo((byte) (i + 1));
            assertThat(pair.client.buffer.get(200)).isEqualTo((byte) (i + 1));
        }
        recorded.free();
        assertThatIOException().isThrownBy(recorded::execute).withMessageContaining("freed");
    }

    @Test
    void anAtomicAddsAtThePeer() throws Exception {
        IbvMr target = pair.server
                .pd
                .regMr(pair.server.buffer, 7 | IbvMr.IBV_ACCESS_REMOTE_ATOMIC)
                .execute()
                .getMr();
        pair.server.buffer.order(ByteOrder.nativeOrder()).putLong(0, 40);
        IbvSendWR add = pair.client.send(IbvSendWR.IBV_WR_ATOMIC_FETCH_AND_ADD, 1, SIGNALED, 8, 8);
        add.getAtomic().setRemote_addr(target.getAddr());
        add.getAtomic().setRkey(target.getRkey());
        add.getAtomic().setCompare_add(2);
        pair.client.record(add).execute();

        assertSuccess(pair.client.await(1));
        assertThat(pair.server.buffer.getLong(0)).isEqualTo(42);
        assertThat(pair.client.buffer.order(ByteOrder.nativeOrder()).getLong(8)).isEqualTo(40);
        target.deregMr().execute();
    }

    @Test
    void inlineDataIsCopiedByThePost() throws Exception {
        pair.server.receive(1, 0, 64);
        fill(pair.client.buffer, "inline");
        pair.client
                .record(pair.client.send(SEND, 1, SIGNALED | IbvSendWR.IBV_SEND_INLINE, 0, 6))
                .execute();
        fill(pair.client.buffer, "------");

        assertSuccess(pair.client.await(1));
        assertSuccess(pair.server.await(1));
        assertThat(text(pair.server.buffer, 0, 6)).isEqualTo("inline");
    }

    @Test
    void anEventWakesWhoWaitsForACompletion() throws Exception {
        pair.server.cq.reqNotification(false).execute().free();
        assertThat(pair.server.completions.getCqEvent(pair.server.cq, 0)).isFalse();
        pair.server.receive(1, 0, 64);
        pair.client.record(pair.client.send(SEND, 1, SIGNALED, 0, 1)).execute();

        assertThat(pair.server.completions.getCqEvent(pair.server.cq, 10_000)).isTrue();
        pair.server.cq.ackEvents(5);
        assertSuccess(pair.server.await(1));
        assertSuccess(pair.client.await(1));
    }

    @Test
    void anEntryOutsideOfItsRegionIsALocalProtectionError() throws Exception {
        IbvSendWR wrong = pair.client.send(SEND, 5, SIGNALED, 0, Peer.BYTES + 1);
        pair.client.record(wrong).execute();

        IbvWC done = pair.client.await(1).getFirst();
        assertThat(done.getStatus()).isEqualTo(4);
        assertThat(done.getWr_id()).isEqualTo(5);
        assertThat(done.getQp_num()).isEqualTo(pair.client.qp.getQp_num());
    }

    /** Traps 1 and 2. */
    @Test
    void aSliceOfAMappedFileIsRegisteredAsAWholeAtItsOwnAddress(@TempDir Path folder) throws Exception {
        Path path = Files.writeString(folder.resolve("file"), "0123456789");
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer mapped = file.map(FileChannel.MapMode.READ_WRITE, 0, 10);
            long begin = MemoryUtils.getAddress(mapped);
            ByteBuffer slice = mapped.position(4).slice().position(3);
            IbvMr region = pair.client.pd.regMr(slice, 7).execute().free().getMr();
            assertThat(region.getAddr()).isEqualTo(begin + 4);
            assertThat(region.getLength()).isEqualTo(6);

            IbvSendWR write = pair.client.send(WRITE, 1, SIGNALED, 0, 6);
            write.getSge(0).setAddr(region.getAddr());
            write.getSge(0).setLkey(region.getLkey());
            write.getRdma().setRemote_addr(pair.server.mr.getAddr());
            write.getRdma().setRkey(pair.server.mr.getLkey());
            pair.client.record(write).execute();
            assertSuccess(pair.client.await(1));
            assertThat(text(pair.server.buffer, 0, 6)).isEqualTo("456789");
            region.deregMr().execute().free();
        }
    }

    @Test
    void regionsMayOverlapAndAReceiveMayHaveNoEntries() throws Exception {
        IbvMr again =
                pair.server.pd.regMr(pair.server.buffer, 7).execute().free().getMr();
        IbvRecvWR empty = new IbvRecvWR();
        empty.setWr_id(9);
        pair.server.qp.postRecv(List.of(empty), null).execute().free();
        pair.client.record(pair.client.send(SEND, 1, SIGNALED, 0, 0)).execute();

        assertSuccess(pair.client.await(1));
        IbvWC received = pair.server.await(1).getFirst();
        assertThat(received.getWr_id()).isEqualTo(9);
        assertThat(received.getByte_len()).isZero();
        again.deregMr().execute().free();
    }

    @Test
    void memoryIsRegisteredByItsAddress() throws Exception {
        ByteBuffer memory = ByteBuffer.allocateDirect(64);
        fill(memory, "by address");
        IbvMr region = pair.client
                .pd
                .regMr(MemoryUtils.getAddress(memory), 64, 7)
                .execute()
                .free()
                .getMr();
        IbvSendWR write = pair.client.send(WRITE, 1, SIGNALED, 0, 10);
        write.getSge(0).setAddr(region.getAddr());
        write.getSge(0).setLkey(region.getLkey());
        write.getRdma().setRemote_addr(pair.server.mr.getAddr());
        write.getRdma().setRkey(pair.server.mr.getLkey());
        pair.client.record(write).execute().free();

        assertSuccess(pair.client.await(1));
        assertThat(text(pair.server.buffer, 0, 10)).isEqualTo("by address");
        region.deregMr().execute().free();
        assertThat(memory.isDirect()).isTrue(); // Reachable until here.
    }

    @Test
    void tooManyEntriesAreAnIoException() throws Exception {
        var many = pair.client.entry(0, 1);
        many.addAll(Collections.nCopies(999, many.getFirst()));
        IbvRecvWR receive = new IbvRecvWR();
        receive.setSg_list(many);
        assertThatIOException()
                .isThrownBy(
                        () -> pair.server.qp.postRecv(List.of(receive), null).execute());
        IbvSendWR send = pair.client.send(SEND, 1, SIGNALED, 0, 1);
        send.setSg_list(many);
        assertThatIOException().isThrownBy(() -> pair.client.record(send).execute());
    }

    /** Trap 7: only the bridge's own disconnect flushes the receives of the side that was told. */
    @Test
    void receivesAreFlushedAfterThePeerDisconnected() throws Exception {
        Peer server = pair.server;
        for (int i = 0; i < 5; i++) {
            server.receive(i, 0, 8);
        }
        pair.client.id.disconnect();
        server.expect(EventType.RDMA_CM_EVENT_DISCONNECTED);

        List<IbvWC> flushed = server.await(5);
        assertThat(flushed).allMatch(each -> each.getStatus() == 5 && each.getOpcode() == 128);
        pair = new Pair(HOST, nextPort++);
    }

    @Test
    void identitiesStayAfterTheirObjectsAreDestroyed() throws Exception {
        int device = pair.client.id.getVerbs().getCmd_fd();
        int number = pair.client.qp.getQp_num();
        assertThat(pair.server.id.getVerbs().getCmd_fd()).isEqualTo(device).isPositive();
        Pair closed = pair;
        pair.close();
        pair = new Pair(HOST, nextPort++);
        assertThat(closed.client.id.getVerbs().getCmd_fd()).isEqualTo(device);
        assertThat(closed.client.qp.getQp_num()).isEqualTo(number);
        assertThat(closed.client.qp.isOpen()).isFalse();
        assertThat(pair.client.id.getVerbs().getCmd_fd()).isEqualTo(device);
        assertThatIOException().isThrownBy(() -> closed.client.await(1));
    }

    @Test
    void anEventThatDoesNotComeIsNull() throws Exception {
        RdmaCmEvent none = pair.client.channel.getCmEvent(0);
        assertThat(none).isNull();
        assertThat(pair.client.channel.getCmEvent(1)).isNull();
    }
}
