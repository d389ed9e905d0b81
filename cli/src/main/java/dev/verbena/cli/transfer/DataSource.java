// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.transfer;

import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/**
 * Bytes that can be read repeatedly from any position: the data that is sent, and the data that arrived. For one thread at
 * a time.
 */
public interface DataSource extends Closeable {
    /** The number of bytes. */
    long size();

    /**
     * Fills memory with the bytes from a position on.
     *
     * @throws IOException if the bytes cannot be read, or the file has become shorter
     */
    void read(long position, MemorySegment into) throws IOException;

    /** Releases the resources of the source; by default there are none. */
    @Override
    default void close() throws IOException {}
}
