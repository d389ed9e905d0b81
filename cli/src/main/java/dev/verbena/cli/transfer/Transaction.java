// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.transfer;

import java.util.concurrent.ThreadLocalRandom;

/**
 * The number that distinguishes a transfer from earlier ones between the same nodes, 0 to 2^48 - 1. The match bits of a
 * transfer's PUTs and GETs contain these 48 random bits, above 16 bits for the control message or the section.
 */
public record Transaction(long id) {
    private static final int LOW_BITS = 16;
    private static final int LOW_MASK = (1 << LOW_BITS) - 1;

    public static Transaction draw() {
        return of(ThreadLocalRandom.current().nextLong());
    }

    /** The transaction in match bits. */
    static Transaction of(long matchBits) {
        return new Transaction(matchBits >>> LOW_BITS);
    }

    /** The low bits of match bits: the control message or the section. */
    static int low(long matchBits) {
        return (int) matchBits & LOW_MASK;
    }

    long bits(long low) {
        if (low < 0 || low > LOW_MASK) {
            throw new IllegalArgumentException(low + " does not fit into " + LOW_BITS + " bits");
        }
        return id << LOW_BITS | low;
    }
}
