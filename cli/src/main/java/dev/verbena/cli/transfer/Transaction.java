// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.transfer;

import java.util.concurrent.ThreadLocalRandom;

/**
 * The random transaction id of a transfer, 0 to 2^48 - 1, which distinguishes the transfer from earlier transfers between
 * the same nodes. Each message of a transfer contains the transaction id in the upper 48 of its 64 match bits. The lower 16
 * match bits contain the type of a control message, or the index of a file chunk.
 */
public record Transaction(long id) {
    private static final int LOW_BITS = 16;
    private static final int LOW_MASK = (1 << LOW_BITS) - 1;

    public static Transaction draw() {
        return of(ThreadLocalRandom.current().nextLong());
    }

    static Transaction of(long matchBits) {
        return new Transaction(matchBits >>> LOW_BITS);
    }

    /** Returns the lower 16 match bits, which contain the type of a control message or the index of a file chunk. */
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
