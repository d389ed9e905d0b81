// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.lnet.Nid;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.jspecify.annotations.Nullable;

/** A received message is either right or has a named defect; nothing a peer sends throws or is taken for something else. */
class ValidationTest {

    private static final Nid US = Nid.parse("10.0.0.1@o2ib");
    private static final Nid PEER = Nid.parse("10.0.0.2@o2ib");

    /** A valid message, its type and its byte order. */
    record Sample(MessageType type, ByteOrder order, byte[] bytes) {
        LndMessage view() {
            return new LndMessage().wrap(MemorySegment.ofArray(bytes), 0);
        }
    }

    @Provide
    Arbitrary<Sample> samples() {
        return Combinators.combine(
                        Arbitraries.of(MessageType.class),
                        Arbitraries.of(ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN),
                        Arbitraries.integers().between(1, 257),
                        Arbitraries.integers().between(0, Protocol.MAX_IMMEDIATE),
                        Arbitraries.longs(),
                        Arbitraries.of(Checksum.class).injectNull(0.5))
                .as(ValidationTest::sample);
    }

    private static Sample sample(
            MessageType type, ByteOrder order, int fragments, int payload, long seed, @Nullable Checksum checksum) {
        MemorySegment buffer = MemorySegment.ofArray(new byte[Protocol.MESSAGE_SIZE]);
        LndMessage message = new LndMessage().wrap(buffer, 0).begin(type, order);
        message.header()
                .credits((int) seed & 0xff)
                .sourceNid(PEER)
                .sourceStamp(seed)
                .destinationNid(US)
                .destinationStamp(~seed);
        if (type.hasDescriptor()) {
            RdmaDescriptor descriptor = message.describe((int) seed, fragments);
            for (int i = 0; i < fragments; i++) {
                descriptor.fragment(i, 4096 + i, seed * (i + 1));
            }
        } else if (type == MessageType.IMMEDIATE) {
            message.payloadLength(payload);
        }
        message.finish(checksum);
        byte[] bytes = buffer.asSlice(0, message.header().length()).toArray(ValueLayout.JAVA_BYTE);
        return new Sample(type, order, bytes);
    }

    @Provide
    Arbitrary<Sample> described() {
        return Combinators.combine(
                        Arbitraries.of(MessageType.PUT_ACK, MessageType.GET_REQ),
                        Arbitraries.of(ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN),
                        Arbitraries.integers().between(1, 257),
                        Arbitraries.longs())
                .as((type, order, fragments, seed) -> sample(type, order, fragments, 0, seed, null));
    }

    @Provide
    Arbitrary<Integer> badCounts() {
        return Arbitraries.oneOf(
                Arbitraries.integers().between(Integer.MIN_VALUE, 0),
                Arbitraries.integers().between(1, 300));
    }

    @Property
    void writtenMessagesAreReadBack(@ForAll("samples") Sample sample) {
        LndMessage view = sample.view();
        assertThat(view.parse(sample.bytes.length)).isEqualTo(MessageDefect.NONE);
        assertThat(view.type()).isEqualTo(sample.type);
        assertThat(view.order()).isEqualTo(sample.order);
        assertThat(view.header().length()).isEqualTo(sample.bytes.length);
        assertThat(view.toString()).startsWith(sample.type.name());
    }

    @Property
    void contentSurvivesAChangeOfByteOrder(@ForAll("samples") Sample sample) {
        Assume.that(sample.type != MessageType.IMMEDIATE
                && sample.type != MessageType.PUT_REQ
                && sample.type != MessageType.GET_REQ);
        LndMessage view = sample.view();
        view.parse(sample.bytes.length);
        ByteOrder other = sample.order == ByteOrder.BIG_ENDIAN ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
        byte[] swapped = Rewriter.rewrite(view, MemorySegment.ofArray(sample.bytes), other);
        LndMessage again = new LndMessage().wrap(MemorySegment.ofArray(swapped), 0);
        assertThat(again.parse(swapped.length)).isEqualTo(MessageDefect.NONE);
        assertThat(again.toString()).isEqualTo(view.toString());
    }

    @Property
    void aCutMessageIsNeverAcceptedAsComplete(
            @ForAll("samples") Sample sample, @ForAll @IntRange(min = 0, max = 4095) int length) {
        Assume.that(length < sample.bytes.length);
        byte[] cut = Arrays.copyOf(sample.bytes, length);
        LndMessage view = new LndMessage().wrap(MemorySegment.ofArray(cut), 0);
        MessageDefect expected = length < 6
                ? MessageDefect.TOO_SHORT_FOR_VERSION
                : length < 48 ? MessageDefect.TOO_SHORT_FOR_HEADER : MessageDefect.LENGTH_BEYOND_RECEIVED;
        assertThat(view.parse(length)).isEqualTo(expected);
    }

    @Property
    void bytesAfterTheMessageDoNotMatter(@ForAll("samples") Sample sample, @ForAll @Size(max = 200) byte[] tail) {
        byte[] padded = Arrays.copyOf(sample.bytes, sample.bytes.length + tail.length);
        System.arraycopy(tail, 0, padded, sample.bytes.length, tail.length);
        LndMessage view = new LndMessage().wrap(MemorySegment.ofArray(padded), 0);
        assertThat(view.parse(padded.length)).isEqualTo(MessageDefect.NONE);
        assertThat(view.header().length()).isEqualTo(sample.bytes.length);
    }

    @Property
    void randomBytesNeverThrow(@ForAll @Size(max = 400) byte[] bytes) {
        LndMessage view = new LndMessage().wrap(MemorySegment.ofArray(bytes), 0);
        assertThat(view.parse(bytes.length)).isNotEqualTo(MessageDefect.NONE);
        assertThat(new RejectData().parse(MemorySegment.ofArray(bytes), 0, bytes.length))
                .isNotNull();
    }

    @Property(tries = 3000)
    void aFlippedBitNeverThrowsAndAnAcceptedMessageIsWithinBounds(
            @ForAll("samples") Sample sample, @ForAll @IntRange(min = 0, max = 160 * 8 - 1) int bit) {
        byte[] bytes = sample.bytes.clone();
        int at = bit % (bytes.length * 8);
        bytes[at / 8] ^= (byte) (1 << at % 8);
        LndMessage view = new LndMessage().wrap(MemorySegment.ofArray(bytes), 0);
        MessageDefect defect = view.parse(bytes.length);
        boolean summed = checksum(sample) != 0;
        if (summed && at / 8 >= 6 && !(at / 8 >= 12 && at / 8 < 16 && checksum(bytes, sample.order) == 0)) {
            assertThat(defect).isIn(MessageDefect.BAD_CHECKSUM, MessageDefect.LENGTH_BEYOND_RECEIVED);
        }
        if (defect == MessageDefect.NONE) {
            assertThat(view.toString()).isNotEmpty();
            assertThat(view.header().length()).isBetween((long) view.type().minimumLength(), (long) bytes.length);
            if (view.type().hasDescriptor()) {
                assertThat(view.descriptor().fragmentCount()).isBetween(1, 257);
                assertThat(view.descriptor().totalLength()).isPositive();
            }
        }
    }

    private static int checksum(Sample sample) {
        return checksum(sample.bytes, sample.order);
    }

    private static int checksum(byte[] bytes, ByteOrder order) {
        return ByteBuffer.wrap(bytes).order(order).getInt(12);
    }

    /** One defect at a time, in the order of the checks; each is added to all later ones. */
    @Property
    void theFirstDefectIsTheOneReported(@ForAll("described") Sample sample) {
        byte[] bytes = sample.bytes.clone();
        MemorySegment segment = MemorySegment.ofArray(bytes);
        LndMessage view = new LndMessage().wrap(segment, 0);
        int count = sample.type == MessageType.PUT_ACK ? 68 : 132;
        List<MessageDefect> found = new ArrayList<>();
        found.add(view.parse(bytes.length));
        // Fewer bytes than the fragments need.
        view.header().length(view.header().length() - 1);
        found.add(view.parse(bytes.length));
        segment.set(ValueLayout.JAVA_INT_UNALIGNED.withOrder(sample.order), count, 258);
        found.add(view.parse(bytes.length));
        view.header().length(sample.type.minimumLength() - 1);
        found.add(view.parse(bytes.length));
        view.header().typeCode(0xd8);
        found.add(view.parse(bytes.length));
        view.header().sourceNid(Nid.ANY);
        found.add(view.parse(bytes.length));
        view.header().checksum(1);
        found.add(view.parse(bytes.length));
        view.header().length(bytes.length + 1);
        found.add(view.parse(bytes.length));
        found.add(view.parse(47));
        view.header().version(0x13);
        found.add(view.parse(bytes.length));
        view.header().magic(Protocol.FUTURE_MAGIC);
        found.add(view.parse(bytes.length));
        found.add(view.parse(5));
        assertThat(found)
                .containsExactly(
                        MessageDefect.NONE,
                        MessageDefect.TOO_SHORT_FOR_FRAGMENTS,
                        MessageDefect.BAD_FRAGMENT_COUNT,
                        MessageDefect.TOO_SHORT_FOR_TYPE,
                        MessageDefect.UNKNOWN_TYPE,
                        MessageDefect.WILDCARD_SOURCE,
                        MessageDefect.BAD_CHECKSUM,
                        MessageDefect.LENGTH_BEYOND_RECEIVED,
                        MessageDefect.TOO_SHORT_FOR_HEADER,
                        MessageDefect.BAD_VERSION,
                        MessageDefect.BAD_MAGIC,
                        MessageDefect.TOO_SHORT_FOR_VERSION);
    }

    @Property
    void fragmentCountsOutsideTheLimitAreRefused(
            @ForAll("described") Sample sample,
            @ForAll("badCounts") int count,
            @ForAll @IntRange(min = 1, max = 257) int limit) {
        Assume.that(count <= 0 || count > limit);
        int at = sample.type == MessageType.PUT_ACK ? 68 : 132;
        MemorySegment segment = MemorySegment.ofArray(sample.bytes.clone());
        segment.set(ValueLayout.JAVA_INT_UNALIGNED.withOrder(sample.order), at, count);
        assertThat(new LndMessage(limit).wrap(segment, 0).parse(segment.byteSize()))
                .isEqualTo(MessageDefect.BAD_FRAGMENT_COUNT);
    }

    @Property
    void onlyMessagesOfTheSessionAreTaken(
            @ForAll("samples") Sample sample, @ForAll @IntRange(min = 0, max = 3) int off) {
        LndMessage view = sample.view();
        view.parse(sample.bytes.length);
        long stamp = view.header().sourceStamp();
        assertThat(view.checkSession(US, ~stamp, PEER, stamp))
                .isEqualTo(sample.type.isConnectionMessage() ? MessageDefect.TYPE_NOT_ON_QP : MessageDefect.NONE);
        Nid other = Nid.parse("10.0.0.3@o2ib");
        MessageDefect defect = view.checkSession(
                off == 0 ? other : US,
                off == 1 ? 5 + ~stamp : ~stamp,
                off == 2 ? other : PEER,
                off == 3 ? stamp - 1 : stamp);
        assertThat(defect).isEqualTo(off % 2 == 0 ? MessageDefect.WRONG_NID : MessageDefect.WRONG_STAMP);
        assertThat(defect.errno().number()).isEqualTo(116);
    }
}
