// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.sim.fixture.Connection;
import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.sim.fixture.Lab;
import dev.verbena.sim.fixture.Node;
import dev.verbena.sim.fixture.ScriptedPeer;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.CapabilityException;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.MemoryWindowBinding;
import dev.verbena.verbs.MemoryWindowType;
import dev.verbena.verbs.PostRefusal;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.RemoteKey;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.Opcode;
import java.lang.foreign.MemorySegment;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Windows as applications use them: bound on one side, used from the other. */
class WindowTest {
    private static final Set<AccessFlag> BINDABLE = Set.of(AccessFlag.LOCAL_WRITE, AccessFlag.MW_BIND);
    private static final Set<AccessFlag> WRITE = Set.of(AccessFlag.REMOTE_WRITE);

    private final Lab lab = new Lab();
    private Node owner;
    private Endpoint own;
    private Endpoint far;
    private MemoryRegion region;

    @BeforeEach
    void connect() throws VerbsException {
        owner = lab.node("sim0", "10.0.0.1");
        Node peer = lab.node("sim1", "10.0.0.2");
        own = owner.endpoint();
        far = peer.endpoint();
        own.connect(far, Connection.USUAL);
        region = owner.domain().registerMemory(owner.memory(), 0, BINDABLE);
        peer.fill(0, 4096, 9);
    }

    @AfterEach
    void close() {
        lab.close();
    }

    private MemoryWindow window(MemoryWindowType type) throws VerbsException {
        return owner.domain().allocateMw(type);
    }

    private MemoryWindowBinding binding(long offset, long length) {
        return new MemoryWindowBinding(region, offset, length, WRITE);
    }

    private void farWrites(long id, long address, int rkey, int length) {
        assertThat(far.post(wr -> wr.rdmaWrite(address, rkey)
                        .id(id)
                        .signaled()
                        .sge(far.node().region(), 0, length)))
                .isEqualTo(PostRefusal.NONE);
        lab.settle();
    }

    private static void assertRefused(ThrowingCallable call, Errno errno, String part) {
        assertThatThrownBy(call)
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining(part)
                .satisfies(
                        thrown -> assertThat(((VerbsException) thrown).errno()).isEqualTo(errno));
    }

    @Test
    void typeOneIsBoundByACallAndItsKeyIsNewAtOnce() throws VerbsException {
        MemoryWindow window = window(MemoryWindowType.TYPE_1);
        assertThat(window.type()).isEqualTo(MemoryWindowType.TYPE_1);
        int former = window.rkey();
        own.qp().bindMemoryWindow(window, binding(1000, 100), 7);
        assertThat(window.rkey()).isEqualTo(RemoteKey.increment(former));
        lab.settle();
        assertThat(own.sends()).containsExactly("BIND_MW 7");
        farWrites(1, 1000, window.rkey(), 100);
        assertThat(far.sends()).containsExactly("RDMA_WRITE 1");
        assertThat(owner.bytes(1000, 100)).isEqualTo(far.node().bytes(0, 100));
        farWrites(2, 1000, window.rkey(), 101);
        assertThat(far.sends()).containsExactly("REM_ACCESS_ERR 2");
        assertThat(owner.bytes(1100, 1)).containsExactly(0);
    }

    @Test
    void aBindTakesNoEntryNotEvenAnEmptyOne() throws VerbsException {
        MemoryWindow window = window(MemoryWindowType.TYPE_2);
        int key = RemoteKey.increment(window.rkey());
        assertThat(own.post(wr -> wr.bindMemoryWindow(window, key, binding(0, 100))
                        .id(1)
                        .signaled()
                        .sge(region, 0, 0)))
                .isEqualTo(PostRefusal.TOO_MANY_SGES);
        assertThat(own.post(wr ->
                        wr.bindMemoryWindow(window, key, binding(0, 100)).id(2).signaled()))
                .isEqualTo(PostRefusal.NONE);
        lab.settle();
        assertThat(own.sends()).containsExactly("BIND_MW 2");
    }

    @Test
    void anotherQueuePairOfTheDomainUsesAWindowOfTypeOneButNotOneOfTypeTwo() throws VerbsException {
        Endpoint other = owner.endpoint();
        Endpoint otherFar = far.node().endpoint();
        other.connect(otherFar, Connection.USUAL);
        MemoryWindow first = window(MemoryWindowType.TYPE_1);
        MemoryWindow second = window(MemoryWindowType.TYPE_2);
        int key = RemoteKey.increment(second.rkey());
        own.qp().bindMemoryWindow(first, binding(0, 100), 1);
        own.post(wr -> wr.bindMemoryWindow(second, key, binding(0, 100)).id(2));
        lab.settle();
        otherFar.post(wr ->
                wr.rdmaWrite(0, first.rkey()).id(1).signaled().sge(far.node().region(), 0, 8));
        otherFar.post(wr -> wr.rdmaWrite(0, key).id(2).signaled().sge(far.node().region(), 0, 8));
        lab.settle();
        assertThat(otherFar.sends()).containsExactly("RDMA_WRITE 1", "REM_ACCESS_ERR 2");
        farWrites(3, 0, key, 8);
        assertThat(far.sends()).containsExactly("RDMA_WRITE 3");
    }

    @Test
    void aLengthOfZeroUnbindsTypeOne() throws VerbsException {
        MemoryWindow window = window(MemoryWindowType.TYPE_1);
        own.qp().bindMemoryWindow(window, binding(0, 100), 1);
        lab.settle();
        assertRefused(region::close, Errno.EBUSY, "1 memory windows are bound to MR");
        assertRefused(() -> region.reregister(null, null, BINDABLE), Errno.EBUSY, "1 memory windows");
        own.qp().bindMemoryWindow(window, binding(0, 0), 2);
        lab.settle();
        assertThat(own.sends()).containsExactly("BIND_MW 1", "BIND_MW 2");
        region.reregister(null, null, BINDABLE);
        region.close();
        farWrites(1, 0, window.rkey(), 8);
        assertThat(far.sends()).containsExactly("REM_ACCESS_ERR 1");
    }

    @Test
    void theCallRefusesInvalidBindsAndKeepsTheKey() throws VerbsException {
        MemoryWindow one = window(MemoryWindowType.TYPE_1);
        MemoryWindow two = window(MemoryWindowType.TYPE_2);
        int key = one.rkey();
        assertRefused(() -> own.qp().bindMemoryWindow(two, binding(0, 8), 1), Errno.EINVAL, "is of type 2");
        MemoryRegion plain = owner.domain().registerMemory(owner.memory(), AccessFlag.LOCAL_WRITE);
        assertRefused(
                () -> own.qp().bindMemoryWindow(one, new MemoryWindowBinding(plain, 0, 8, WRITE), 1),
                Errno.EINVAL,
                "without MW_BIND");
        ProtectionDomain other = owner.device().allocatePd();
        MemoryRegion elsewhere = other.registerMemory(owner.memory(), BINDABLE);
        assertRefused(
                () -> own.qp().bindMemoryWindow(one, new MemoryWindowBinding(elsewhere, 0, 8, WRITE), 1),
                Errno.EINVAL,
                "not of the domain");
        MemoryWindow foreign = other.allocateMw(MemoryWindowType.TYPE_1);
        assertRefused(() -> own.qp().bindMemoryWindow(foreign, binding(0, 8), 1), Errno.EINVAL, "of the domain of QP");
        Endpoint idle = owner.endpoint();
        assertRefused(() -> idle.qp().bindMemoryWindow(one, binding(0, 8), 1), Errno.EINVAL, "was not posted");
        assertThat(one.rkey()).isEqualTo(key);
        one.close();
        assertRefused(() -> own.qp().bindMemoryWindow(one, binding(0, 8), 1), Errno.EINVAL, "not an open window");
        assertThat(own.state()).isEqualTo(QpState.RTS);
    }

    @Test
    void aFullQueueRefusesTheBind() throws VerbsException {
        Endpoint small = owner.endpoint(new QpCapabilities(1, 1, 1, 1, 0));
        ScriptedPeer hand = lab.scriptedPeer("10.0.0.9");
        small.connect(hand, Connection.USUAL);
        MemoryWindow window = window(MemoryWindowType.TYPE_1);
        for (PostRefusal refusal = PostRefusal.NONE; refusal == PostRefusal.NONE; ) {
            refusal = small.send(1, 0, 8);
        }
        int key = window.rkey();
        assertRefused(() -> small.qp().bindMemoryWindow(window, binding(0, 8), 1), Errno.ENOMEM, "queue is full");
        assertThat(window.rkey()).isEqualTo(key);
    }

    @Test
    void aBindThatTheDeviceRefusesFailsTheQueuePair() throws VerbsException {
        MemoryWindow window = window(MemoryWindowType.TYPE_1);
        own.qp().bindMemoryWindow(window, binding(Node.MEMORY - 8, 9), 5);
        lab.settle();
        assertThat(own.sends()).containsExactly("MW_BIND_ERR 5");
        assertThat(own.state()).isEqualTo(QpState.ERR);
        own.qp().bindMemoryWindow(window, binding(0, 8), 6);
        lab.settle();
        assertThat(own.sends()).containsExactly("WR_FLUSH_ERR 6");
        // Both binds used a key; the window can be bound nevertheless.
        Endpoint other = owner.endpoint();
        other.connect(far.node().endpoint(), Connection.USUAL);
        other.qp().bindMemoryWindow(window, binding(0, 8), 7);
        lab.settle();
        assertThat(other.sends()).containsExactly("BIND_MW 7");
    }

    @Test
    void typeTwoIsBoundByARequestWithAKeyOfTheConsumersChoice() throws VerbsException {
        MemoryWindow window = window(MemoryWindowType.TYPE_2);
        int key = window.rkey() ^ 0x5A;
        own.post(wr -> wr.bindMemoryWindow(window, key, binding(64, 64)).id(1).signaled());
        lab.settle();
        assertThat(own.sends()).containsExactly("BIND_MW 1");
        assertThat(window.rkey()).isEqualTo(key);
        farWrites(1, 64, key, 64);
        own.post(wr -> wr.localInvalidate(key).id(2).signaled());
        lab.settle();
        assertThat(own.sends()).containsExactly("LOCAL_INV 2");
        region.close();
        farWrites(2, 64, key, 64);
        assertThat(far.sends()).containsExactly("RDMA_WRITE 1", "REM_ACCESS_ERR 2");
    }

    @Test
    void thePeerGivesBackAWindowOfTypeTwo() throws VerbsException {
        MemoryWindow window = window(MemoryWindowType.TYPE_2);
        int key = RemoteKey.increment(window.rkey());
        own.post(wr -> wr.bindMemoryWindow(window, key, binding(64, 64)).id(1));
        own.receive(3, 0, 64);
        farWrites(1, 64, key, 64);
        far.post(
                wr -> wr.sendWithInvalidate(key).id(2).signaled().sge(far.node().region(), 0, 10));
        lab.settle();
        assertThat(far.sends()).containsExactly("RDMA_WRITE 1", "SEND 2");
        assertThat(own.receives()).containsExactly("RECV 3 of 10 bytes");
        farWrites(4, 64, key, 64);
        assertThat(far.sends()).containsExactly("REM_ACCESS_ERR 4");
        region.close();
    }

    @Test
    void aWindowOfTypeOneIsNotInvalidated() throws VerbsException {
        MemoryWindow window = window(MemoryWindowType.TYPE_1);
        own.qp().bindMemoryWindow(window, binding(0, 8), 1);
        lab.settle();
        own.post(wr -> wr.localInvalidate(window.rkey()).id(2));
        lab.settle();
        assertThat(own.sends()).containsExactly("BIND_MW 1", "LOC_QP_OP_ERR 2");
    }

    @Test
    void requestsForTheWrongKindOrDeviceAreNotTaken() throws VerbsException {
        MemoryWindow one = window(MemoryWindowType.TYPE_1);
        assertThat(own.post(wr -> wr.bindMemoryWindow(one, one.rkey(), binding(0, 8))))
                .isEqualTo(PostRefusal.FOREIGN_OBJECT);
        MemoryWindow foreign = far.node().domain().allocateMw(MemoryWindowType.TYPE_2);
        assertThat(own.post(wr -> wr.bindMemoryWindow(foreign, foreign.rkey(), binding(0, 8))))
                .isEqualTo(PostRefusal.FOREIGN_OBJECT);
        MemoryWindow closed = window(MemoryWindowType.TYPE_2);
        closed.close();
        assertThat(own.post(wr -> wr.bindMemoryWindow(closed, closed.rkey(), binding(0, 8))))
                .isEqualTo(PostRefusal.FOREIGN_OBJECT);
    }

    /** Two packets of a WRITE arrive; between them the window is invalidated. */
    @Test
    void aWriteIsRefusedFromThePacketOnBeforeWhichItsWindowWasInvalidated() throws VerbsException {
        ScriptedPeer hand = lab.scriptedPeer("10.0.0.9");
        Endpoint end = owner.endpoint();
        end.connect(hand, Connection.USUAL);
        MemoryWindow window = window(MemoryWindowType.TYPE_2);
        int key = RemoteKey.increment(window.rkey());
        end.post(wr -> wr.bindMemoryWindow(window, key, binding(0, 512)).id(1));
        hand.sends(
                Opcode.RC_RDMA_WRITE_FIRST,
                100,
                256,
                packet -> packet.reth().virtualAddress(0).remoteKey(key).dmaLength(512));
        lab.settle();
        end.post(wr -> wr.localInvalidate(key).id(2).signaled());
        lab.settle();
        assertThat(end.sends()).containsExactly("LOCAL_INV 2");
        owner.memory().fill((byte) 0x33);
        hand.sends(Opcode.RC_RDMA_WRITE_LAST, 101, 256, packet -> {});
        lab.settle();
        assertThat(owner.bytes(0, 1024)).containsOnly(0x33);
        assertThat(hand.received()).anyMatch(text -> text.contains("NAK"));
        assertThat(end.state()).isEqualTo(QpState.ERR);
    }

    @Test
    void closingABoundWindowUnbindsIt() throws VerbsException {
        MemoryWindow window = window(MemoryWindowType.TYPE_2);
        int key = RemoteKey.increment(window.rkey());
        own.post(wr -> wr.bindMemoryWindow(window, key, binding(64, 64)).id(1));
        lab.settle();
        window.close();
        window.close();
        region.close();
        farWrites(1, 64, key, 64);
        assertThat(far.sends()).containsExactly("REM_ACCESS_ERR 1");
    }

    @Test
    void asManyWindowsAsTheDeviceHasAndAnOpenOneKeepsItsDomain() throws VerbsException {
        Node small = lab.node(
                "sim2",
                "10.0.0.3",
                profile -> profile.toBuilder()
                        .attributes(profile.attributes().toBuilder().maxMw(2).build())
                        .without(Capability.MW_TYPE_2B)
                        .build());
        ProtectionDomain domain = small.device().allocatePd();
        MemoryWindow window = domain.allocateMw(MemoryWindowType.TYPE_1);
        MemoryWindow second = domain.allocateMw(MemoryWindowType.TYPE_1);
        assertRefused(() -> domain.allocateMw(MemoryWindowType.TYPE_1), Errno.ENOMEM, "all 2 memory windows");
        assertThatThrownBy(() -> domain.allocateMw(MemoryWindowType.TYPE_2)).isInstanceOf(CapabilityException.class);
        window.close();
        assertRefused(domain::close, Errno.EBUSY, "is in use by MW");
        second.close();
        domain.close();
    }

    @Test
    void memoryBeyondTheWindowIsNotTouchedByAZeroBasedOne() throws VerbsException {
        MemoryWindow window = window(MemoryWindowType.TYPE_2);
        int key = RemoteKey.increment(window.rkey());
        MemoryWindowBinding zeroBased =
                new MemoryWindowBinding(region, 4096, 100, Set.of(AccessFlag.REMOTE_WRITE, AccessFlag.ZERO_BASED));
        own.post(wr -> wr.bindMemoryWindow(window, key, zeroBased).id(1));
        farWrites(1, 90, key, 10);
        MemorySegment written = owner.memory().asSlice(4096 + 90, 10);
        assertThat(written.mismatch(far.node().memory().asSlice(0, 10))).isEqualTo(-1);
        farWrites(2, 91, key, 10);
        assertThat(far.sends()).containsExactly("RDMA_WRITE 1", "REM_ACCESS_ERR 2");
    }
}
