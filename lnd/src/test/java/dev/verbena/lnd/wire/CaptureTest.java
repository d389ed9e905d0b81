// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Messages between real LNet nodes: all are valid, and each is written again to the same bytes. */
class CaptureTest {

    private static final int CONSUMER_DEFINED = 28;

    static Stream<String> files() {
        return Captures.expected().keySet().stream();
    }

    @ParameterizedTest
    @MethodSource("files")
    void everyMessageIsValidAndIsWrittenAgainToTheSameBytesInBothOrders(String file) {
        for (Captures.Message message : Captures.read(file)) {
            if (message.carrier() == Captures.Carrier.CM_REJ) {
                continue;
            }
            MemorySegment bytes = MemorySegment.ofArray(message.bytes());
            LndMessage view = new LndMessage().wrap(bytes, 0);
            MessageDefect defect = view.parse(bytes.byteSize());
            if (hasChecksumThatSkippedThePayload(message)) {
                assertThat(defect).as("%s", message).isEqualTo(MessageDefect.BAD_CHECKSUM);
                continue;
            }
            assertThat(defect).as("%s", message).isEqualTo(MessageDefect.NONE);
            byte[] expected = Arrays.copyOf(message.bytes(), (int) view.header().length());
            assertThat(Rewriter.rewrite(view, bytes, ByteOrder.LITTLE_ENDIAN))
                    .as("%s: %s", message, view)
                    .isEqualTo(expected);
            byte[] big = Rewriter.rewrite(view, bytes, ByteOrder.BIG_ENDIAN);
            if (view.header().checksum() == 0) {
                assertThat(big).as("%s: %s", message, view).isEqualTo(TurnedRound.message(view.type(), expected));
            }
            MemorySegment turned = MemorySegment.ofArray(big);
            assertThat(view.wrap(turned, 0).parse(big.length)).as("%s", message).isEqualTo(MessageDefect.NONE);
            assertThat(Rewriter.rewrite(view, turned, ByteOrder.LITTLE_ENDIAN))
                    .as("%s: %s", message, view)
                    .isEqualTo(expected);
        }
    }

    /** The sender sums zeros instead of the payload that it gathers from elsewhere; a known fault of real nodes. */
    private static boolean hasChecksumThatSkippedThePayload(Captures.Message message) {
        return message.file().equals("cksum_ping") && message.frame() == 6;
    }

    @ParameterizedTest
    @MethodSource("files")
    void everyRejectionIsWrittenAgainToTheSameBytes(String file) {
        for (Captures.Message message : Captures.read(file)) {
            if (message.carrier() != Captures.Carrier.CM_REJ || message.rejectReason() != CONSUMER_DEFINED) {
                continue;
            }
            RejectData data = new RejectData();
            assertThat(data.parse(MemorySegment.ofArray(message.bytes()), 0, message.bytes().length))
                    .as("%s", message)
                    .isEqualTo(MessageDefect.NONE);
            assertThat(data.isComplete()).isTrue();
            byte[] again = Rewriter.rewrite(data, message.bytes().length, ByteOrder.LITTLE_ENDIAN);
            assertThat(again).as("%s: %s", message, data).isEqualTo(message.bytes());
        }
    }

    @ParameterizedTest
    @MethodSource("files")
    void theMessagesAreThoseThatAnotherDecoderCounted(String file) {
        Map<String, Integer> counts = new TreeMap<>();
        for (Captures.Message message : Captures.read(file)) {
            MemorySegment bytes = MemorySegment.ofArray(message.bytes());
            if (message.carrier() == Captures.Carrier.CM_REJ) {
                counts.merge("REJ", 1, Integer::sum);
                if (message.rejectReason() == CONSUMER_DEFINED) {
                    RejectData data = new RejectData();
                    data.parse(bytes, 0, bytes.byteSize());
                    counts.merge(String.valueOf(RejectReason.of(data.reasonCode())), 1, Integer::sum);
                }
            } else {
                LndMessage view = new LndMessage().wrap(bytes, 0);
                view.parse(bytes.byteSize());
                counts.merge(String.valueOf(MessageType.of(view.header().typeCode())), 1, Integer::sum);
            }
        }
        assertThat(counts).isEqualTo(Captures.expected().get(file));
    }

    @Test
    void theCapturesHoldEveryTypeOfMessageThatRealNodesWereSeenToSend() {
        assertThat(Captures.expected().values().stream().flatMap(m -> m.keySet().stream()))
                .contains(Stream.of(MessageType.values())
                        .filter(type -> type != MessageType.PUT_NAK)
                        .map(Enum::name)
                        .toArray(String[]::new));
    }
}
