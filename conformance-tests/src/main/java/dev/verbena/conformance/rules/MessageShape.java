// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.rules;

import dev.verbena.conformance.arbitraries.Arbitrary;
import dev.verbena.conformance.arbitraries.Choices;
import dev.verbena.verbs.PathMtu;

/**
 * The length of a message in full packets and a rest, so that limits of packets are tested at every path MTU.
 *
 * @param fullPackets the number of packets with a full payload
 * @param rest the number of bytes to add, or to subtract if it is negative
 * @param offset the offset of the message in the memory of both devices, so that its address is unaligned
 */
public record MessageShape(PathMtu pathMtu, int fullPackets, int rest, int offset) {
    private static final int MOST_PACKETS = 9;
    private static final int MOST_OFFSET = 64;

    /** The size of a memory in bytes that is large enough for every message. */
    public static final long MOST_BYTES = (long) PathMtu.MTU_4096.bytes() * (MOST_PACKETS + 1) + MOST_OFFSET;

    public int length() {
        return Math.max(0, fullPackets * pathMtu.bytes() + rest);
    }

    /** Draws messages at the limits of packets, one byte beside these limits, or of any length. */
    public static final class Any implements Arbitrary<MessageShape> {
        public Any() {}

        @Override
        public MessageShape draw(Choices choices) {
            return new MessageShape(
                    choices.of(PathMtu.values()),
                    choices.between(0, MOST_PACKETS),
                    choices.of(true, false) ? choices.between(-1, 1) : choices.between(0, PathMtu.MTU_256.bytes()),
                    choices.between(0, MOST_OFFSET));
        }
    }
}
