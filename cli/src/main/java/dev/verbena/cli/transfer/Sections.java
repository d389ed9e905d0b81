// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.transfer;

/**
 * The chunks into which a transferred file is divided; all chunks except the last one have the same size. An LNet offset on
 * the wire has only 32 bits, so it cannot address all bytes of a large file. The match bits of a message contain the index
 * of the file chunk. No message spans two chunks.
 */
public record Sections(long size) {
    public static final long LIMIT = 1L << 30;

    /**
     * Divides the data of a transfer into chunks of at most {@code limit} bytes, each of which contains only whole
     * messages. The argument {@code limit} must be at least the message size and less than 4 GiB.
     */
    public static Sections of(long messageSize, long limit) {
        return new Sections(limit / messageSize * messageSize);
    }

    /** Returns the index of the chunk that contains the given offset of the target's file. */
    long section(long position) {
        return position / size;
    }

    long offset(long position) {
        return position % size;
    }
}
