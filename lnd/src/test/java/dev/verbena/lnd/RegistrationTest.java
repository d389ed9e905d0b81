// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.lnd.wire.LndMessage;
import dev.verbena.lnd.wire.MessageType;
import dev.verbena.lnd.wire.RdmaDescriptor;
import dev.verbena.lnet.LnetEvent;
import dev.verbena.lnet.LnetHeaders;
import dev.verbena.lnet.MatchEntry;
import dev.verbena.lnet.MdOption;
import dev.verbena.lnet.MemoryDescriptor;
import dev.verbena.lnet.PayloadVector;
import dev.verbena.lnet.ProcessId;
import dev.verbena.lnet.WireHandle;
import dev.verbena.sim.profile.DeviceProfile;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.CapabilityException;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests the descriptors that peers get, by the kind of registration, and that each kind transfers lists with holes
 * completely.
 */
class RegistrationTest {

    private static final int PAGE = 4096;
    private static final Duration LONG = Duration.ofMinutes(1);

    private final List<LnetEvent> events = new ArrayList<>();
    private Lab lab;

    @BeforeEach
    void start() throws VerbsException {
        lab = new Lab(9);
    }

    @AfterEach
    void stop() throws VerbsException {
        lab.close();
    }

    private static RegistrationTunables of(RegistrationKind kind) {
        return RegistrationTunables.defaults().withKind(kind);
    }

    private void serve(LnetNode node, PayloadVector memory, MdOption option) {
        node.attach(
                MatchEntry.on(Lab.PORTAL).matchBits(Lab.BITS).build(),
                MemoryDescriptor.over(memory)
                        .options(option)
                        .threshold(1)
                        .handler(events::add)
                        .build());
    }

    /** Announces a PUT into memory of the node; returns the node's descriptor. */
    private LndMessage announce(RawPeer peer, LnetNode node, long stamp, PayloadVector memory) {
        serve(node, memory, MdOption.OP_PUT);
        peer.send(peer.message(MessageType.PUT_REQ, node, stamp, message -> {
            LnetHeaders.rewrite(
                    LnetHeaders.put(
                            ProcessId.of(peer.nid()),
                            node.id(),
                            memory.length(),
                            WireHandle.NONE,
                            Lab.PORTAL,
                            Lab.BITS,
                            0,
                            0),
                    message.lnetHeader());
            message.requestCookie(1);
        }));
        LndMessage answer = peer.received().getLast();
        assertThat(answer.type()).isEqualTo(MessageType.PUT_ACK);
        assertThat(answer.descriptor().totalLength()).isEqualTo(memory.length());
        return answer;
    }

    /** The same, and the peer reports that it is done without having written anything. */
    private LndMessage transfer(RawPeer peer, LnetNode node, long stamp, PayloadVector memory) {
        LndMessage answer = announce(peer, node, stamp, memory);
        long cookie = answer.sinkCookie();
        peer.send(peer.message(MessageType.PUT_DONE, node, stamp, message -> {
            message.completion().set(cookie, (int) memory.length());
        }));
        assertThat(events.getLast().isSuccess()).isTrue();
        return answer;
    }

    private RdmaDescriptor offered(LnetNode node, PayloadVector memory) throws VerbsException {
        try (RawPeer peer = new RawPeer(lab, 3)) {
            return announce(peer, node, peer.connectProperly(node), memory).descriptor();
        }
    }

    /** Row 59, the table of section 6.4: 12000 bytes from byte 100 of a page on. */
    @ParameterizedTest
    @EnumSource(RegistrationKind.class)
    void aRunOfBytesIsDescribedAsItsKindDoes(RegistrationKind kind) throws VerbsException {
        LnetNode node = lab.registering(of(kind)).start(1);
        MemorySegment memory = node.allocate(4 * PAGE).asSlice(100, 12_000);
        RdmaDescriptor seen = offered(node, PayloadVector.of(memory));
        assertThat(seen.fragmentCount()).isEqualTo(kind == RegistrationKind.GLOBAL_REGION ? 3 : 1);
        switch (kind) {
            case FMR, FAST_REGISTRATION, MEMORY_WINDOW, REGION, REGION_CACHE ->
                assertThat(seen.fragmentAddress(0) % PAGE).isEqualTo(100);
            case GLOBAL_REGION -> {
                assertThat(seen.fragmentLength(0)).isEqualTo(PAGE - 100);
                assertThat(seen.fragmentLength(1)).isEqualTo(PAGE);
                assertThat(seen.fragmentAddress(1) - seen.fragmentAddress(0)).isEqualTo(PAGE - 100);
            }
        }
        assertThat(node.statistics().bounced()).isZero();
    }

    /** Two pieces, the first of which ends in the middle of a page: the hole of LU-9983. */
    private static PayloadVector withHole(LnetNode node) throws VerbsException {
        MemorySegment whole = node.allocate(8 * PAGE);
        return PayloadVector.of(
                whole.asSlice(10, 5000), whole.asSlice(3 * PAGE + 7, 4000), whole.asSlice(5 * PAGE, PAGE));
    }

    @ParameterizedTest
    @CsvSource({
        "FMR, false, 4, 0",
        "FAST_REGISTRATION, false, 1, 1",
        "FAST_REGISTRATION, true, 1, 0",
        "MEMORY_WINDOW, false, 1, 1",
        "REGION, false, 1, 1",
        "REGION_CACHE, false, 1, 1",
        "GLOBAL_REGION, false, 4, 0"
    })
    void aListWithAHoleIsCarriedByItsFragmentsOrCopied(RegistrationKind kind, boolean gaps, int fragments, int bounced)
            throws VerbsException {
        RegistrationTunables tunables = of(kind).withFastregGaps(gaps);
        LnetNode node = lab.registering(tunables).start(1);
        RdmaDescriptor seen = offered(node, withHole(node));
        assertThat(seen.fragmentCount()).isEqualTo(fragments);
        assertThat(node.statistics().bounced()).isEqualTo(bounced);
        if (kind == RegistrationKind.FMR) {
            long first = seen.fragmentAddress(0) - 10;
            assertThat(List.of(
                            seen.fragmentAddress(1) - first,
                            seen.fragmentAddress(2) - first,
                            seen.fragmentAddress(3) - first))
                    .as("the n-th piece lies in the n-th page")
                    .containsExactly((long) PAGE, 2L * PAGE + 7, 3L * PAGE);
        }
    }

    /** A slice of other memory than the node's is copied together with its neighbours, at every place in the list. */
    @ParameterizedTest
    @CsvSource({"0", "1", "2"})
    void aListThatIsNotAllTheNodesIsCopied(int foreign) throws VerbsException {
        LnetNode node = lab.registering(of(RegistrationKind.GLOBAL_REGION)).start(1);
        List<MemorySegment> slices = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            slices.add(i == foreign ? lab.memory(3 * PAGE, 0) : node.allocate(3 * PAGE));
        }
        RdmaDescriptor seen = offered(node, PayloadVector.of(slices));
        assertThat(seen.fragmentCount()).isEqualTo(9);
        assertThat(seen.fragmentAddress(8) - seen.fragmentAddress(0)).isEqualTo(8L * PAGE);
        assertThat(node.statistics().bounced()).isEqualTo(1);
    }

    /** A peer that takes two writes at most gets ten pieces by one, out of pages that they were copied to. */
    @Test
    void aSourceInTooManyPiecesForThePeerIsCopied() throws VerbsException {
        LnetNode node = lab.start(1);
        MemorySegment whole = node.allocate(10 * PAGE);
        Lab.fill(whole, 3);
        List<MemorySegment> pieces = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            pieces.add(whole.asSlice((long) i * PAGE + 7, 500));
        }
        PayloadVector source = PayloadVector.of(pieces);
        try (RawPeer peer = new RawPeer(lab, 3, 5000)) {
            peer.connect(node, peer.connreq(node, 8, 2));
            long stamp = peer.stampOfAnswer();
            node.put(
                    MemoryDescriptor.over(source)
                            .threshold(1)
                            .handler(events::add)
                            .build(),
                    false,
                    ProcessId.of(peer.nid()),
                    Lab.PORTAL,
                    Lab.BITS,
                    0,
                    0);
            assertThat(lab.await(() -> !peer.received().isEmpty(), LONG)).isTrue();
            long cookie = peer.received().getFirst().requestCookie();
            peer.send(peer.message(MessageType.PUT_ACK, node, stamp, message -> {
                message.putAckCookies(cookie, 77);
                message.describe(peer.region().rkey(), 1).fragment(0, 5000, peer.sinkAddress());
            }));
            assertThat(peer.received().getLast().completion().status()).isEqualTo(5000);
            assertThat(peer.sink().mismatch(content(lab, source))).isEqualTo(-1);
        }
        assertThat(events.getLast().isSuccess()).isTrue();
        assertThat(node.statistics().bounced()).isEqualTo(1);
    }

    private static MemorySegment content(Lab lab, PayloadVector memory) {
        MemorySegment copy = lab.memory(memory.length(), 0);
        memory.copyOut(0, copy, 0, memory.length());
        return copy;
    }

    /** Unlike row 60, by which the low byte grows by one, a peer cannot derive the next key from the previous one. */
    @ParameterizedTest
    @CsvSource({"FAST_REGISTRATION", "MEMORY_WINDOW"})
    void eachUseHasAnotherKeyOfTheSameObject(RegistrationKind kind) throws VerbsException {
        LnetNode node = lab.registering(of(kind).withInvalidateOnRelease(false)).start(1);
        List<Integer> keys = new ArrayList<>();
        try (RawPeer peer = new RawPeer(lab, 3)) {
            long stamp = peer.connectProperly(node);
            for (int i = 0; i < 8; i++) {
                PayloadVector sink = PayloadVector.of(node.allocate(5000));
                keys.add(transfer(peer, node, stamp, sink).descriptor().key());
            }
        }
        Set<Integer> steps = new HashSet<>();
        for (int i = 1; i < keys.size(); i++) {
            steps.add(keys.get(i) - keys.get(i - 1));
            assertThat(keys.get(i) >>> 8).isEqualTo(keys.get(0) >>> 8);
        }
        assertThat(steps).doesNotContain(0).hasSizeGreaterThan(3);
        assertThat(node.statistics().registration().objects()).isEqualTo(1);
    }

    /** Kernels with pages of 64 KiB refuse an address with another offset in such a page than the memory has. */
    @ParameterizedTest
    @EnumSource(RegistrationKind.class)
    void addressesKeepTheOffsetInAPageOfTheSystem(RegistrationKind kind) throws VerbsException {
        try (Lab large = new Lab(4, Lab.onPages(DeviceProfile.specification(), 1 << 16))) {
            LnetNode node = large.registering(of(kind)).start(1);
            LnetNode other = large.start(2);
            PayloadVector sink = PayloadVector.of(node.allocate(20 * PAGE).asSlice(3 * PAGE + 5, 12_345));
            serve(node, sink, MdOption.OP_PUT);
            other.put(Lab.active(large.memory(12_345, 8), 2, events), true, node.id(), Lab.PORTAL, Lab.BITS, 0, 0);
            assertThat(large.await(() -> events.size() == 3, LONG)).isTrue();
            assertThat(events).allMatch(LnetEvent::isSuccess);
            assertThat(content(large, sink).mismatch(large.memory(12_345, 8))).isEqualTo(-1);
            assertThat(node.statistics().bounced()).isZero();
        }
    }

    /** The low byte of a key repeats after several uses; the valid key is the last one that the peer got. */
    @ParameterizedTest
    @CsvSource({"FAST_REGISTRATION", "MEMORY_WINDOW"})
    void aKeyOfAnEarlierUseIsDeadAlsoAfterTheKeysWrapped(RegistrationKind kind) throws VerbsException {
        LnetNode node = lab.registering(of(kind).withInvalidateOnRelease(false)).start(1);
        MemorySegment first = node.allocate(5000);
        Set<Integer> keys = new HashSet<>();
        int uses = 600;
        try (RawPeer peer = new RawPeer(lab, 3)) {
            long stamp = peer.connectProperly(node);
            RdmaDescriptor old =
                    transfer(peer, node, stamp, PayloadVector.of(first)).descriptor();
            MemorySegment sink = node.allocate(5000);
            RdmaDescriptor last = old;
            for (int i = 1; i < uses || last.key() == old.key(); i++) {
                last = transfer(peer, node, stamp, PayloadVector.of(sink)).descriptor();
                keys.add(last.key());
            }
            assertThat(keys).as("all low bytes, again and again").hasSizeBetween(200, 256);
            MemorySegment before = content(lab, PayloadVector.of(first));
            peer.write(new byte[] {1, 2, 3}, old.fragmentAddress(0), old.key());
            assertThat(first.mismatch(before)).isEqualTo(-1);
        }
        assertThat(node.statistics().registration().objects()).isEqualTo(1);
    }

    /** Two nodes, or one node twice, send peers different addresses of the same memory. */
    @ParameterizedTest
    @EnumSource(RegistrationKind.class)
    void addressesSentToPeersDifferFromOneIncarnationToTheNext(RegistrationKind kind) throws VerbsException {
        Set<Long> addresses = new HashSet<>();
        for (int i = 0; i < 3; i++) {
            LnetNode node = lab.registering(of(kind)).start(1);
            addresses.add(
                    offered(node, PayloadVector.of(node.allocate(PAGE + 1))).fragmentAddress(0));
            lab.close(node);
        }
        assertThat(addresses).hasSize(3);
    }

    /**
     * When the key of a finished transfer becomes invalid: at once, or with the next use if configured; with a cache
     * always later.
     */
    @ParameterizedTest
    @CsvSource({
        "FMR, false", "FMR, true",
        "FAST_REGISTRATION, false", "FAST_REGISTRATION, true",
        "MEMORY_WINDOW, false", "MEMORY_WINDOW, true",
        "REGION, true"
    })
    void theKeyOfAFinishedTransferBecomesInvalidAsConfigured(RegistrationKind kind, boolean onRelease)
            throws VerbsException {
        LnetNode node =
                lab.registering(of(kind).withInvalidateOnRelease(onRelease)).start(1);
        MemorySegment sink = node.allocate(5000);
        Lab.fill(sink, 5);
        MemorySegment before = content(lab, PayloadVector.of(sink));
        try (RawPeer peer = new RawPeer(lab, 3)) {
            long stamp = peer.connectProperly(node);
            LndMessage answer = transfer(peer, node, stamp, PayloadVector.of(sink));
            peer.write(
                    new byte[100],
                    answer.descriptor().fragmentAddress(0),
                    answer.descriptor().key());
            assertThat(sink.mismatch(before) == -1)
                    .as("a late write did not land")
                    .isEqualTo(onRelease);
        }
    }

    /** Section 6.2: the kind that o2iblnd prefers, and the next one if the device lacks a capability. */
    @Test
    void theKindFollowsFromTheCapabilities() {
        Set<Capability> left = new HashSet<>(DeviceProfile.specification().capabilities());
        assertThat(RegistrationKind.preferred(left)).isEqualTo(RegistrationKind.FMR);
        left.remove(Capability.FMR);
        assertThat(RegistrationKind.preferred(left)).isEqualTo(RegistrationKind.FAST_REGISTRATION);
        left.remove(Capability.FAST_REGISTRATION);
        assertThat(RegistrationKind.preferred(left)).isEqualTo(RegistrationKind.MEMORY_WINDOW);
        left.removeAll(Set.of(Capability.MW_TYPE_2A, Capability.MW_TYPE_2B));
        assertThat(RegistrationKind.preferred(left)).isEqualTo(RegistrationKind.REGION);
        assertThat(RegistrationKind.preferred(DeviceProfile.softRoce().capabilities()))
                .as("as the captures of real nodes over rdma_rxe")
                .isEqualTo(RegistrationKind.FAST_REGISTRATION);
    }

    @Test
    void aKindThatTheDeviceLacksIsRefusedByName() throws VerbsException {
        try (Lab soft = new Lab(1, DeviceProfile.softRoce())) {
            soft.registering(of(RegistrationKind.FMR));
            assertThatThrownBy(() -> soft.start(1))
                    .isInstanceOf(CapabilityException.class)
                    .hasMessageContaining(Capability.FMR.description());
            LnetNode node = soft.registering(RegistrationTunables.defaults()).start(1);
            assertThat(node.statistics().registration().kind()).isEqualTo(RegistrationKind.FAST_REGISTRATION);
        }
    }

    /** map_on_demand: 0 is the global region; n is the offer to peers, and shorter lists use the global region. */
    @ParameterizedTest
    @CsvSource({"0, 257, 4", "1, 257, 1", "4, 4, 1", "16, 16, 4"})
    void mapOnDemandDecidesWhichListsAreRegistered(int mode, int offered, int fragments) throws VerbsException {
        RegistrationTunables tunables = RegistrationTunables.defaults().withMapOnDemand(mode);
        LnetNode node = lab.registering(tunables).start(1);
        try (RawPeer peer = new RawPeer(lab, 3)) {
            peer.listen(List.of());
            MemoryDescriptor active = Lab.active(node.allocate(4 * PAGE), 2, events);
            node.get(active, ProcessId.of(peer.nid()), Lab.PORTAL, Lab.BITS, 0);
            assertThat(lab.await(() -> !peer.received().isEmpty(), LONG)).isTrue();
            byte[] bytes = peer.requests().getFirst();
            LndMessage request = new LndMessage().wrap(MemorySegment.ofArray(bytes), 0);
            request.parse(bytes.length);
            assertThat(request.connParams().maxFragments()).isEqualTo(offered);
            assertThat(peer.received().getFirst().descriptor().fragmentCount()).isEqualTo(fragments);
        }
    }

    /** Section 6.6: an FMR that was mapped to the same pages is used as it is, if the cache is on. */
    @ParameterizedTest
    @CsvSource({"true, 1", "false, 40"})
    void theCacheOfFmrsSavesMappings(boolean cache, int distinctKeys) throws VerbsException {
        LnetNode node = lab.registering(
                        of(RegistrationKind.FMR).withFmrCache(cache).withInvalidateOnRelease(false))
                .start(1);
        Set<Integer> keys = new HashSet<>();
        PayloadVector sink = PayloadVector.of(node.allocate(5000));
        try (RawPeer peer = new RawPeer(lab, 3)) {
            long stamp = peer.connectProperly(node);
            for (int i = 0; i < 40; i++) {
                keys.add(transfer(peer, node, stamp, sink).descriptor().key());
            }
        }
        assertThat(keys).hasSize(distinctKeys);
        assertThat(node.statistics().registration().objects()).isEqualTo(1);
    }

    /**
     * Section 6.1: one pool per pool size of concurrent transfers; all pools except the first are destroyed after five
     * idle minutes.
     */
    @ParameterizedTest
    @CsvSource({"FMR", "FAST_REGISTRATION", "MEMORY_WINDOW"})
    void poolsGrowWithTheTransfersInFlightAndShrinkWhenIdle(RegistrationKind kind) throws VerbsException {
        LnetNode node = lab.registering(of(kind).withPools(2, 2).withInvalidateOnRelease(false))
                .start(1);
        try (RawPeer peer = new RawPeer(lab, 3)) {
            long stamp = peer.connectProperly(node);
            List<LndMessage> answers = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                answers.add(announce(peer, node, stamp, PayloadVector.of(node.allocate(5000))));
            }
            assertThat(node.statistics().registration().pools()).isEqualTo(3);
            assertThat(node.statistics().registration().inUse()).isEqualTo(5);
            for (LndMessage answer : answers) {
                peer.send(peer.message(MessageType.PUT_DONE, node, stamp, message -> {
                    message.completion().set(answer.sinkCookie(), 5000);
                }));
            }
            lab.pass(Duration.ofMinutes(5));
            transfer(peer, node, stamp, PayloadVector.of(node.allocate(5000)));
            assertThat(node.statistics().registration().pools()).isEqualTo(1);
            assertThat(node.statistics().registration().objects()).isEqualTo(2);
        }
    }
}
