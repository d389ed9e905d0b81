// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.lnet.LnetHeaders;
import dev.verbena.lnet.Nid;
import dev.verbena.lnet.ProcessId;
import dev.verbena.lnet.WireHandle;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Byte vectors that were packed by hand from the layouts. */
class GoldenVectorTest {

    private static final Nid A = Nid.parse("10.0.0.1@o2ib");
    private static final Nid B = Nid.parse("10.0.0.2@o2ib");
    private static final long STAMP_A = 0x0006123456789ABCL;
    private static final long STAMP_B = 0x000612345678DEF0L;

    private final MemorySegment buffer = MemorySegment.ofArray(new byte[Protocol.MESSAGE_SIZE]);
    private final LndMessage message = new LndMessage().wrap(buffer, 0);

    private void write(MessageType type, ByteOrder order) {
        boolean fromA = type != MessageType.CONNACK && type != MessageType.PUT_ACK && type != MessageType.GET_DONE;
        message.begin(type, order)
                .header()
                .sourceNid(fromA ? A : B)
                .sourceStamp(fromA ? STAMP_A : STAMP_B)
                .destinationNid(fromA ? B : A)
                .destinationStamp(fromA ? STAMP_B : STAMP_A);
    }

    private byte[] written() {
        return buffer.asSlice(0, message.header().length()).toArray(ValueLayout.JAVA_BYTE);
    }

    private void read(String hex) {
        byte[] bytes = GoldenVectors.bytes(hex);
        message.wrap(MemorySegment.ofArray(bytes), 0);
        assertThat(message.parse(bytes.length)).isEqualTo(MessageDefect.NONE);
    }

    @Test
    void connreq() {
        write(MessageType.CONNREQ, ByteOrder.LITTLE_ENDIAN);
        message.header().destinationStamp(0);
        message.connParams().set(8, 257, 4096);
        assertThat(written()).isEqualTo(GoldenVectors.bytes(GoldenVectors.CONNREQ));
    }

    @Test
    void connreqOfBigEndianHost() {
        write(MessageType.CONNREQ, ByteOrder.BIG_ENDIAN);
        message.header().destinationStamp(0);
        message.connParams().set(8, 257, 4096);
        assertThat(written()).isEqualTo(GoldenVectors.bytes(GoldenVectors.CONNREQ_BIG_ENDIAN));
    }

    @Test
    void connreqsOfBothByteOrdersSayTheSame() {
        read(GoldenVectors.CONNREQ);
        String little = message.toString();
        assertThat(message.order()).isEqualTo(ByteOrder.LITTLE_ENDIAN);
        read(GoldenVectors.CONNREQ_BIG_ENDIAN);
        assertThat(message.order()).isEqualTo(ByteOrder.BIG_ENDIAN);
        assertThat(message.toString()).isEqualTo(little);
        assertThat(message.connParams().queueDepth()).isEqualTo(8);
        assertThat(message.connParams().maxFragments()).isEqualTo(257);
        assertThat(message.connParams().maxMessageSize()).isEqualTo(4096);
        assertThat(message.header().sourceNid()).isEqualTo(A);
        assertThat(message.header().sourceStamp()).isEqualTo(STAMP_A);
    }

    @Test
    void connack() {
        write(MessageType.CONNACK, ByteOrder.LITTLE_ENDIAN);
        message.connParams().set(8, 257, 4096);
        assertThat(written()).isEqualTo(GoldenVectors.bytes(GoldenVectors.CONNACK));
    }

    @Test
    void connackPaddedByTheConnectionManager() {
        byte[] padded = Arrays.copyOf(GoldenVectors.bytes(GoldenVectors.CONNACK), 196);
        assertThat(message.wrap(MemorySegment.ofArray(padded), 0).parse(196)).isEqualTo(MessageDefect.NONE);
        assertThat(message.type()).isEqualTo(MessageType.CONNACK);
    }

    @ParameterizedTest
    @EnumSource(value = MessageType.class)
    void everyTypeIsReadInTheOrderItWasWritten(MessageType type) {
        write(type, ByteOrder.BIG_ENDIAN);
        if (type.hasDescriptor()) {
            message.describe(0x12345, 2).fragment(0, 65536, -0x777e7d5ccffL).fragment(1, 7, 8);
        }
        int length = (int) message.header().length();
        LndMessage other = new LndMessage().wrap(buffer, 0);
        assertThat(other.parse(length)).isEqualTo(MessageDefect.NONE);
        assertThat(other.type()).isEqualTo(type);
        if (type.hasDescriptor()) {
            assertThat(other.descriptor().fragmentAddress(0)).isEqualTo(-0x777e7d5ccffL);
            assertThat(other.descriptor().totalLength()).isEqualTo(65543);
        }
    }

    @Test
    void reject() {
        new RejectData()
                .begin(buffer, 0, 0x12, RejectReason.MSG_QUEUE_SIZE, ByteOrder.LITTLE_ENDIAN)
                .incarnation(STAMP_B)
                .connParams()
                .set(8, 257, 4096);
        assertThat(buffer.asSlice(0, 24).toArray(ValueLayout.JAVA_BYTE))
                .isEqualTo(GoldenVectors.bytes(GoldenVectors.REJECT));
    }

    @Test
    void noopThatReturnsFiveCredits() {
        write(MessageType.NOOP, ByteOrder.LITTLE_ENDIAN);
        message.header().credits(5);
        assertThat(written()).isEqualTo(GoldenVectors.bytes(GoldenVectors.NOOP));
    }

    @Test
    void immediateWithAnLnetPing() {
        write(MessageType.IMMEDIATE, ByteOrder.LITTLE_ENDIAN);
        message.header().credits(1);
        message.lnetHeader().wrap(buffer, LndMessage.BODY);
        LnetHeaders.rewrite(
                LnetHeaders.get(
                        ProcessId.of(A),
                        ProcessId.of(B),
                        new WireHandle(0x1122334455667788L, 0x104),
                        0,
                        0x8000000000000000L,
                        0,
                        272),
                message.lnetHeader());
        assertThat(written()).isEqualTo(GoldenVectors.bytes(GoldenVectors.IMMEDIATE));
    }

    @Test
    void checksumsOfThePing() {
        byte[] bytes = GoldenVectors.bytes(GoldenVectors.IMMEDIATE);
        MemorySegment segment = MemorySegment.ofArray(bytes);
        assertThat(Checksum.SIGNED_CHAR.compute(segment, 0, bytes.length)).isEqualTo(0x3837d603);
        assertThat(Checksum.UNSIGNED_CHAR.compute(segment, 0, bytes.length)).isEqualTo(0xdb7856c3);
    }

    @Test
    void putAck() {
        write(MessageType.PUT_ACK, ByteOrder.LITTLE_ENDIAN);
        message.putAckCookies(0x11, 0x22);
        message.describe(0x12345, 1).fragment(0, 65536, 0x123450200L);
        assertThat(written()).isEqualTo(GoldenVectors.bytes(GoldenVectors.PUT_ACK));
    }

    @Test
    void putDone() {
        write(MessageType.PUT_DONE, ByteOrder.LITTLE_ENDIAN);
        message.completion().set(0x22, 65536);
        assertThat(written()).hasSize(0x3c).endsWith(GoldenVectors.bytes("22 00 00 00 00 00 00 00 00 00 01 00"));
        assertThat(written()[6]).isEqualTo((byte) 0xd5);
    }

    @Test
    void getDoneWithoutData() {
        write(MessageType.GET_DONE, ByteOrder.LITTLE_ENDIAN);
        message.completion().set(0x33, -61);
        assertThat(written()).hasSize(0x3c).endsWith(GoldenVectors.bytes("33 00 00 00 00 00 00 00 c3 ff ff ff"));
        assertThat(written()[6]).isEqualTo((byte) 0xd7);
    }

    @Test
    void cookiesAreNotTurnedRoundForABigEndianPeer() {
        write(MessageType.PUT_ACK, ByteOrder.BIG_ENDIAN);
        message.putAckCookies(0x0102030405060708L, 2);
        message.describe(1, 1).fragment(0, 1, 1);
        byte[] echo = Arrays.copyOfRange(written(), 48, 56);
        write(MessageType.PUT_DONE, ByteOrder.LITTLE_ENDIAN);
        message.completion().set(0x0102030405060708L, 0);
        assertThat(Arrays.copyOfRange(written(), 48, 56)).isEqualTo(echo);
    }
}
