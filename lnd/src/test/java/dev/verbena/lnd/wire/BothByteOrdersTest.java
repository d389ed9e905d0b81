// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.lnet.ping.PingInfo;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The golden vectors as hosts of either byte order send them. */
class BothByteOrdersTest {

    static Stream<String> vectors() {
        return Stream.of(
                GoldenVectors.CONNREQ,
                GoldenVectors.CONNACK,
                GoldenVectors.NOOP,
                GoldenVectors.IMMEDIATE,
                GoldenVectors.PUT_ACK,
                GoldenVectors.PUT_DONE,
                GoldenVectors.GET_DONE);
    }

    private static LndMessage read(byte[] bytes) {
        LndMessage message = new LndMessage().wrap(MemorySegment.ofArray(bytes), 0);
        assertThat(message.parse(bytes.length)).isEqualTo(MessageDefect.NONE);
        return message;
    }

    private static byte[] rewrite(byte[] bytes, ByteOrder order) {
        return Rewriter.rewrite(read(bytes), MemorySegment.ofArray(bytes), order);
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void eachVectorIsReadAndWrittenToTheByteInBothOrders(String vector) {
        byte[] little = GoldenVectors.bytes(vector);
        byte[] big = TurnedRound.message(read(little).type(), little);
        assertThat(read(little).order()).isEqualTo(ByteOrder.LITTLE_ENDIAN);
        assertThat(read(big).order()).isEqualTo(ByteOrder.BIG_ENDIAN);
        assertThat(read(big)).hasToString(read(little).toString());
        for (byte[] from : new byte[][] {little, big}) {
            assertThat(rewrite(from, ByteOrder.LITTLE_ENDIAN)).isEqualTo(little);
            assertThat(rewrite(from, ByteOrder.BIG_ENDIAN)).isEqualTo(big);
        }
    }

    /** The only vector of a big-endian host shows that the list of fields is right. */
    @Test
    void theConnreqTurnedIsThatOfABigEndianHost() {
        byte[] turned = TurnedRound.message(MessageType.CONNREQ, GoldenVectors.bytes(GoldenVectors.CONNREQ));
        assertThat(turned).isEqualTo(GoldenVectors.bytes(GoldenVectors.CONNREQ_BIG_ENDIAN));
    }

    @Test
    void aRejectionIsReadAndWrittenToTheByteInBothOrders() {
        byte[] little = GoldenVectors.bytes(GoldenVectors.REJECT);
        byte[] big = TurnedRound.rejection(little);
        for (byte[] from : new byte[][] {little, big}) {
            RejectData data = new RejectData();
            assertThat(data.parse(MemorySegment.ofArray(from), 0, from.length)).isEqualTo(MessageDefect.NONE);
            assertThat(Rewriter.rewrite(data, from.length, ByteOrder.LITTLE_ENDIAN))
                    .isEqualTo(little);
            assertThat(Rewriter.rewrite(data, from.length, ByteOrder.BIG_ENDIAN))
                    .isEqualTo(big);
        }
    }

    @Test
    void aPingsAnswerIsReadAndWrittenByteForByteInBothOrders() {
        byte[] little = GoldenVectors.bytes(GoldenVectors.PING_INFO);
        byte[] big = TurnedRound.pingInfo(little);
        for (byte[] from : new byte[][] {little, big}) {
            PingInfo info = PingInfo.decode(from);
            assertThat(info.encode(ByteOrder.LITTLE_ENDIAN)).isEqualTo(little);
            assertThat(info.encode(ByteOrder.BIG_ENDIAN)).isEqualTo(big);
        }
    }
}
