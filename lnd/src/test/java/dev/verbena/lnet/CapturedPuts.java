// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

import dev.verbena.lnd.wire.Captures;
import dev.verbena.lnd.wire.LndMessage;
import dev.verbena.lnd.wire.MessageDefect;
import dev.verbena.lnd.wire.MessageType;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The small LNet messages with payload that real nodes exchanged. */
public final class CapturedPuts {

    /** A PUT, or with portal -1 the REPLY to a GET. */
    public record Put(int from, int portal, long matchBits, byte[] payload) {}

    private CapturedPuts() {}

    /** Those of a capture, in order. */
    public static List<Put> of(String file) {
        List<Put> found = new ArrayList<>();
        for (Captures.Message message : Captures.read(file)) {
            if (message.carrier() != Captures.Carrier.SEND) {
                continue;
            }
            byte[] bytes = message.bytes();
            LndMessage view = new LndMessage().wrap(MemorySegment.ofArray(bytes), 0);
            boolean whole = view.parse(bytes.length) == MessageDefect.NONE;
            if (whole && view.type() == MessageType.IMMEDIATE) {
                LnetHeader header = view.lnetHeader();
                LnetMessageType type = LnetMessageType.of(header.typeCode());
                byte[] payload = Arrays.copyOfRange(bytes, LndMessage.IMMEDIATE_PAYLOAD, bytes.length);
                if (type == LnetMessageType.PUT) {
                    found.add(new Put(message.from(), (int) header.putPortal(), header.matchBits(), payload));
                } else if (type == LnetMessageType.REPLY) {
                    found.add(new Put(message.from(), -1, 0, payload));
                }
            }
        }
        return found;
    }
}
