// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire;

/**
 * Arithmetic on packet sequence numbers, which count modulo 2^24 (InfiniBand Architecture Specification, volume 1, chapter
 * 9, "Packet Sequence Numbers"). A PSN is an {@code int} from 0 to 2^24-1. Every method ignores the bits above bit 23 of
 * its arguments, and returns a PSN whose bits above bit 23 are 0.
 */
public final class Psn {
    /** A mask for the 24 bits of a PSN. */
    public static final int MASK = 0xff_ffff;

    private static final int UNUSED_BITS = 8;

    private Psn() {}

    /**
     * {@return the PSN that is {@code n} packets after the given PSN, modulo 2^24}
     *
     * @param psn the PSN to start from
     * @param n the number of packets from the given PSN to the returned PSN; may be negative
     */
    public static int add(int psn, long n) {
        return (int) (psn + n) & MASK;
    }

    /**
     * {@return the PSN of the next packet}
     *
     * @param psn a packet sequence number
     */
    public static int next(int psn) {
        return (psn + 1) & MASK;
    }

    /**
     * {@return the PSN of the previous packet}
     *
     * @param psn a packet sequence number
     */
    public static int previous(int psn) {
        return (psn - 1) & MASK;
    }

    /**
     * {@return the number of packets from one PSN to a later PSN, 0..2^24-1}
     *
     * @param from the PSN to start from
     * @param to the later PSN, at which the count ends
     */
    public static int distance(int from, int to) {
        return (to - from) & MASK;
    }

    /**
     * Compares two PSNs by the shorter distance between them, modulo 2^24. A PSN is later than another if it is
     * 1..2^23-1 packets ahead. At a distance of exactly 2^23, each PSN counts as earlier than the other, as in
     * rdma_rxe's {@code psn_compare}. The order of PSNs is not transitive, so it cannot be used for sorting.
     *
     * @param a a packet sequence number
     * @param b the PSN to compare with
     * @return positive if {@code a} is later than {@code b}, negative if {@code a} is earlier, 0 if they are equal
     */
    public static int compare(int a, int b) {
        return (a - b) << UNUSED_BITS;
    }

    /**
     * {@return whether {@code a} is 1..2^23-1 packets after {@code b}}
     *
     * @param a a packet sequence number
     * @param b the PSN to compare with
     */
    public static boolean isAfter(int a, int b) {
        return compare(a, b) > 0;
    }

    /**
     * {@return whether {@code a} is 1..2^23 packets before {@code b}}
     *
     * @param a a packet sequence number
     * @param b the PSN to compare with
     */
    public static boolean isBefore(int a, int b) {
        return compare(a, b) < 0;
    }
}
