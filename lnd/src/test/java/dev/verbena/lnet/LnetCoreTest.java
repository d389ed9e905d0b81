// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The life of PUT, GET, ACK and REPLY between two nodes on a network that loses nothing. */
class LnetCoreTest {

    private static final int PORTAL = 4;
    private static final long BITS = 0x1234;
    private static final int OPTIMIZE_ABOVE = 100;

    private final FakeNetwork network = new FakeNetwork(OPTIMIZE_ABOVE);
    private final List<LnetEvent> atA = new ArrayList<>();
    private final List<LnetEvent> atB = new ArrayList<>();
    private final LnetCore a = new LnetCore(Nid.parse("10.0.0.1@o2ib"), new Random(1), atA::add);
    private final LnetCore b = new LnetCore(Nid.parse("10.0.0.2@o2ib"), new Random(2), atB::add);

    LnetCoreTest() {
        network.join(a);
        network.join(b);
    }

    private static MemorySegment memory(int length, int seed) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return MemorySegment.ofArray(bytes);
    }

    private static MemoryDescriptor.Builder source(MemorySegment memory, int threshold) {
        return MemoryDescriptor.over(memory).threshold(threshold);
    }

    private MemoryDescriptor serve(MemorySegment memory, MdOption... options) {
        MemoryDescriptor md =
                MemoryDescriptor.over(memory).options(options).threshold(1).build();
        b.attach(MatchEntry.on(PORTAL).matchBits(BITS).build(), md);
        return md;
    }

    private static List<String> kinds(List<LnetEvent> events) {
        return events.stream()
                .map(e -> e.type() + " " + e.length() + " " + e.status() + (e.unlinked() ? " last" : ""))
                .toList();
    }

    @Property(tries = 200)
    void aPutWithAckMovesTheBytesAndReportsOnBothSides(@ForAll @IntRange(min = 0, max = 300) int length) {
        atA.clear();
        atB.clear();
        MemorySegment from = memory(length, length);
        MemorySegment to = memory(length, -1);
        serve(to, MdOption.OP_PUT);
        a.put(source(from, 2).build(), true, b.self(), PORTAL, BITS, 0, 42);
        network.run();
        assertThat(to.mismatch(from)).isEqualTo(-1);
        assertThat(kinds(atA)).containsExactly("SEND " + length + " 0", "ACK " + length + " 0 last");
        assertThat(kinds(atB)).containsExactly("PUT " + length + " 0 last");
        assertThat(atB.getFirst().hdrData()).isEqualTo(42);
        assertThat(atB.getFirst().initiator()).isEqualTo(a.self());
        assertThat(atB.getFirst().portal()).isEqualTo(PORTAL);
        assertThat(atA.get(1).matchBits()).isEqualTo(BITS);
        assertThat(a.descriptorCount()).isZero();
        assertThat(b.descriptorCount()).isZero();
    }

    @Property(tries = 200)
    void aGetFetchesTheBytesWhicheverWayTheyCome(
            @ForAll @IntRange(min = 0, max = 300) int served, @ForAll @IntRange(min = 0, max = 300) int wanted) {
        atA.clear();
        atB.clear();
        MemorySegment from = memory(served, served);
        MemorySegment to = memory(wanted, -1);
        serve(from, MdOption.OP_GET, MdOption.TRUNCATE);
        a.get(source(to, 2).build(), b.self(), PORTAL, BITS, 0);
        network.run();
        int moved = Math.min(served, wanted);
        assertThat(to.asSlice(0, moved).mismatch(from.asSlice(0, moved))).isEqualTo(-1);
        assertThat(kinds(atB)).containsExactly("GET " + moved + " 0 last");
        assertThat(kinds(atA)).containsExactly("SEND " + wanted + " 0", "REPLY " + moved + " 0 last");
        assertThat(a.descriptorCount()).isZero();
    }

    @Test
    void aPutWithoutAckIsNotAcknowledged() {
        serve(memory(5, 1), MdOption.OP_PUT);
        a.put(source(memory(5, 2), 1).build(), false, b.self(), PORTAL, BITS, 0, 0);
        network.run();
        assertThat(kinds(atA)).containsExactly("SEND 5 0 last");
        assertThat(b.statistics().sent(LnetMessageType.ACK)).isZero();
    }

    @Test
    void aTargetMayRefuseToAcknowledge() {
        serve(memory(5, 1), MdOption.OP_PUT, MdOption.ACK_DISABLE);
        MemoryDescriptor md = source(memory(5, 2), 2).build();
        a.put(md, true, b.self(), PORTAL, BITS, 0, 0);
        network.run();
        assertThat(kinds(atA)).containsExactly("SEND 5 0");
        a.unlink(md);
        assertThat(kinds(atA)).endsWith("UNLINK 0 0 last");
    }

    @Test
    void aPutWithoutAMatchIsDroppedWithoutNotice() {
        a.put(source(memory(5, 2), 1).build(), false, b.self(), PORTAL, BITS, 0, 0);
        a.put(source(memory(5, 2), 1).build(), false, b.self(), 63, BITS, 0, 0);
        network.run();
        assertThat(kinds(atA)).containsExactly("SEND 5 0 last", "SEND 5 0 last");
        assertThat(atB).isEmpty();
        assertThat(b.statistics().dropped(DropReason.NO_MATCH)).isEqualTo(2);
    }

    @Test
    void aSmallGetThatMatchesNothingStaysOpenUntilItIsUnlinked() {
        MemoryDescriptor md = source(memory(5, 2), 2).build();
        a.get(md, b.self(), PORTAL, BITS, 0);
        network.run();
        assertThat(kinds(atA)).containsExactly("SEND 5 0");
        a.unlink(md);
        a.unlink(md);
        assertThat(kinds(atA)).containsExactly("SEND 5 0", "UNLINK 0 0 last");
    }

    @Test
    void aLargeGetThatMatchesNothingFailsTwice() {
        a.get(source(memory(500, 2), 2).build(), b.self(), PORTAL, BITS, 0);
        network.run();
        assertThat(kinds(atA)).containsExactly("SEND 500 -61", "REPLY 500 -61 last");
        assertThat(a.statistics().failed()).isEqualTo(2);
    }

    @Test
    void aLargeGetWhoseDescriptorTakesNoReplyFailsAtOnce() {
        a.get(source(memory(500, 2), 1).build(), b.self(), PORTAL, BITS, 0);
        assertThat(kinds(atA)).containsExactly("SEND 500 -5 last");
    }

    @Test
    void aReplyLongerThanTheSinkIsCutOnlyWhereAllowed() {
        MemoryDescriptor strict = source(memory(5, 2), 2).build();
        MemoryDescriptor lenient =
                source(memory(5, 2), 2).options(MdOption.TRUNCATE).build();
        a.get(strict, b.self(), PORTAL, BITS, 0);
        a.get(lenient, b.self(), PORTAL, BITS, 0);
        for (MemoryDescriptor md : List.of(strict, lenient)) {
            parse(LnetHeaders.reply(b.self(), a.self(), md.handle(), 9));
        }
        assertThat(a.statistics().dropped(DropReason.REPLY_TOO_LONG)).isEqualTo(1);
        assertThat(atA).hasSize(1);
        assertThat(atA.getFirst().memoryDescriptor()).isSameAs(lenient);
        assertThat(atA.getFirst().length()).isEqualTo(5);
        assertThat(atA.getFirst().requestedLength()).isEqualTo(9);
    }

    private final List<Long> discarded = new ArrayList<>();

    private int parse(LnetHeader header) {
        return parse(header, false);
    }

    /** Passes a header to node a through a driver that completes at once. */
    private int parse(LnetHeader header, boolean rdmaRequest) {
        a.driver(new Lnd() {
            @Override
            public int send(LnetMessage message) {
                return 0;
            }

            @Override
            public int receive(ReceiveHandle handle, @Nullable LnetMessage message, long wanted, long offered) {
                if (message == null) {
                    discarded.add(offered);
                } else {
                    a.complete(message, 0);
                }
                return 0;
            }
        });
        int status = a.parse(header, header.source().nid(), new ReceiveHandle() {}, rdmaRequest);
        network.join(a);
        return status;
    }

    @Test
    void answersForHandlesThatAreNotThereAreDropped() {
        WireHandle wrongInstance = new WireHandle(9, 1);
        WireHandle gone = new WireHandle(1, 999);
        MemoryDescriptor attached =
                MemoryDescriptor.over(memory(5, 1)).options(MdOption.OP_PUT).build();
        a.attach(MatchEntry.on(1).build(), attached);
        for (WireHandle handle : List.of(wrongInstance, gone, WireHandle.NONE, attached.handle())) {
            assertThat(parse(LnetHeaders.ack(b.self(), a.self(), handle, 0, 0))).isZero();
            assertThat(parse(LnetHeaders.reply(b.self(), a.self(), handle, 7))).isZero();
        }
        assertThat(a.statistics().dropped(DropReason.UNKNOWN_HANDLE)).isEqualTo(8);
        assertThat(discarded).containsExactly(0L, 7L, 0L, 7L, 0L, 7L, 0L, 7L);
        assertThat(atA).isEmpty();
    }

    /** The answer that names a GET's handle writes its memory, and no other peer may send that answer. */
    @Test
    void answersOfOthersThanTheTargetAreDropped() {
        ProcessId stranger = ProcessId.parse("10.0.0.66@o2ib");
        MemoryDescriptor sink = source(memory(10, 1), 3).build();
        MemoryDescriptor acknowledged = source(memory(10, 1), 3).build();
        a.get(sink, b.self(), PORTAL, BITS, 0);
        a.put(acknowledged, true, b.self(), PORTAL, BITS, 0, 0);
        assertThat(parse(LnetHeaders.reply(stranger, a.self(), sink.handle(), 10)))
                .isZero();
        assertThat(parse(LnetHeaders.ack(stranger, a.self(), acknowledged.handle(), BITS, 10)))
                .isZero();
        assertThat(a.statistics().dropped(DropReason.UNKNOWN_HANDLE)).isEqualTo(2);
        assertThat(atA).isEmpty();
        parse(LnetHeaders.reply(b.self(), a.self(), sink.handle(), 10));
        parse(LnetHeaders.ack(b.self(), a.self(), acknowledged.handle(), BITS, 10));
        assertThat(atA).hasSize(2);
    }

    /** A peer that knows some handles cannot derive the others. */
    @Test
    void handlesDoNotFollowFromOneAnother() {
        Set<Long> steps = new HashSet<>();
        long before = 0;
        for (int i = 0; i < 100; i++) {
            MemoryDescriptor md = source(memory(10, 1), 3).build();
            a.get(md, b.self(), PORTAL, BITS, 0);
            steps.add(md.handle().objectCookie() - before);
            before = md.handle().objectCookie();
        }
        assertThat(steps).hasSize(100);
    }

    @Test
    void invalidHeadersAreProtocolErrorsAndTheDriverKeepsThem() {
        ProcessId toSameNet = ProcessId.parse("10.0.0.3@o2ib");
        ProcessId toOtherNet = ProcessId.parse("10.0.0.3@o2ib1");
        WireHandle none = WireHandle.NONE;
        List<LnetHeader> wrong = List.of(
                LnetHeaders.header(LnetMessageType.ACK, b.self(), a.self(), 1),
                LnetHeaders.header(LnetMessageType.GET, b.self(), a.self(), 1),
                LnetHeaders.header(LnetMessageType.HELLO, b.self(), a.self(), 0),
                LnetHeaders.header(LnetMessageType.PUT, b.self(), a.self(), Lnd.MAX_PAYLOAD + 1),
                LnetHeaders.header(LnetMessageType.REPLY, b.self(), a.self(), 0xffff_ffffL),
                LnetHeaders.put(b.self(), toSameNet, 1, none, 1, 0, 0, 0),
                LnetHeaders.put(b.self(), ProcessId.of(Nid.LOOPBACK), 1, none, 1, 0, 0, 0));
        for (LnetHeader header : wrong) {
            assertThat(parse(header)).as("%s", header).isEqualTo(-71);
        }
        LnetHeader unknownType = LnetHeaders.put(b.self(), a.self(), 1, none, 1, 0, 0, 0);
        MemorySegment bytes = memory(72, 1);
        unknownType.copyTo(bytes, 0);
        bytes.set(ValueLayout.JAVA_INT_UNALIGNED, 24, 5);
        assertThat(parse(new LnetHeader().wrap(bytes, 0))).isEqualTo(-71);
        assertThat(parse(LnetHeaders.get(b.self(), toOtherNet, none, 1, 0, 0, 1), true))
                .isEqualTo(-71);
        assertThat(discarded).isEmpty();
        assertThat(parse(LnetHeaders.put(b.self(), toOtherNet, 3, none, 1, 0, 0, 0)))
                .isZero();
        assertThat(discarded).containsExactly(3L);
        assertThat(a.statistics().dropped(DropReason.NOT_FOR_US)).isEqualTo(1);
    }

    @Test
    void portalsBeyondTheTableDoNotMatch() {
        assertThat(parse(LnetHeaders.put(b.self(), a.self(), 3, WireHandle.NONE, 64, 0, 0, 0)))
                .isZero();
        assertThat(parse(LnetHeaders.get(b.self(), a.self(), WireHandle.NONE, -1, 0, 0, 1)))
                .isZero();
        assertThat(a.statistics().dropped(DropReason.NO_MATCH)).isEqualTo(2);
    }

    @Test
    void aSendThatTheDriverRefusesIsReported() {
        network.refuse(a, -113);
        a.put(source(memory(5, 2), 1).build(), false, b.self(), PORTAL, BITS, 0, 0);
        a.get(source(memory(5, 2), 2).build(), b.self(), PORTAL, BITS, 0);
        assertThat(kinds(atA)).containsExactly("SEND 5 -113 last", "SEND 5 -113");
    }

    @Test
    void anotherNetworkCannotBeReached() {
        a.put(source(memory(5, 2), 1).build(), false, ProcessId.parse("10.0.0.2@tcp"), PORTAL, BITS, 0, 0);
        assertThat(kinds(atA)).containsExactly("SEND 5 -113 last");
    }

    @Test
    void anUnlinkedDescriptorReportsATimeoutForWhatStillEndsWell() {
        MemoryDescriptor md = source(memory(5, 2), 2).build();
        serve(memory(5, 1), MdOption.OP_PUT);
        a.put(md, true, b.self(), PORTAL, BITS, 0, 0);
        a.unlink(md);
        assertThat(atA).isEmpty();
        network.run();
        assertThat(kinds(atA)).containsExactly("SEND 5 -110 last");
        assertThat(a.statistics().dropped(DropReason.UNKNOWN_HANDLE)).isEqualTo(1);
    }

    @Test
    void aNodeReachesItselfByItsOwnNidAndByLoopback() {
        for (Nid nid : List.of(b.self().nid(), Nid.LOOPBACK)) {
            atB.clear();
            MemorySegment from = memory(500, 3);
            MemorySegment to = memory(500, 4);
            serve(to, MdOption.OP_PUT);
            b.put(source(from, 2).build(), true, ProcessId.of(nid), PORTAL, BITS, 0, 0);
            assertThat(to.mismatch(from)).isEqualTo(-1);
            assertThat(kinds(atB)).containsExactly("PUT 500 0 last", "ACK 500 0", "SEND 500 0 last");
            MemorySegment back = memory(500, 5);
            serve(from, MdOption.OP_GET);
            b.get(source(back, 2).build(), ProcessId.of(nid), PORTAL, BITS, 0);
            assertThat(back.mismatch(from)).isEqualTo(-1);
        }
    }

    @Test
    void aRemoteOffsetBeyondTheDescriptorIsDropped() {
        serve(memory(50, 1), MdOption.OP_PUT, MdOption.MANAGE_REMOTE, MdOption.TRUNCATE);
        a.put(source(memory(5, 2), 1).build(), false, b.self(), PORTAL, BITS, 51, 0);
        a.put(source(memory(5, 2), 1).build(), false, b.self(), PORTAL, BITS, 0xffff_ffffL, 0);
        network.run();
        assertThat(b.statistics().dropped(DropReason.NO_ROOM)).isEqualTo(2);
        assertThat(atB).isEmpty();
        a.put(source(memory(5, 2), 1).build(), false, b.self(), PORTAL, BITS, 48, 0);
        network.run();
        assertThat(kinds(atB)).containsExactly("PUT 2 0 last");
        assertThat(atB.getFirst().offset()).isEqualTo(48);
    }

    @Test
    void wrongArgumentsAreRefusedBeforeAnythingHappens() {
        MemoryDescriptor md = source(memory(5, 2), 1).build();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> a.put(md, false, b.self(), 64, 0, 0, 0))
                .withMessageContaining("portal 64");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> a.put(md, false, b.self(), 1, 0, -1, 0))
                .withMessageContaining("offset -1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> a.put(md, false, ProcessId.ANY, 1, 0, 0, 0))
                .withMessageContaining("wildcard");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> a.put(source(memory(1 << 21, 2), 1).build(), false, b.self(), 1, 0, 0, 0))
                .withMessageContaining("1048576");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> a.get(source(memory(5, 2).asReadOnly(), 1).build(), b.self(), 1, 0, 0))
                .withMessageContaining("read-only");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MemoryDescriptor.over(memory(5, 1).asReadOnly())
                        .options(MdOption.OP_PUT)
                        .build())
                .withMessageContaining("read-only");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> a.put(
                        MemoryDescriptor.over(memory(5, 1))
                                .options(MdOption.OP_GET)
                                .build(),
                        false,
                        b.self(),
                        1,
                        0,
                        0,
                        0))
                .withMessageContaining("attach it");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> source(memory(5, 2), 0))
                .withMessageContaining("threshold 0");
        assertThat(a.descriptorCount()).isZero();
        a.put(md, false, b.self(), 1, 0, 0, 0);
        assertThatIllegalStateException()
                .isThrownBy(() -> a.put(md, false, b.self(), 1, 0, 0, 0))
                .withMessageContaining("no further operation");
    }

    @Test
    void memoryOfOneThreadIsRefused() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment confined = arena.allocate(8);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> MemoryDescriptor.over(confined))
                    .withMessageContaining("confined to one thread");
        }
    }

    @Test
    void statisticsCountMessagesAndBytes() {
        serve(memory(5, 1), MdOption.OP_PUT);
        a.put(source(memory(5, 2), 2).build(), true, b.self(), PORTAL, BITS, 0, 0);
        network.run();
        assertThat(a.statistics().sent(LnetMessageType.PUT)).isEqualTo(1);
        assertThat(a.statistics().sentBytes()).isEqualTo(5);
        assertThat(a.statistics().received(LnetMessageType.ACK)).isEqualTo(1);
        assertThat(b.statistics().received(LnetMessageType.PUT)).isEqualTo(1);
        assertThat(b.statistics().receivedBytes()).isEqualTo(5);
        assertThat(b.statistics().sent(LnetMessageType.ACK)).isEqualTo(1);
    }

    @Test
    void aReplyToAPutDoesNotReachItsSource() {
        MemoryDescriptor md = source(memory(10, 1), 3).build();
        a.put(md, true, b.self(), PORTAL, BITS, 0, 0);
        assertThat(parse(LnetHeaders.reply(b.self(), a.self(), md.handle(), 10)))
                .isZero();
        assertThat(a.statistics().dropped(DropReason.UNKNOWN_HANDLE)).isEqualTo(1);
        assertThat(atA).isEmpty();
    }

    @Test
    void oneGetMovesAtMostWhatOneMessageMayCarry() {
        for (MdOption[] options :
                List.of(new MdOption[] {MdOption.OP_GET, MdOption.TRUNCATE}, new MdOption[] {MdOption.OP_GET})) {
            MemoryDescriptor large = MemoryDescriptor.over(memory(3 << 20, 1))
                    .options(options)
                    .threshold(1)
                    .build();
            a.attach(MatchEntry.on(PORTAL).matchBits(BITS).build(), large);
            assertThat(parse(LnetHeaders.get(b.self(), a.self(), WireHandle.NONE, PORTAL, BITS, 0, 3 << 20), true))
                    .isZero();
        }
        assertThat(kinds(atA)).containsExactly("GET " + Lnd.MAX_PAYLOAD + " 0 last");
        assertThat(a.statistics().dropped(DropReason.NO_ROOM)).isEqualTo(1);
    }

    @Test
    void aNodeThatReachesItselfFindsMemoryThatWasClosed() {
        MemoryDescriptor md;
        try (Arena arena = Arena.ofShared()) {
            md = source(arena.allocate(10), 1).build();
        }
        a.attach(
                MatchEntry.on(PORTAL).matchBits(BITS).build(),
                MemoryDescriptor.over(memory(10, 2))
                        .options(MdOption.OP_PUT)
                        .threshold(1)
                        .build());
        a.put(md, false, a.self(), PORTAL, BITS, 0, 0);
        assertThat(atA).hasSize(2).allMatch(event -> event.status() == -14);
    }
}
