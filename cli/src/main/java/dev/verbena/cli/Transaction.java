package dev.verbena.cli;

import java.util.concurrent.ThreadLocalRandom;

/**
 * Tells the messages of one transfer from those of an earlier one between the same nodes, in the match bits of all of its PUTs and
 * GETs: 48 bits, drawn by chance, above 16 bits for the word or the section.
 *
 * @param id 0 to 2^48 - 1
 */
record Transaction(long id) {
    private static final int LOW_BITS = 16;
    private static final int LOW_MASK = (1 << LOW_BITS) - 1;

    static Transaction draw() {
        return of(ThreadLocalRandom.current().nextLong());
    }

    /** The transaction in match bits. */
    static Transaction of(long matchBits) {
        return new Transaction(matchBits >>> LOW_BITS);
    }

    /** The rest of match bits. */
    static int low(long matchBits) {
        return (int) matchBits & LOW_MASK;
    }

    /** Match bits of this transaction. */
    long bits(long low) {
        if (low < 0 || low > LOW_MASK) {
            throw new IllegalArgumentException(low + " does not fit into " + LOW_BITS + " bits");
        }
        return id << LOW_BITS | low;
    }
}
