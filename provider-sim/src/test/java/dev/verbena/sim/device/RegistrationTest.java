// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.sim.fixture.Connection;
import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.sim.fixture.Lab;
import dev.verbena.sim.fixture.Node;
import dev.verbena.sim.profile.DeviceProfile;
import dev.verbena.sim.profile.Quirk;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.CapabilityException;
import dev.verbena.verbs.DeviceAttributes;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.PostRefusal;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.VerbsArena;
import dev.verbena.verbs.VerbsBusyException;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Registration by calls: permitted memory and rights, and permitted changes. */
class RegistrationTest {
    private static final Set<AccessFlag> ALL =
            Set.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC);

    private final Lab lab = new Lab();

    @AfterEach
    void close() {
        lab.close();
    }

    private Node node(UnaryOperator<DeviceProfile> change) throws VerbsException {
        return lab.node("sim0", "10.0.0.1", change);
    }

    private Node node() throws VerbsException {
        return node(profile -> profile);
    }

    private static UnaryOperator<DeviceProfile> limits(UnaryOperator<DeviceAttributes> change) {
        return profile -> profile.toBuilder()
                .attributes(change.apply(profile.attributes()))
                .build();
    }

    private static void assertRefused(ThrowingCallable call, Errno errno, String part) {
        assertThatThrownBy(call)
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining(part)
                .satisfies(
                        thrown -> assertThat(((VerbsException) thrown).errno()).isEqualTo(errno));
    }

    @Test
    void aRegionReportsItsProperties() throws VerbsException {
        Node node = node();
        MemorySegment part = node.memory().asSlice(100, 1000);
        MemoryRegion region = node.domain().registerMemory(part, ALL);
        assertThat(region.protectionDomain()).isSameAs(node.domain());
        assertThat(region.address()).isEqualTo(part.address());
        assertThat(region.length()).isEqualTo(1000);
        assertThat(region.access()).isEqualTo(ALL);
        assertThat(region.lkey()).isEqualTo(region.rkey());
        assertThat(node.domain().registerMemory(part, ALL).rkey() >>> 8).isEqualTo((region.rkey() >>> 8) + 1);
    }

    @Test
    void refusesMemoryThatItCannotKeepAlive() throws VerbsException {
        Node node = node();
        ProtectionDomain domain = node.domain();
        assertRefused(
                () -> domain.registerMemory(MemorySegment.ofArray(new byte[9]), ALL), Errno.EINVAL, "heap memory of 9");
        try (Arena foreign = Arena.ofShared()) {
            assertRefused(() -> domain.registerMemory(foreign.allocate(9), ALL), Errno.EINVAL, "Device.newArena()");
        }
        assertRefused(() -> domain.registerMemory(node.memory().asSlice(5, 0), ALL), Errno.EINVAL, "at least 1 byte");
        assertRefused(() -> domain.registerMemory(node.memory().asReadOnly(), ALL), Errno.EINVAL, "read-only");
        assertThat(domain.registerMemory(node.memory().asReadOnly()).length()).isEqualTo(Node.MEMORY);
    }

    @Test
    void refusesRightsThatDoNotGoTogetherOrAreNotThere() throws VerbsException {
        Node node = node(profile -> profile.toBuilder()
                .without(Capability.ZERO_BASED_MR, Capability.FLUSH, Capability.MW_TYPE_1, Capability.MW_TYPE_2B)
                .build());
        for (AccessFlag flag : Set.of(AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_ATOMIC)) {
            assertRefused(() -> node.domain().registerMemory(node.memory(), flag), Errno.EINVAL, "need LOCAL_WRITE");
        }
        for (AccessFlag flag : Set.of(
                AccessFlag.ZERO_BASED, AccessFlag.FLUSH_GLOBAL, AccessFlag.FLUSH_PERSISTENT, AccessFlag.MW_BIND)) {
            assertRefused(
                    () -> node.domain().registerMemory(node.memory(), flag),
                    Errno.EOPNOTSUPP,
                    "does not support access flags [" + flag);
        }
        assertThat(node.domain()
                        .registerMemory(node.memory(), AccessFlag.RELAXED_ORDERING)
                        .access())
                .containsExactly(AccessFlag.RELAXED_ORDERING);
    }

    @Test
    void memoryIsNotPersistent() throws VerbsException {
        Node node = node(profile -> profile.toBuilder().with(Capability.FLUSH).build());
        assertRefused(
                () -> node.domain().registerMemory(node.memory(), AccessFlag.FLUSH_PERSISTENT),
                Errno.EINVAL,
                "persistent memory");
        assertThat(node.domain()
                        .registerMemory(node.memory(), AccessFlag.FLUSH_GLOBAL)
                        .length())
                .isEqualTo(Node.MEMORY);
    }

    @Test
    void theLargestRegionIsTakenAndOneByteMoreRefused() throws VerbsException {
        Node node = lab.node(
                "sim0",
                "10.0.0.1",
                limits(all -> all.toBuilder().maxMrSize(Node.MEMORY).build()));
        VerbsArena arena = node.arena();
        MemorySegment memory = arena.allocate(Node.MEMORY + 1);
        assertRefused(() -> node.domain().registerMemory(memory, ALL), Errno.EINVAL, "1048577 bytes exceed the limit");
        assertThat(node.domain().registerMemory(memory.asSlice(1), ALL).length())
                .isEqualTo(Node.MEMORY);
    }

    @Test
    void asManyRegionsAsTheDeviceHasAndNotOneMore() throws VerbsException {
        Node node = node(limits(all -> all.toBuilder().maxMr(3).build()));
        MemoryRegion second = node.domain().registerMemory(node.memory(), ALL);
        node.domain().registerMemory(node.memory(), ALL);
        assertRefused(() -> node.domain().registerMemory(node.memory(), ALL), Errno.ENOMEM, "all 3 memory regions");
        second.close();
        node.domain().registerMemory(node.memory(), ALL);
    }

    @ParameterizedTest
    @ValueSource(longs = {4096, 65_536})
    void anAddressKeepsTheOffsetInAPageOfTheSystemWhereTheDeviceAsksForIt(long pageSize) throws VerbsException {
        Node paging = node(profile -> profile.toBuilder()
                .attributes(profile.attributes().toBuilder()
                        .systemPageSize(pageSize)
                        .build())
                .with(Quirk.IOVA_KEEPS_PAGE_OFFSET)
                .build());
        VerbsArena arena = paging.arena();
        MemorySegment pages = arena.allocatePages(2 * pageSize);
        assertThat(arena.pageSize()).isEqualTo(pageSize);
        assertThat(pages.address() % pageSize).isZero();
        long[] offsets = {0, 1, 4096 % pageSize, pageSize - 1};
        for (long offset : offsets) {
            MemorySegment memory = pages.asSlice(offset, pageSize);
            try (MemoryRegion region = paging.domain().registerMemory(memory, (1L << 32) + offset, ALL)) {
                assertThat(region.address()).isEqualTo((1L << 32) + offset);
            }
            assertRefused(
                    () -> paging.domain().registerMemory(memory, (1L << 32) + offset + pageSize / 2, ALL),
                    Errno.EINVAL,
                    "offsets");
        }
    }

    @Test
    void anyAddressCanBeChosenUnlessTheDeviceMapsPages() throws VerbsException {
        Node node = node();
        assertThat(node.domain().registerMemory(node.memory(), -7, ALL).address())
                .isEqualTo(-7);
        Node paging = lab.node(
                "sim1",
                "10.0.0.2",
                profile ->
                        profile.toBuilder().with(Quirk.IOVA_KEEPS_PAGE_OFFSET).build());
        assertRefused(
                () -> paging.domain().registerMemory(paging.memory(), 0x7000_0001L, ALL), Errno.EINVAL, "offsets");
        MemorySegment odd = paging.memory().asSlice(1);
        assertThat(paging.domain().registerMemory(odd, 0x7000_0001L, ALL).address())
                .isEqualTo(0x7000_0001L);
        // The node's own memory is registered at an address.
        assertThatThrownBy(() -> lab.node(
                        "sim2",
                        "10.0.0.3",
                        profile ->
                                profile.toBuilder().without(Capability.IOVA_MR).build()))
                .isInstanceOf(CapabilityException.class);
    }

    @Test
    void aZeroBasedRegionStartsAtZero() throws VerbsException {
        Node left = node();
        Node right = lab.node("sim1", "10.0.0.2");
        Set<AccessFlag> zeroBased = Set.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.ZERO_BASED);
        MemoryRegion target = right.domain().registerMemory(right.memory().asSlice(64), zeroBased);
        assertThat(target.address()).isZero();
        assertRefused(
                () -> right.domain().registerMemory(right.memory(), 4096, zeroBased), Errno.EINVAL, "starts at 0");

        Endpoint from = left.endpoint();
        Endpoint to = right.endpoint();
        from.connect(to, Connection.USUAL);
        left.fill(0, 300, 1);
        MemoryRegion source = left.domain().registerMemory(left.memory(), Set.of(AccessFlag.ZERO_BASED));
        from.post(wr -> wr.rdmaWrite(10, target.rkey()).id(1).signaled().sge(source, 0, 300));
        lab.settle();
        assertThat(from.sends()).containsExactly("RDMA_WRITE 1");
        assertThat(right.bytes(74, 300)).isEqualTo(left.bytes(0, 300));
        from.post(wr -> wr.rdmaWrite(target.length() - 299, target.rkey()).id(2).sge(source, 0, 300));
        lab.settle();
        assertThat(from.sends()).containsExactly("REM_ACCESS_ERR 2");
    }

    @Test
    void reregistrationChangesWhatIsAskedAndKeepsTheRest() throws VerbsException {
        Node node = node();
        MemoryRegion region = node.domain().registerMemory(node.memory().asSlice(0, 100), 0x5000, ALL);
        int key = region.rkey();
        region.reregister(null, null, Set.of(AccessFlag.LOCAL_WRITE));
        assertThat(region.access()).containsExactly(AccessFlag.LOCAL_WRITE);
        assertThat(region.address()).isEqualTo(0x5000);
        assertThat(region.length()).isEqualTo(100);

        MemorySegment other = node.memory().asSlice(4096, 200);
        region.reregister(null, other, null);
        assertThat(region.address()).isEqualTo(other.address());
        assertThat(region.length()).isEqualTo(200);
        assertThat(region.access()).containsExactly(AccessFlag.LOCAL_WRITE);

        ProtectionDomain domain = node.device().allocatePd();
        region.reregister(domain, null, Set.of(AccessFlag.ZERO_BASED));
        assertThat(region.protectionDomain()).isSameAs(domain);
        assertThat(region.address()).isZero();
        assertThat(region.rkey()).isEqualTo(key);
        assertThatThrownBy(domain::close).hasMessageContaining("is in use by MR");
        region.reregister(node.domain(), null, Set.of());
        assertThat(region.address()).isEqualTo(other.address());
        domain.close();
    }

    @Test
    void reregistrationIsAllOrNothing() throws VerbsException {
        Node node = node();
        Node stranger = lab.node("sim1", "10.0.0.2");
        MemoryRegion region = node.domain().registerMemory(node.memory(), ALL);
        ProtectionDomain other = node.device().allocatePd();
        MemorySegment part = node.memory().asSlice(10, 10);
        assertRefused(() -> region.reregister(null, null, null), Errno.EINVAL, "no change was requested");
        assertRefused(
                () -> region.reregister(other, part, Set.of(AccessFlag.REMOTE_WRITE)), Errno.EINVAL, "LOCAL_WRITE");
        assertRefused(() -> region.reregister(other, MemorySegment.ofArray(new byte[1]), ALL), Errno.EINVAL, "heap");
        assertRefused(() -> region.reregister(stranger.domain(), part, ALL), Errno.EINVAL, "not one of device sim0");
        assertRefused(
                () -> region.reregister(other, part, Set.of(AccessFlag.FLUSH_PERSISTENT)),
                Errno.EINVAL,
                "FLUSH_PERSISTENT");
        assertRefused(() -> region.reregister(other, part.asReadOnly(), null), Errno.EINVAL, "read-only");
        ProtectionDomain closed = node.device().allocatePd();
        closed.close();
        assertRefused(() -> region.reregister(closed, part, Set.of()), Errno.EINVAL, "is closed");
        assertThat(region.protectionDomain()).isSameAs(node.domain());
        assertThat(region.length()).isEqualTo(Node.MEMORY);
        assertThat(region.access()).isEqualTo(ALL);
        other.close();
        region.close();
        assertRefused(() -> region.reregister(null, part, null), Errno.EINVAL, "is closed");
    }

    @Test
    void reregistrationMovesTheHoldOnArenas() throws VerbsException {
        Node node = node();
        VerbsArena first = node.device().newArena();
        VerbsArena second = node.device().newArena();
        MemoryRegion region = node.domain().registerMemory(first.allocate(100), ALL);
        region.reregister(null, second.allocate(100), null);
        first.close();
        assertThatThrownBy(second::close).isInstanceOf(VerbsBusyException.class);
        region.close();
        second.close();
    }

    @Test
    void withoutTheCapabilityNothingIsReregistered() throws VerbsException {
        Node node = node(
                profile -> profile.toBuilder().without(Capability.REREGISTER_MR).build());
        assertThatThrownBy(() -> node.region().reregister(null, null, ALL))
                .isInstanceOf(CapabilityException.class)
                .hasMessageContaining("changing a registered region");
    }

    @Test
    void requestsOfBeforeAReregistrationSeeTheNewRights() throws VerbsException {
        Node left = node();
        Node right = lab.node("sim1", "10.0.0.2");
        Endpoint from = left.endpoint();
        Endpoint to = right.endpoint();
        from.connect(to, Connection.USUAL);
        MemoryRegion region = right.domain().registerMemory(right.memory(), 0, ALL);
        assertThat(from.post(
                        wr -> wr.rdmaWrite(0, region.rkey()).id(1).signaled().sge(left.region(), 0, 8)))
                .isEqualTo(PostRefusal.NONE);
        lab.settle();
        region.reregister(null, null, Set.of(AccessFlag.LOCAL_WRITE));
        from.post(wr -> wr.rdmaWrite(0, region.rkey()).id(2).signaled().sge(left.region(), 0, 8));
        lab.settle();
        assertThat(from.sends()).containsExactly("RDMA_WRITE 1", "REM_ACCESS_ERR 2");
    }
}
