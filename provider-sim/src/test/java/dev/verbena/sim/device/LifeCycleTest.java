// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.fixture.Connection;
import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.sim.fixture.Node;
import dev.verbena.sim.fixture.OneDevice;
import dev.verbena.sim.fixture.ScriptedPeer;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CqInitAttributes;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.VerbsArena;
import dev.verbena.verbs.VerbsBusyException;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.Opcode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Creation and closing of objects, in permitted and other orders. */
class LifeCycleTest extends OneDevice {

    private static void assertRefused(Errno errno, String message, ThrowingCallable call) {
        VerbsException refusal = catchThrowableOfType(VerbsException.class, call);
        assertThat(refusal).isNotNull();
        assertThat(refusal.errno()).isEqualTo(errno);
        assertThat(refusal).hasMessageContaining(message);
    }

    @Test
    void anObjectInUseCannotBeClosedAndTheErrorNamesItsUser() throws VerbsException {
        Device device = node.simDevice().open();
        ProtectionDomain domain = device.allocatePd();
        CompletionQueue sends = cq(device);
        CompletionQueue receives = cq(device);
        VerbsArena arena = device.newArena();
        MemoryRegion region = domain.registerMemory(arena.allocate(100));
        QueuePair queuePair = domain.createQp(attributes(sends, receives));
        String qp = "QP " + queuePair.number();
        assertRefused(Errno.EBUSY, qp, sends::close);
        assertRefused(Errno.EBUSY, qp, receives::close);
        assertRefused(Errno.EBUSY, qp, domain::close);
        assertRefused(Errno.EBUSY, "MR 0x" + Integer.toHexString(region.lkey()), domain::close);
        assertRefused(Errno.EBUSY, "PD of sim0", device::close);
        assertThatThrownBy(arena::close)
                .isInstanceOf(VerbsBusyException.class)
                .hasMessageContaining("MR 0x" + Integer.toHexString(region.lkey()));
        // The refusals have closed no object.
        assertThat(sends.poll(sends.newCompletions(1))).isZero();
        queuePair.close();
        sends.close();
        receives.close();
        assertRefused(Errno.EBUSY, "MR 0x", domain::close);
        region.close();
        domain.close();
        assertRefused(Errno.EBUSY, "arena of sim0", device::close);
        arena.close();
        device.close();
    }

    @Test
    void closingTwiceIsClosingOnce() throws VerbsException {
        Endpoint endpoint = node.endpoint();
        for (int time = 0; time < 2; time++) {
            endpoint.qp().close();
            endpoint.qp().sendCq().close();
            endpoint.qp().receiveCq().close();
            node.region().close();
            node.domain().close();
            node.arena().close();
            node.device().close();
        }
        assertThat(node.device().name()).isEqualTo("sim0");
    }

    @Test
    void aClosedDeviceDoesNothingMore() throws VerbsException {
        Device device = node.simDevice().open();
        device.close();
        assertThatIllegalStateException().isThrownBy(device::allocatePd).withMessageContaining("sim0 is closed");
        assertThatIllegalStateException().isThrownBy(device::newArena);
        assertThatIllegalStateException().isThrownBy(() -> cq(device));
        assertThatIllegalStateException().isThrownBy(device::attributes);
        assertThatIllegalStateException().isThrownBy(device::runtime);
        assertThatIllegalStateException().isThrownBy(() -> device.queryPort(1));
        // Another opening of the device stays open.
        assertThat(node.device().attributes()).isNotNull();
    }

    @Test
    void aClosedDomainMakesNothingMore() throws VerbsException {
        ProtectionDomain domain = node.device().allocatePd();
        domain.close();
        assertRefused(Errno.EINVAL, "closed", () -> domain.registerMemory(node.memory()));
        assertRefused(Errno.EINVAL, "closed", () -> domain.createQp(attributes(node.newCq(), node.newCq())));
    }

    @Test
    void aQueuePairNeedsOpenQueuesOfItsDevice() throws VerbsException {
        CompletionQueue closed = node.newCq();
        closed.close();
        assertRefused(Errno.EINVAL, "closed", () -> node.domain().createQp(attributes(node.newCq(), closed)));
        Node other = lab.node("sim1", "192.0.2.2");
        assertRefused(Errno.EINVAL, "sendCq", () -> node.domain().createQp(attributes(other.newCq(), node.newCq())));
        // The refused queue pair holds no object.
        node.region().close();
        node.domain().close();
    }

    @Test
    void theLimitsOfTheDeviceHold() throws VerbsException {
        int wr = node.device().attributes().maxQpWr();
        assertRefused(Errno.EINVAL, "maxSendWr", () -> node.endpoint(QpCapabilities.of(wr + 1, 1)));
        assertRefused(Errno.EINVAL, "maxReceiveWr", () -> node.endpoint(QpCapabilities.of(1, wr + 1)));
        assertRefused(Errno.EINVAL, "maxSendSge", () -> node.endpoint(new QpCapabilities(1, 1, 33, 1, 0)));
        assertRefused(Errno.EINVAL, "maxReceiveSge", () -> node.endpoint(new QpCapabilities(1, 1, 1, 33, 0)));
        assertRefused(Errno.EINVAL, "maxInlineData", () -> node.endpoint(new QpCapabilities(1, 1, 1, 1, 513)));
        assertThat(node.endpoint(new QpCapabilities(1, 1, 32, 32, 512)).qp().capabilities())
                .isEqualTo(new QpCapabilities(1, 1, 32, 32, 512));
        int cqe = node.device().attributes().maxCqe();
        assertRefused(Errno.EINVAL, "capacity", () -> node.newCq(cqe + 1));
        assertThat(node.newCq(cqe).capacity()).isEqualTo(cqe);
        assertThat(node.newCq(5).capacity()).isEqualTo(7);
    }

    @Test
    void memoryThatMayNotBeUsedIsNotRegistered() throws VerbsException {
        ProtectionDomain domain = node.domain();
        assertRefused(Errno.EINVAL, "heap memory", () -> domain.registerMemory(MemorySegment.ofArray(new byte[8])));
        try (Arena foreign = Arena.ofConfined()) {
            assertRefused(Errno.EINVAL, "newArena()", () -> domain.registerMemory(foreign.allocate(8)));
        }
        assertRefused(
                Errno.EINVAL,
                "at least 1 byte",
                () -> domain.registerMemory(node.memory().asSlice(5, 0)));
        assertRefused(Errno.EINVAL, "LOCAL_WRITE", () -> domain.registerMemory(node.memory(), AccessFlag.REMOTE_WRITE));
        assertRefused(
                Errno.EINVAL,
                "FLUSH_PERSISTENT",
                () -> domain.registerMemory(node.memory(), AccessFlag.FLUSH_PERSISTENT));
        VerbsArena arena = node.device().newArena();
        MemorySegment freed = arena.allocate(8);
        arena.close();
        assertRefused(Errno.EINVAL, "is closed", () -> domain.registerMemory(freed));
        assertThat(domain.registerMemory(node.memory(), AccessFlag.LOCAL_WRITE, AccessFlag.RELAXED_ORDERING))
                .isNotNull();
    }

    @Test
    void memoryThatCannotBeWrittenIsRegisteredForReadingOnly() throws VerbsException {
        MemorySegment readOnly = node.memory().asReadOnly();
        assertRefused(Errno.EINVAL, "read-only", () -> node.domain().registerMemory(readOnly, AccessFlag.LOCAL_WRITE));
        assertThat(node.domain().registerMemory(readOnly).length()).isEqualTo(readOnly.byteSize());
    }

    @Test
    void aRegionUnderAChosenAddressIsFoundThere() throws VerbsException {
        long iova = -16;
        MemoryRegion region = node.domain()
                .registerMemory(
                        node.memory().asSlice(100, 64), iova, Set.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE));
        assertThat(region.address()).isEqualTo(iova);
        Endpoint endpoint = node.endpoint();
        endpoint.connect(peer, Connection.USUAL);
        // Across the end of the 64-bit address space.
        peer.writes(Opcode.RC_RDMA_WRITE_ONLY, 100, 64, iova, region.rkey(), 64);
        assertThat(peer.received()).containsExactly("ACK 100 msn 1");
        assertThat(node.bytes(100, 64)).isEqualTo(ScriptedPeer.payload(64));
        assertThat(node.bytes(164, 1)).containsExactly(0);
    }

    @Test
    void closingARegionUnderTrafficFailsTheRequestsThatUseIt() throws VerbsException {
        MemoryRegion region = node.domain().registerMemory(node.memory());
        Endpoint endpoint = node.endpoint();
        endpoint.connect(peer, Connection.USUAL);
        endpoint.post(wr -> wr.send().id(1).sge(region, 0, 140 * 256));
        assertThat(peer.received()).hasSize(129);
        region.close();
        peer.acknowledges(210);
        assertThat(peer.received()).isEmpty();
        peer.acknowledges(328);
        assertThat(endpoint.sends()).containsExactly("LOC_PROT_ERR 1");
    }

    @Test
    void aClosedQueuePairIsNotFoundByPacketsAndTouchesNothing() throws VerbsException {
        Endpoint endpoint = node.endpoint();
        endpoint.connect(peer, Connection.USUAL);
        endpoint.receive(1, 0, 64);
        endpoint.send(2, 0, 5);
        peer.received();
        endpoint.qp().close();
        peer.asks(Opcode.RC_SEND_ONLY, 100, 5);
        peer.acknowledges(200);
        lab.run(Connection.USUAL.timeout().duration().multipliedBy(10));
        assertThat(peer.received()).isEmpty();
        assertThat(node.count(Counter.DROPPED_UNKNOWN_QP)).isEqualTo(2);
        assertThat(node.memory().get(ValueLayout.JAVA_BYTE, 0)).isZero();
        assertThat(endpoint.sends()).isEmpty();
        assertThat(endpoint.receives()).isEmpty();
        assertThatIllegalStateException().isThrownBy(() -> endpoint.qp().query());
        assertThatIllegalStateException().isThrownBy(() -> endpoint.qp().modify(Connection.USUAL.toInit()));
    }

    @Test
    void numbersAreNotUsedAgainSoon() throws VerbsException {
        int first = openAndClose();
        for (int i = 1; i < 2000; i++) {
            assertThat(openAndClose()).isEqualTo(first + i);
        }
    }

    private int openAndClose() throws VerbsException {
        Endpoint endpoint = node.endpoint(QpCapabilities.of(1, 1), node.newCq(1), node.newCq(1));
        endpoint.qp().close();
        endpoint.qp().sendCq().close();
        endpoint.qp().receiveCq().close();
        return endpoint.qp().number();
    }

    private static CompletionQueue cq(Device device) throws VerbsException {
        return device.createCq(CqInitAttributes.builder().capacity(7).build());
    }

    private static QpInitAttributes attributes(CompletionQueue sends, CompletionQueue receives) {
        return QpInitAttributes.builder()
                .type(QpType.RC)
                .sendCq(sends)
                .receiveCq(receives)
                .capabilities(QpCapabilities.of(3, 3))
                .build();
    }
}
