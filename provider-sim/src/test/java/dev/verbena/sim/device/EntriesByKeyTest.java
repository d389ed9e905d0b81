// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.sim.fixture.Connection;
import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.sim.fixture.Lab;
import dev.verbena.sim.fixture.Node;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.PostRefusal;
import dev.verbena.verbs.SendWorkRequest;
import dev.verbena.verbs.VerbsException;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Requests with entries of an address, a length and a key. */
class EntriesByKeyTest {
    private static final int BYTES = 5000;

    private final Lab lab = new Lab();
    private Node left;
    private Node right;
    private Endpoint requester;
    private Endpoint responder;

    @BeforeEach
    void open() throws VerbsException {
        left = lab.node("sim0", "10.0.0.1");
        right = lab.node("sim1", "10.0.0.2");
        connect();
    }

    @AfterEach
    void close() {
        lab.close();
    }

    private void connect() throws VerbsException {
        requester = left.endpoint();
        responder = right.endpoint();
        requester.connect(
                responder,
                Connection.USUAL
                        .granting(AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC)
                        .readDepth(4));
    }

    private List<String> result(Consumer<SendWorkRequest> request) {
        assertThat(requester.post(wr -> {
                    request.accept(wr);
                    wr.id(1).signaled();
                }))
                .isEqualTo(PostRefusal.NONE);
        lab.settle();
        return requester.sends();
    }

    @Test
    void everyOperationTakesThem() {
        int lkey = left.region().lkey();
        long here = left.region().address();
        int there = right.region().lkey();
        long address = right.region().address();
        left.fill(0, BYTES, 3);

        responder.receive(wr -> wr.id(2).sge(address, 100, there).sge(address + 100, BYTES, there));
        assertThat(result(wr -> wr.send().sge(here, BYTES - 7, lkey).sge(here + BYTES - 7, 7, lkey)))
                .containsExactly("SEND 1");
        assertThat(responder.receives()).containsExactly("RECV 2 of 5000 bytes");
        assertThat(right.bytes(0, BYTES)).isEqualTo(left.bytes(0, BYTES));

        assertThat(result(wr ->
                        wr.rdmaWrite(address + BYTES, right.region().rkey()).sge(here, BYTES, lkey)))
                .containsExactly("RDMA_WRITE 1");
        assertThat(right.bytes(BYTES, BYTES)).isEqualTo(left.bytes(0, BYTES));

        assertThat(result(wr -> wr.rdmaRead(address, right.region().rkey()).sge(here + BYTES, BYTES, lkey)))
                .containsExactly("RDMA_READ 1");
        assertThat(left.bytes(BYTES, BYTES)).isEqualTo(left.bytes(0, BYTES));

        assertThat(result(
                        wr -> wr.fetchAndAdd(address, right.region().rkey(), 1).sge(here + 64, 8, lkey)))
                .containsExactly("FETCH_ADD 1");
        assertThat(left.bytes(64, 8)).isEqualTo(left.bytes(0, 8));
    }

    /** The errors that a region's own bounds check would prevent. */
    @Test
    void aRangeThatTheKeyDoesNotGrantCompletesWithAProtectionError() throws VerbsException {
        MemoryRegion readOnly = left.domain().registerMemory(left.memory());
        MemoryRegion foreign = left.device().allocatePd().registerMemory(left.memory(), Set.of(AccessFlag.LOCAL_WRITE));
        MemoryRegion closed = left.domain().registerMemory(left.memory(), Set.of(AccessFlag.LOCAL_WRITE));
        closed.close();
        long address = left.region().address();
        int lkey = left.region().lkey();
        long remote = right.region().address();
        int rkey = right.region().rkey();
        List<Consumer<SendWorkRequest>> wrong = List.of(
                wr -> wr.rdmaWrite(remote, rkey).sge(address, 8, lkey ^ 0xFF),
                wr -> wr.rdmaWrite(remote, rkey).sge(address + Node.MEMORY - 7, 8, lkey),
                wr -> wr.rdmaWrite(remote, rkey).sge(address - 1, 8, lkey),
                wr -> wr.rdmaWrite(remote, rkey).sge(-4, 8, lkey),
                wr -> wr.rdmaWrite(remote, rkey).sge(foreign.address(), 8, foreign.lkey()),
                wr -> wr.rdmaWrite(remote, rkey).sge(closed.address(), 8, closed.lkey()),
                wr -> wr.rdmaRead(remote, rkey).sge(readOnly.address(), 8, readOnly.lkey()));

        for (int i = 0; i < wrong.size(); i++) {
            connect();
            assertThat(result(wrong.get(i))).as("case " + i).containsExactly("LOC_PROT_ERR 1");
        }
    }

    @Test
    void aReceiveWithAWrongKeyCompletesWithAProtectionError() {
        responder.receive(
                wr -> wr.id(2).sge(right.region().address(), 8, right.region().lkey() + 1));

        assertThat(result(wr -> wr.send().sge(left.region(), 0, 8))).containsExactly("REM_OP_ERR 1");
        assertThat(responder.receives()).containsExactly("LOC_PROT_ERR 2");
    }

    @Test
    void inlineDataIsCopiedFromAKnownKeyOnly() {
        long address = left.region().address();
        int lkey = left.region().lkey();
        left.fill(0, 8, 5);
        responder.receive(2, 0, 8);

        assertThat(result(wr -> wr.send().inline().sge(address, 8, lkey))).containsExactly("SEND 1");
        assertThat(right.bytes(0, 8)).isEqualTo(left.bytes(0, 8));

        assertThat(requester.post(wr -> wr.send().inline().sge(address, 8, lkey ^ 0xFF)))
                .isEqualTo(PostRefusal.INLINE_KEY_UNKNOWN);
        assertThat(requester.post(wr -> wr.send().inline().sge(address + Node.MEMORY, 8, lkey)))
                .isEqualTo(PostRefusal.INLINE_KEY_UNKNOWN);
    }

    @Test
    void aLengthThatNoEntryHoldsIsRefused() {
        for (long length : new long[] {-1, 1L << 32, Long.MAX_VALUE}) {
            assertThat(requester.post(wr -> wr.send().sge(0, length, 1))).isEqualTo(PostRefusal.MESSAGE_TOO_LONG);
            assertThat(responder.receive(wr -> wr.sge(0, length, 1))).isEqualTo(PostRefusal.MESSAGE_TOO_LONG);
        }
    }
}
