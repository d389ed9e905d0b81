// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.transfer;

/**
 * The sections of the target's file, which have {@code size} bytes except the last one. The match bits contain the
 * number of a section, because an offset on the wire has only 32 bits. No message spans two sections.
 */
public record Sections(long size) {
    public static final long LIMIT = 1L << 30;

    /**
     * Returns sections of at most {@code limit} bytes that contain whole messages. {@code limit} is at least the size
     * of a message and less than 4 GiB.
     */
    public static Sections of(long messageSize, long limit) {
        return new Sections(limit / messageSize * messageSize);
    }

    /** The match bits for a position. */
    long section(long position) {
        return position / size;
    }

    long offset(long position) {
        return position % size;
    }
}
