// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.sim.fixture.Connection;
import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.sim.fixture.Lab;
import dev.verbena.sim.fixture.Node;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.CapabilityException;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsArena;
import dev.verbena.verbs.VerbsBusyException;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.kernel.FastRegistration;
import dev.verbena.verbs.kernel.FastRegistrationRegion;
import dev.verbena.verbs.kernel.FmrRegion;
import dev.verbena.verbs.kernel.FmrRegistration;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The ranges that page lists can cover: fast registration with and without gaps, and FMR. */
class PageListTest {
    private static final long PAGE = 4096;
    private static final Set<AccessFlag> WRITABLE = Set.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);

    private final Lab lab = new Lab();
    private Node node;
    private Node peer;
    private FastRegistration fast;
    private FmrRegistration fmr;

    @BeforeEach
    void open() throws VerbsException {
        node = lab.node(
                "sim0",
                "10.0.0.1",
                profile -> profile.toBuilder()
                        .with(Capability.FAST_REGISTRATION, Capability.FAST_REGISTRATION_GAPS)
                        .build());
        peer = lab.node("sim1", "10.0.0.2");
        fast = node.device().extension(FastRegistration.class).orElseThrow();
        fmr = node.device().extension(FmrRegistration.class).orElseThrow();
    }

    @AfterEach
    void close() {
        lab.close();
    }

    private static void assertInvalid(ThrowingCallable call, String part) {
        assertThatThrownBy(call)
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining(part)
                .satisfies(
                        thrown -> assertThat(((VerbsException) thrown).errno()).isEqualTo(Errno.EINVAL));
    }

    private MemorySegment piece(long offset, long length) {
        return node.memory().asSlice(offset, length);
    }

    private FastRegistrationRegion allocate(int pages, boolean gaps) throws VerbsException {
        return fast.allocate(node.domain(), pages, gaps);
    }

    @Test
    void withoutGapsOnlyTheFirstStartAndTheLastEndMayBeInsideAPage() throws VerbsException {
        FastRegistrationRegion region = allocate(16, false);
        List<MemorySegment> good = List.of(piece(100, PAGE - 100), piece(3 * PAGE, PAGE), piece(2 * PAGE, 10));
        assertThat(region.map(good, PAGE)).isEqualTo(3);
        assertThat(region.address()).isEqualTo(node.memory().address() + 100);
        assertThat(region.length()).isEqualTo(2 * PAGE - 90);
        // The second piece ends inside a page.
        assertThat(region.map(List.of(piece(0, PAGE), piece(PAGE, 10), piece(2 * PAGE, 10)), PAGE))
                .isEqualTo(2);
        assertThat(region.length()).isEqualTo(PAGE + 10);
        // The second piece starts inside a page.
        assertThat(region.map(List.of(piece(0, PAGE), piece(2 * PAGE + 1, 10)), PAGE))
                .isEqualTo(1);
        // With larger pages the page boundaries differ.
        assertThat(region.map(List.of(piece(0, PAGE), piece(2 * PAGE, PAGE)), 2 * PAGE))
                .isEqualTo(1);
    }

    @Test
    void aPieceMayContinueThePreviousOne() throws VerbsException {
        FastRegistrationRegion region = allocate(2, false);
        assertThat(region.map(List.of(piece(0, 10), piece(10, PAGE), piece(PAGE + 10, 20)), PAGE))
                .isEqualTo(3);
        assertThat(region.length()).isEqualTo(PAGE + 30);
    }

    @Test
    void aMappingEndsWithTheLastPage() throws VerbsException {
        FastRegistrationRegion region = allocate(3, false);
        assertThat(region.map(List.of(piece(PAGE - 1, 2 * PAGE + 1)), PAGE)).isEqualTo(1);
        assertInvalid(() -> region.map(List.of(piece(PAGE - 1, 2 * PAGE + 2)), PAGE), "more than the region's 3 pages");
        assertThat(region.map(List.of(piece(0, 2 * PAGE), piece(4 * PAGE, PAGE), piece(8 * PAGE, 1)), PAGE))
                .isEqualTo(2);
        assertThat(region.length()).isEqualTo(3 * PAGE);
    }

    @Test
    void withGapsEachPieceIsAnEntry() throws VerbsException {
        FastRegistrationRegion region = allocate(3, true);
        assertThat(region.map(List.of(piece(7, 100), piece(PAGE + 3, 5 * PAGE), piece(1, 1), piece(2, 1)), PAGE))
                .isEqualTo(3);
        assertThat(region.length()).isEqualTo(5 * PAGE + 101);
        assertThat(region.address()).isEqualTo(node.memory().address() + 7);
    }

    @Test
    void refusesWhatCannotBeMapped() throws VerbsException {
        FastRegistrationRegion region = allocate(3, false);
        assertInvalid(() -> region.map(List.of(), PAGE), "the list of memory segments is empty");
        assertInvalid(() -> region.map(List.of(piece(0, 1)), PAGE / 2), "page size 2048");
        assertInvalid(() -> region.map(List.of(piece(0, 1)), PAGE + 1), "page size 4097");
        assertInvalid(() -> region.map(List.of(piece(0, 1)), 1L << 40), "page size");
        assertInvalid(() -> region.map(List.of(piece(0, 1), piece(0, 0)), PAGE), "at least 1 byte");
        assertInvalid(() -> region.map(List.of(MemorySegment.ofArray(new byte[1])), PAGE), "heap");
        assertInvalid(() -> region.map(List.of(piece(0, 1).asReadOnly()), PAGE), "read-only");
        assertInvalid(() -> region.reregister(null, node.memory(), null), "map it again");
        region.close();
        assertInvalid(() -> region.map(List.of(piece(0, 1)), PAGE), "is closed");
    }

    @Test
    void allocatesUpToTheDevicesPages() throws VerbsException {
        int limit = node.device().attributes().maxFastRegPageListLength();
        assertThat(limit).isEqualTo(512);
        allocate(limit, false).close();
        assertInvalid(() -> allocate(limit + 1, false), "is not in 1..512");
        assertInvalid(() -> allocate(0, false), "is not in 1..512");
        assertInvalid(() -> fast.allocate(peer.domain(), 1, false), "not one of device sim0");
        Node withoutGaps = lab.node(
                "sim2",
                "10.0.0.3",
                profile -> profile.toBuilder()
                        .with(Capability.FAST_REGISTRATION)
                        .without(Capability.FAST_REGISTRATION_GAPS, Capability.FMR)
                        .build());
        FastRegistration plain =
                withoutGaps.device().extension(FastRegistration.class).orElseThrow();
        assertThatThrownBy(() -> plain.allocate(withoutGaps.domain(), 1, true)).isInstanceOf(CapabilityException.class);
        assertThat(withoutGaps.device().extension(FmrRegistration.class)).isEmpty();
    }

    @Test
    void aMappingKeepsItsArenasOpen() throws VerbsException {
        VerbsArena first = node.device().newArena();
        VerbsArena second = node.device().newArena();
        FastRegistrationRegion region = allocate(4, true);
        region.map(List.of(first.allocate(10), second.allocate(10)), PAGE);
        assertThatThrownBy(first::close).isInstanceOf(VerbsBusyException.class).hasMessageContaining("MR 0x");
        region.map(List.of(second.allocate(10)), PAGE);
        first.close();
        assertThatThrownBy(second::close).isInstanceOf(VerbsBusyException.class);
        region.close();
        second.close();
    }

    private List<MemorySegment> pages(int... numbers) {
        List<MemorySegment> list = new ArrayList<>();
        for (int number : numbers) {
            list.add(piece(number * PAGE, PAGE));
        }
        return list;
    }

    @Test
    void anFmrMapsPagesInAnyOrderUnderAnyPageAddress() throws VerbsException {
        FmrRegion region = fmr.allocate(node.domain(), 4, WRITABLE);
        region.map(pages(5, 2, 9), 0x10_0000);
        assertThat(region.address()).isEqualTo(0x10_0000);
        assertThat(region.length()).isEqualTo(3 * PAGE);
        assertThat(region.access()).isEqualTo(WRITABLE);
        Endpoint from = peer.endpoint();
        Endpoint to = node.endpoint();
        from.connect(to, Connection.USUAL);
        peer.fill(0, PAGE + 100, 3);
        int key = region.rkey();
        from.post(
                wr -> wr.rdmaWrite(0x10_0000 + PAGE - 50, key).id(1).signaled().sge(peer.region(), 0, PAGE + 100));
        lab.settle();
        assertThat(from.sends()).containsExactly("RDMA_WRITE 1");
        assertThat(node.bytes(6 * PAGE - 50, 50)).isEqualTo(peer.bytes(0, 50));
        assertThat(node.bytes(2 * PAGE, PAGE)).isEqualTo(peer.bytes(50, PAGE));
        assertThat(node.bytes(9 * PAGE, 50)).isEqualTo(peer.bytes(PAGE + 50, 50));

        region.map(pages(1), 0x10_0000);
        assertThat(region.rkey()).isNotEqualTo(key);
        from.post(wr -> wr.rdmaWrite(0x10_0000, key).id(2).signaled().sge(peer.region(), 0, 8));
        lab.settle();
        assertThat(from.sends()).containsExactly("REM_ACCESS_ERR 2");
    }

    @Test
    void aPieceOfSeveralPagesIsTheSameAsItsPagesOneByOne() throws VerbsException {
        FmrRegion region = fmr.allocate(node.domain(), 4, WRITABLE);
        region.map(List.of(piece(5 * PAGE, 2 * PAGE), piece(2 * PAGE, PAGE)), 0);
        assertThat(region.length()).isEqualTo(3 * PAGE);
        Endpoint from = peer.endpoint();
        from.connect(node.endpoint(), Connection.USUAL);
        peer.fill(0, 2 * PAGE, 3);
        from.post(wr -> wr.rdmaWrite(PAGE / 2, region.rkey()).id(1).signaled().sge(peer.region(), 0, 2 * PAGE));
        lab.settle();
        assertThat(from.sends()).containsExactly("RDMA_WRITE 1");
        assertThat(node.bytes(5 * PAGE + PAGE / 2, PAGE + PAGE / 2)).isEqualTo(peer.bytes(0, PAGE + PAGE / 2));
        assertThat(node.bytes(2 * PAGE, PAGE / 2)).isEqualTo(peer.bytes(PAGE + PAGE / 2, PAGE / 2));
    }

    @Test
    void anFmrRefusesPartialPagesAndTooManyMappings() throws VerbsException {
        FmrRegion region = fmr.allocate(node.domain(), 2, WRITABLE);
        assertInvalid(() -> region.map(List.of(), 0), "the list has 0 pages; this region maps 1 to 2");
        assertInvalid(() -> region.map(pages(1, 2, 3), 0), "3 pages; this region maps 1 to 2");
        assertInvalid(() -> region.map(List.of(piece(PAGE, 3 * PAGE)), 0), "3 pages; this region maps 1 to 2");
        assertInvalid(() -> region.map(pages(1), 1), "is not a multiple of the page");
        assertInvalid(() -> region.map(List.of(piece(0, PAGE - 1)), 0), "are not whole pages");
        assertInvalid(() -> region.map(List.of(piece(1, PAGE)), 0), "are not whole pages");
        for (int i = 0; i < 32; i++) {
            region.map(pages(1), 0);
        }
        VerbsArena arena = node.device().newArena();
        List<MemorySegment> other = List.of(arena.allocatePages(PAGE));
        assertThatThrownBy(() -> region.map(other, 0))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("was mapped 32 times");
        arena.close();
        fmr.unmap(List.of(region));
        assertThat(region.length()).isZero();
        region.map(pages(1), 0);
        FmrRegion foreign =
                peer.device().extension(FmrRegistration.class).orElseThrow().allocate(peer.domain(), 1, WRITABLE);
        assertInvalid(() -> fmr.unmap(List.of(region, foreign)), "is not an FMR of device sim0");
        assertThat(region.length()).isEqualTo(PAGE);
    }

    @Test
    void anFmrIsAllocatedWithRightsAndSizeThatItCanHave() throws VerbsException {
        assertInvalid(() -> fmr.allocate(node.domain(), 513, WRITABLE), "is not in 1..512");
        assertInvalid(() -> fmr.allocate(node.domain(), 0, WRITABLE), "is not in 1..512");
        assertInvalid(() -> fmr.allocate(node.domain(), 1, Set.of(AccessFlag.ZERO_BASED)), "an FMR can grant only");
        assertInvalid(() -> fmr.allocate(node.domain(), 1, Set.of(AccessFlag.REMOTE_WRITE)), "LOCAL_WRITE");
        FmrRegion region = fmr.allocate(node.domain(), 512, WRITABLE);
        region.map(Collections.nCopies(512, piece(0, PAGE)), 0);
        assertThat(region.length()).isEqualTo(512 * PAGE);
    }
}
