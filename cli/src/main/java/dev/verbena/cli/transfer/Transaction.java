// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.transfer;

import java.util.concurrent.ThreadLocalRandom;

/**
 * The transaction number, 0 to 2^48 - 1, which distinguishes a transfer from earlier transfers between the same nodes.
 * The match bits of a transfer's messages contain the transaction number, which is random, above 16 bits for the
 * control message or the section.
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

    /** Returns the low bits of match bits, which contain the control message or the section number. */
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
