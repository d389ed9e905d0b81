package dev.verbena.cli;

import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/** Bytes that can be read again and again from any place: what is sent, and what arrived. For one thread at a time. */
interface DataSource extends Closeable {
    /** Bytes to read. */
    long size();

    /**
     * Fills memory with the bytes from a position on.
     *
     * @throws IOException if they cannot be read, also if there are not as many any more
     */
    void read(long position, MemorySegment into) throws IOException;

    /** Frees what is behind it; by default there is nothing. */
    @Override
    default void close() throws IOException {}
}
