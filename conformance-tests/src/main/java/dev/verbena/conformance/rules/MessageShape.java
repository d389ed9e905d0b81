// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.rules;

import dev.verbena.conformance.arbitraries.Arbitrary;
import dev.verbena.conformance.arbitraries.Choices;
import dev.verbena.verbs.PathMtu;

/**
 * The length of a message, as a number of full packets and a remainder, so that rules test lengths near multiples of
 * each path MTU.
 *
 * @param fullPackets the number of packets with a full payload (one path MTU)
 * @param rest the number of bytes by which the message is longer than {@code fullPackets} packets; negative if the
 *     message is shorter
 * @param offset the offset of the message in the memory of each device, in bytes; most offsets result in an unaligned
 *     address
 */
public record MessageShape(PathMtu pathMtu, int fullPackets, int rest, int offset) {
    private static final int MOST_PACKETS = 9;
    private static final int MOST_OFFSET = 64;

    /** The size in bytes of a buffer that has space for the message of any {@code MessageShape}. */
    public static final long MOST_BYTES = (long) PathMtu.MTU_4096.bytes() * (MOST_PACKETS + 1) + MOST_OFFSET;

    public int length() {
        return Math.max(0, fullPackets * pathMtu.bytes() + rest);
    }

    /**
     * Creates a message of random content. The length of the message is a multiple of the path MTU, or differs from a
     * multiple by one byte, or is a random number.
     */
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
