// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet.selftest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.lnd.wire.Captures;
import dev.verbena.lnd.wire.LndMessage;
import dev.verbena.lnd.wire.MessageType;
import dev.verbena.lnet.Nid;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The 160 bytes, held against those of real nodes. */
class SelftestMessageTest {

    private static final int NOBODY = 160 + LndMessage.IMMEDIATE_PAYLOAD;

    /** All messages of lnet_selftest in a capture. */
    private static List<byte[]> selftest(String file) {
        List<byte[]> found = new ArrayList<>();
        for (Captures.Message message : Captures.read(file)) {
            byte[] bytes = message.bytes();
            if (message.carrier() == Captures.Carrier.SEND && bytes.length == NOBODY) {
                LndMessage view = new LndMessage().wrap(MemorySegment.ofArray(bytes), 0);
                view.parse(bytes.length);
                if (view.type() == MessageType.IMMEDIATE) {
                    found.add(Arrays.copyOfRange(bytes, LndMessage.IMMEDIATE_PAYLOAD, bytes.length));
                }
            }
        }
        return found;
    }

    private static byte[] encode(SelftestMessage message, ByteOrder order) {
        SelftestRequest request = message.request();
        SelftestReply reply = message.reply();
        if (request != null) {
            return SelftestMessage.encode(order, message.features(), request);
        }
        assertThat(reply).isNotNull();
        return SelftestMessage.encode(order, message.features(), reply);
    }

    @Test
    void everyMessageOfEveryCaptureIsReadAndWrittenToTheByte() {
        Map<SelftestService, Integer> requests = new EnumMap<>(SelftestService.class);
        Map<SelftestService, Integer> replies = new EnumMap<>(SelftestService.class);
        for (String file : Captures.expected().keySet()) {
            for (byte[] bytes : selftest(file)) {
                SelftestMessage message = SelftestMessage.decode(bytes);
                assertThat(message).as(file).isNotNull();
                assertThat(encode(message, message.order()))
                        .as("%s %s", file, message)
                        .isEqualTo(bytes);
                if (message.request() != null) {
                    requests.merge(message.request().service(), 1, Integer::sum);
                } else {
                    replies.merge(message.reply().service(), 1, Integer::sum);
                }
            }
        }
        assertThat(requests.keySet())
                .contains(
                        SelftestService.MAKE_SESSION,
                        SelftestService.TEST,
                        SelftestService.BRW,
                        SelftestService.PING,
                        SelftestService.QUERY_STAT,
                        SelftestService.REMOVE_SESSION);
        assertThat(replies).containsAllEntriesOf(Map.of(SelftestService.PING, requests.get(SelftestService.PING)));
    }

    @Test
    void theOtherByteOrderReadsTheSame() {
        for (byte[] bytes : selftest("lst_ping")) {
            SelftestMessage message = SelftestMessage.decode(bytes);
            assertThat(message).isNotNull();
            SelftestMessage swapped = SelftestMessage.decode(encode(message, ByteOrder.BIG_ENDIAN));
            assertThat(swapped).isNotNull();
            assertThat(swapped.order()).isEqualTo(ByteOrder.BIG_ENDIAN);
            assertThat(List.of(message.request() == null ? message.reply() : message.request()))
                    .containsExactly(swapped.request() == null ? swapped.reply() : swapped.request());
        }
    }

    /** Values of the reference, written by hand. */
    @Test
    void uncapturedRequestsAreWrittenAsInTheReference() {
        SessionId session = new SessionId(Nid.parse("10.77.0.2@o2ib"), 0x1234);
        byte[] batch = SelftestMessage.encode(
                ByteOrder.LITTLE_ENDIAN, 1, new SelftestRequest.Batch(0x55, session, 4, 1, 0, 9));
        assertThat(HexFormat.of().formatHex(batch, 0, 72))
                .isEqualTo("0df0b0ee" + "01000000" + "04000000" + "0000000000000000" + "01000000" + "5500000000000000"
                        + "02004d0a00000500" + "3412000000000000" + "0400000000000000" + "01000000" + "00000000"
                        + "09000000" + "00000000");
        byte[] debug = SelftestMessage.encode(
                ByteOrder.BIG_ENDIAN, 1, new SelftestReply.Debug(0, session, 100, 2, "s".repeat(40)));
        assertThat(HexFormat.of().formatHex(debug, 0, 60))
                .isEqualTo("eeb0f00d" + "00000001" + "0000000b" + "0000000000000000" + "00000001" + "00000000"
                        + "000500000a4d0002" + "0000000000001234" + "00000064" + "00000002" + "7373737373737373");
        assertThat(debug[24 + 28 + 30]).isEqualTo((byte) 's');
        assertThat(debug[24 + 28 + 31]).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0df0b0ef0100000000000000",
                "0df0b0ee0200000000000000",
                "0df0b0ee0100000012000000",
                "0df0b0ee01000000ffffffff"
            })
    void invalidBytesAreNotReadAsAMessage(String start) {
        byte[] bytes = Arrays.copyOf(HexFormat.of().parseHex(start), SelftestMessage.LENGTH);
        assertThat(SelftestMessage.decode(bytes)).isNull();
        assertThat(SelftestMessage.decode(Arrays.copyOf(bytes, 100))).isNull();
    }
}
