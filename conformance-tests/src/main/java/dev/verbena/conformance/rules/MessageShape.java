// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.rules;

import dev.verbena.conformance.arbitraries.Arbitrary;
import dev.verbena.conformance.arbitraries.Choices;
import dev.verbena.conformance.arbitraries.From;
import dev.verbena.verbs.PathMtu;

/**
 * A message described by the packets it takes, so that its edges stay edges at any path MTU.
 *
 * @param pathMtu the most that a packet may carry
 * @param fullPackets packets that are filled to the edge
 * @param rest bytes more, or less if negative
 * @param offset where it begins in the memory of either side, so that nothing is aligned by luck
 */
public record MessageShape(PathMtu pathMtu, int fullPackets, int rest, int offset) {
    private static final int MOST_PACKETS = 9;
    private static final int MOST_OFFSET = 64;

    /** Bytes of memory that hold every shape. */
    public static final long MOST_BYTES = (long) PathMtu.MTU_4096.bytes() * (MOST_PACKETS + 1) + MOST_OFFSET;

    /**
     * Returns the length of the message.
     *
     * @return bytes, 0 or more
     */
    public int length() {
        return Math.max(0, fullPackets * pathMtu.bytes() + rest);
    }

    /** Shapes that lie on the edges of packets, next to them, or anywhere. */
    public static final class Any implements Arbitrary<MessageShape> {
        /** For {@link From}. */
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
