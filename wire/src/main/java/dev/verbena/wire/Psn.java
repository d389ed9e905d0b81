// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire;

/**
 * Arithmetic on packet sequence numbers, which count modulo 2^24 (InfiniBand Architecture Specification, volume 1,
 * chapter 9, "Packet Sequence Numbers"). PSNs travel as {@code int}s in 0..2^24-1; every method accepts an {@code int}
 * with rubbish above bit 23 and answers with a clean one.
 */
public final class Psn {
    /** The 24 bits of a PSN. */
    public static final int MASK = 0xff_ffff;

    private static final int UNUSED_BITS = 8;

    private Psn() {}

    /**
     * Moves forward, or back for a negative count.
     *
     * @param psn where to start
     * @param n how many packets to move, of any sign and size
     * @return the PSN that many packets later, modulo 2^24
     */
    public static int add(int psn, long n) {
        return (int) (psn + n) & MASK;
    }

    /**
     * The PSN of the packet after.
     *
     * @param psn a PSN
     * @return the PSN that follows
     */
    public static int next(int psn) {
        return (psn + 1) & MASK;
    }

    /**
     * The PSN of the packet before.
     *
     * @param psn a PSN
     * @return the PSN that precedes
     */
    public static int previous(int psn) {
        return (psn - 1) & MASK;
    }

    /**
     * How far forward one PSN is from another.
     *
     * @param from where to start counting
     * @param to where to stop
     * @return how many packets after {@code from} the packet {@code to} is, 0..2^24-1
     */
    public static int distance(int from, int to) {
        return (to - from) & MASK;
    }

    /**
     * Orders two PSNs by the shorter way round the circle. A PSN up to 2^23-1 ahead is later. A PSN at a distance of
     * exactly 2^23 counts as earlier, in both orders of the arguments, as in rdma_rxe's {@code psn_compare}. The order
     * is not transitive over the whole circle, so it cannot be used for sorting.
     *
     * @param a a PSN
     * @param b the PSN to compare with
     * @return positive if {@code a} is later than {@code b}, negative if it is earlier, 0 if they are equal
     */
    public static int compare(int a, int b) {
        return (a - b) << UNUSED_BITS;
    }

    /**
     * Returns whether a PSN is later than another.
     *
     * @param a a PSN
     * @param b the PSN to compare with
     * @return true if {@code a} is 1..2^23-1 packets ahead of {@code b}
     */
    public static boolean isAfter(int a, int b) {
        return compare(a, b) > 0;
    }

    /**
     * Returns whether a PSN is earlier than another.
     *
     * @param a a PSN
     * @param b the PSN to compare with
     * @return true if {@code a} is 1..2^23 packets before {@code b}
     */
    public static boolean isBefore(int a, int b) {
        return compare(a, b) < 0;
    }
}
