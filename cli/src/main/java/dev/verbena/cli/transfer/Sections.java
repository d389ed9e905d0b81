// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.transfer;

/**
 * The sections of the target's file. The match bits contain the number of a section, because an offset on the wire has 32
 * bits. No message spans two sections.
 *
 * @param size bytes of a section
 */
public record Sections(long size) {
    /** The largest section, in bytes. */
    public static final long LIMIT = 1L << 30;

    /**
     * Sections for messages of a size.
     *
     * @param messageSize bytes of one message
     * @param limit the largest section in bytes, at least a message and less than 4 GiB
     */
    public static Sections of(long messageSize, long limit) {
        return new Sections(limit / messageSize * messageSize);
    }

    /** The match bits for a position. */
    long section(long position) {
        return position / size;
    }

    /** The offset of a position within its section. */
    long offset(long position) {
        return position % size;
    }
}
