// SPDX-License-Identifier: Apache-2.0
package dev.verbena.fault;

import java.time.Duration;

/**
 * The effect of a {@link LinkRule} on a packet. A {@code Verdict} is immutable, so a {@code LinkRule} can return the
 * same {@code Verdict} for several packets.
 *
 * @since 1.0
 */
public sealed interface Verdict {
    /** The verdict {@link Pass}. */
    Verdict PASS = new Pass();

    /** The verdict {@link Drop}. */
    Verdict DROP = new Drop();

    /** The verdict {@link Hold}. */
    Verdict HOLD = new Hold();

    /**
     * The next {@link LinkRule} decides about the packet. If the last rule of a link returns PASS, the link delivers the
     * packet unchanged.
     *
     * @since 1.0
     */
    record Pass() implements Verdict {}

    /**
     * The packet is lost.
     *
     * @since 1.0
     */
    record Drop() implements Verdict {}

    /**
     * The packet is delivered several times.
     *
     * @param extraCopies the number of additional deliveries of the packet, at least 1
     * @since 1.0
     */
    record Duplicate(int extraCopies) implements Verdict {
        /** Checks that the number of deliveries is at least 1. */
        public Duplicate {
            if (extraCopies < 1) {
                throw new IllegalArgumentException("a duplicate needs at least 1 extra copy, not " + extraCopies);
            }
        }
    }

    /**
     * The link delays the packet longer than usual, so that later packets may overtake the delayed packet.
     *
     * @param by the additional delay, not negative
     * @since 1.0
     */
    record Delay(Duration by) implements Verdict {
        /** Checks that the delay is not negative. */
        public Delay {
            if (by.isNegative()) {
                throw new IllegalArgumentException("a delay cannot be negative: " + by);
            }
        }
    }

    /**
     * The link inverts a bit in a copy of the transport packet (from the BTH to the ICRC), not in the sender's memory.
     *
     * @param bit the index of the bit, taken modulo the number of bits in the packet
     * @since 1.0
     */
    record Corrupt(long bit) implements Verdict {}

    /**
     * The receiver gets a truncated copy of the packet. The headers of the truncated copy state the full packet length.
     *
     * @param bytes the maximum length of the truncated transport packet (from the BTH on), not negative; a shorter packet
     *     is not changed
     * @since 1.0
     */
    record Truncate(int bytes) implements Verdict {
        /** Checks that the length is not negative. */
        public Truncate {
            if (bytes < 0) {
                throw new IllegalArgumentException("a packet cannot be cut to " + bytes + " bytes");
            }
        }
    }

    /**
     * The packet waits on its link until the rule with this verdict is removed. When the rule is removed, the link applies
     * its remaining rules to the waiting packets, in the order of sending. While a link has the maximum number of waiting
     * packets, it drops further packets.
     *
     * @since 1.0
     */
    record Hold() implements Verdict {}
}
