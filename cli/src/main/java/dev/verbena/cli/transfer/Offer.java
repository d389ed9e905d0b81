// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.transfer;

/**
 * The sizes that a control message specifies for a transfer: the total size in bytes, below 16 TiB, and the size of a
 * message, from 1 byte to 1 MiB. The two sizes are sent in the 64 bits of header data of a PUT: 44 bits for the total size,
 * and 20 bits for the message size minus one.
 */
public record Offer(long size, long messageSize) {
    private static final int MESSAGE_BITS = 20;
    private static final long MESSAGE_MASK = (1L << MESSAGE_BITS) - 1;

    public static Offer decode(long number) {
        return new Offer(number >>> MESSAGE_BITS, (number & MESSAGE_MASK) + 1);
    }

    public static long encode(long size, long messageSize) {
        return size << MESSAGE_BITS | (messageSize - 1);
    }
}
