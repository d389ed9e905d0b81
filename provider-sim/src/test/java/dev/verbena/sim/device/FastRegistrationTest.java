// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.sim.fixture.Connection;
import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.sim.fixture.Lab;
import dev.verbena.sim.fixture.Node;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.PostRefusal;
import dev.verbena.verbs.RemoteKey;
import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.VerbsArena;
import dev.verbena.verbs.VerbsBusyException;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.kernel.FastRegistration;
import dev.verbena.verbs.kernel.FastRegistrationRegion;
import java.lang.foreign.MemorySegment;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Registration by work requests, as kernel consumers do it. */
class FastRegistrationTest {
    private static final long PAGE = 4096;
    private static final Set<AccessFlag> ACCESS =
            Set.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ);

    private final Lab lab = new Lab();
    private Node owner;
    private Endpoint own;
    private Endpoint far;
    private FastRegistration fast;

    @BeforeEach
    void connect() throws VerbsException {
        owner = lab.node("sim0", "10.0.0.1");
        Node peer = lab.node("sim1", "10.0.0.2");
        own = owner.endpoint();
        far = peer.endpoint();
        own.connect(far, Connection.USUAL);
        fast = owner.device().extension(FastRegistration.class).orElseThrow();
        peer.fill(0, 4 * PAGE, 9);
    }

    @AfterEach
    void close() {
        lab.close();
    }

    private MemorySegment piece(long offset, long length) {
        return owner.memory().asSlice(offset, length);
    }

    private FastRegistrationRegion mapped(boolean gaps, MemorySegment... pieces) throws VerbsException {
        FastRegistrationRegion region = fast.allocate(owner.domain(), 512, gaps);
        assertThat(region.map(List.of(pieces), PAGE)).isEqualTo(pieces.length);
        return region;
    }

    private void register(FastRegistrationRegion region, long id) {
        assertThat(own.post(wr -> region.registerBy(wr, RemoteKey.increment(region.rkey()), ACCESS)
                        .id(id)
                        .signaled()))
                .isEqualTo(PostRefusal.NONE);
    }

    private void invalidate(int key, long id) {
        assertThat(own.post(wr -> wr.localInvalidate(key).id(id).signaled())).isEqualTo(PostRefusal.NONE);
    }

    private void farWrites(long id, long address, int rkey, int length) {
        far.post(wr ->
                wr.rdmaWrite(address, rkey).id(id).signaled().sge(far.node().region(), 0, length));
        lab.settle();
    }

    @Test
    void isMappedRegisteredUsedInvalidatedAndUsedForOtherMemory() throws VerbsException {
        FastRegistrationRegion region = mapped(false, piece(100, PAGE - 100), piece(3 * PAGE, PAGE));
        int first = RemoteKey.increment(region.rkey());
        register(region, 1);
        assertThat(region.rkey()).isEqualTo(first);
        assertThat(region.access()).isEqualTo(ACCESS);
        farWrites(1, region.address(), first, (int) region.length());
        assertThat(owner.bytes(100, PAGE - 100)).isEqualTo(far.node().bytes(0, PAGE - 100));
        assertThat(owner.bytes(3 * PAGE, PAGE)).isEqualTo(far.node().bytes(PAGE - 100, PAGE));

        assertThat(region.map(List.of(piece(8 * PAGE, 64)), PAGE)).isEqualTo(1);
        invalidate(first, 2);
        register(region, 3);
        farWrites(2, region.address(), region.rkey(), 64);
        assertThat(owner.bytes(8 * PAGE, 64)).isEqualTo(far.node().bytes(0, 64));
        assertThat(own.sends()).containsExactly("REG_MR 1", "LOCAL_INV 2", "REG_MR 3");
        farWrites(3, owner.memory().address() + 100, first, 8);
        assertThat(far.sends()).containsExactly("RDMA_WRITE 1", "RDMA_WRITE 2", "REM_ACCESS_ERR 3");
    }

    /** As o2iblnd posts it: one chain with a SEND of bytes in the region that the chain registers. */
    @Test
    void aChainInvalidatesRegistersAndSends() throws VerbsException {
        owner.fill(PAGE, 300, 5);
        FastRegistrationRegion region = mapped(false, piece(PAGE, 300));
        far.receive(1, 0, 300);
        SendRequests chain = own.qp().newSendRequests(3);
        int brandNew = region.rkey();
        chain.get(0).localInvalidate(brandNew);
        region.registerBy(chain.get(1), RemoteKey.increment(brandNew), ACCESS);
        chain.get(2).send().id(7).signaled().sge(region, 0, 300);
        assertThat(own.qp().postSend(chain, 3)).isEqualTo(3);
        lab.settle();
        assertThat(own.sends()).containsExactly("SEND 7");
        assertThat(far.receives()).containsExactly("RECV 1 of 300 bytes");
        assertThat(far.node().bytes(0, 300)).isEqualTo(owner.bytes(PAGE, 300));
    }

    @Test
    void piecesWithGapsAreOneRangeToThePeer() throws VerbsException {
        FastRegistrationRegion region = mapped(true, piece(5, 100), piece(2 * PAGE + 11, 77), piece(PAGE, 300));
        register(region, 1);
        farWrites(1, region.address() + 50, region.rkey(), 400);
        assertThat(far.sends()).containsExactly("RDMA_WRITE 1");
        assertThat(owner.bytes(55, 50)).isEqualTo(far.node().bytes(0, 50));
        assertThat(owner.bytes(2 * PAGE + 11, 77)).isEqualTo(far.node().bytes(50, 77));
        assertThat(owner.bytes(PAGE, 273)).isEqualTo(far.node().bytes(127, 273));
        assertThat(owner.bytes(105, 1)).containsExactly(0);
    }

    @Test
    void thePeerGivesTheRegionBackWithItsSend() throws VerbsException {
        FastRegistrationRegion region = mapped(false, piece(0, 64));
        register(region, 1);
        int key = region.rkey();
        own.receive(2, PAGE, 64);
        far.post(
                wr -> wr.sendWithInvalidate(key).id(1).signaled().sge(far.node().region(), 0, 5));
        lab.settle();
        assertThat(far.sends()).containsExactly("SEND 1");
        assertThat(own.receives()).containsExactly("RECV 2 of 5 bytes");
        farWrites(2, region.address(), key, 8);
        assertThat(far.sends()).containsExactly("REM_ACCESS_ERR 2");
    }

    @Test
    void aSendCannotInvalidateWhatWasNeverGiven() throws VerbsException {
        own.receive(1, PAGE, 64);
        far.post(wr -> wr.sendWithInvalidate(owner.region().rkey())
                .id(1)
                .sge(far.node().region(), 0, 5));
        lab.settle();
        assertThat(far.sends()).containsExactly("REM_OP_ERR 1");
        assertThat(own.receives()).hasSize(1).first().asString().doesNotContain("RECEIVE");
    }

    @Test
    void registeringWhatIsValidOrNotMappedFails() throws VerbsException {
        FastRegistrationRegion region = mapped(false, piece(0, 64));
        register(region, 1);
        register(region, 2);
        lab.settle();
        assertThat(own.sends()).containsExactly("REG_MR 1", "LOC_QP_OP_ERR 2");
        Endpoint other = owner.endpoint();
        other.connect(far.node().endpoint(), Connection.USUAL);
        FastRegistrationRegion unmapped = fast.allocate(owner.domain(), 1, false);
        other.post(wr -> unmapped.registerBy(wr, unmapped.rkey(), ACCESS).id(3));
        lab.settle();
        assertThat(other.sends()).containsExactly("LOC_QP_OP_ERR 3");
        MemoryRegion plain = owner.region();
        assertThat(plain).isNotInstanceOf(FastRegistrationRegion.class);
    }

    @Test
    void aFreeRegionServesNoLocalRequest() throws VerbsException {
        FastRegistrationRegion region = mapped(false, piece(0, 64));
        own.post(wr -> wr.send().id(1).sge(region, 0, 8));
        lab.settle();
        assertThat(own.sends()).containsExactly("LOC_PROT_ERR 1");
        assertThat(own.post(wr -> wr.send().inline().sge(region, 0, 8))).isEqualTo(PostRefusal.FOREIGN_OBJECT);
    }

    @Test
    void memoryStaysWhileItIsValidThoughOtherWasMapped() throws VerbsException {
        VerbsArena first = owner.device().newArena();
        VerbsArena second = owner.device().newArena();
        FastRegistrationRegion region = mapped(false, first.allocatePages(PAGE));
        long start = region.address();
        register(region, 1);
        lab.settle();
        int key = region.rkey();
        region.map(List.of(second.allocatePages(PAGE)), PAGE);
        farWrites(1, start, key, 64);
        assertThat(far.sends()).containsExactly("RDMA_WRITE 1");
        assertThatThrownBy(first::close).isInstanceOf(VerbsBusyException.class);
        invalidate(key, 2);
        lab.settle();
        region.map(List.of(second.allocatePages(PAGE)), PAGE);
        first.close();
        region.close();
        second.close();
    }

    /** 512 pieces that are all the same 16 MiB. */
    @Test
    void aRegionMayBeLargerThanFourGiB() throws VerbsException {
        long size = 16L << 20;
        MemorySegment memory = owner.arena().allocatePages(size);
        FastRegistrationRegion region = fast.allocate(owner.domain(), 512, true);
        assertThat(region.map(Collections.nCopies(512, memory), PAGE)).isEqualTo(512);
        assertThat(region.length()).isEqualTo(8L << 30);
        register(region, 1);
        long far5 = (5L << 30) + size - 100;
        farWrites(1, region.address() + far5, region.rkey(), 200);
        assertThat(far.sends()).containsExactly("RDMA_WRITE 1");
        assertThat(memory.asSlice(size - 100).mismatch(far.node().memory().asSlice(0, 100)))
                .isEqualTo(-1);
        assertThat(memory.asSlice(0, 100).mismatch(far.node().memory().asSlice(100, 100)))
                .isEqualTo(-1);
        far.receive(2, PAGE, 100);
        own.post(wr -> wr.send().id(2).signaled().sge(region, far5, 100));
        lab.settle();
        assertThat(own.sends()).containsExactly("REG_MR 1", "SEND 2");
        assertThat(far.node().bytes(PAGE, 100)).isEqualTo(far.node().bytes(0, 100));
        farWrites(3, region.address() + (8L << 30) - 7, region.rkey(), 8);
        assertThat(far.sends()).containsExactly("REM_ACCESS_ERR 3");
    }
}
