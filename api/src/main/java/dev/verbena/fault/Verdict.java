// SPDX-License-Identifier: Apache-2.0
package dev.verbena.fault;

import java.time.Duration;

/**
 * The effect of a {@link LinkRule} on a packet. Immutable; rules keep and reuse their verdicts.
 *
 * @since 1.0
 */
public sealed interface Verdict {
    /** The next rule judges the packet; after the last rule the packet is delivered. */
    Verdict PASS = new Pass();

    /** The packet is lost. */
    Verdict DROP = new Drop();

    /** The packet waits on its link. */
    Verdict HOLD = new Hold();

    /**
     * The packet is delivered unchanged, or judged by the next rule.
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
     * @param extraCopies how many more than one, at least 1
     * @since 1.0
     */
    record Duplicate(int extraCopies) implements Verdict {
        /** Checks the range. */
        public Duplicate {
            if (extraCopies < 1) {
                throw new IllegalArgumentException("a duplicate needs at least 1 extra copy, not " + extraCopies);
            }
        }
    }

    /**
     * The packet is delivered later than the link's own delay, so that packets sent after it may overtake it.
     *
     * @param by how much later, not negative
     * @since 1.0
     */
    record Delay(Duration by) implements Verdict {
        /** Checks the range. */
        public Delay {
            if (by.isNegative()) {
                throw new IllegalArgumentException("a delay cannot be negative: " + by);
            }
        }
    }

    /**
     * A bit of the transport packet (from the base transport header to the ICRC) is inverted in a copy; the sender's memory
     * is never touched.
     *
     * @param bit which one; taken modulo the number of bits there are
     * @since 1.0
     */
    record Corrupt(long bit) implements Verdict {}

    /**
     * Only the beginning of the packet is delivered, in a copy whose headers state the full length.
     *
     * @param bytes how many bytes of the transport packet (from the base transport header on) are left, not negative; a
     *     packet that is not longer is delivered unchanged
     * @since 1.0
     */
    record Truncate(int bytes) implements Verdict {
        /** Checks the range. */
        public Truncate {
            if (bytes < 0) {
                throw new IllegalArgumentException("a packet cannot be cut to " + bytes + " bytes");
            }
        }
    }

    /**
     * The packet waits on its link until a commanded rule ends; then the waiting packets are judged again, in their
     * order. A link holds a limited number of packets and loses further ones, as a full queue does.
     *
     * @since 1.0
     */
    record Hold() implements Verdict {}
}
