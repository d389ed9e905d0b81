// SPDX-License-Identifier: Apache-2.0
package dev.verbena.fault;

import java.time.Duration;

/**
 * The action that a fault rule ({@link LinkRule}) returns for a packet. A {@code Verdict} is immutable, so a fault rule can
 * return the same {@code Verdict} for several packets.
 *
 * @since 1.0
 */
public sealed interface Verdict {
    /** The action {@link Pass}. */
    Verdict PASS = new Pass();

    /** The action {@link Drop}. */
    Verdict DROP = new Drop();

    /** The action {@link Hold}. */
    Verdict HOLD = new Hold();

    /**
     * The link applies its next fault rule to the packet. If the last fault rule of a link returns PASS, the link delivers
     * the packet unchanged.
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
     * The link queues the packet until the fault rule that returned HOLD is removed. When a fault rule is removed, the link
     * applies its remaining fault rules to the queued packets, in the order of sending. While this queue is full, the link
     * drops further packets with the action HOLD.
     *
     * @since 1.0
     */
    record Hold() implements Verdict {}
}
