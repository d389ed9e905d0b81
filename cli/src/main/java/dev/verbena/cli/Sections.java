package dev.verbena.cli;

/**
 * How the target's file is cut: match bits are the number of a section, since an offset on the wire has 32 bits. No message lies
 * across two sections.
 *
 * @param size bytes of a section
 */
record Sections(long size) {
    /** The most bytes of one section. */
    static final long LIMIT = 1L << 30;

    /**
     * Sections for messages of a size.
     *
     * @param messageSize bytes of one message
     * @param limit the most bytes of one section, at least a message and less than 4 GiB
     */
    static Sections of(long messageSize, long limit) {
        return new Sections(limit / messageSize * messageSize);
    }

    /** The match bits for a position. */
    long section(long position) {
        return position / size;
    }

    /** The offset that belongs to a position. */
    long offset(long position) {
        return position % size;
    }
}
