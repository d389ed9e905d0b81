// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.transfer;

import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/** Bytes that can be read repeatedly from any position: data to send, or data that arrived. Not thread-safe. */
public interface DataSource extends Closeable {
    long size();

    /**
     * Fills memory with the bytes of the source that start at {@code position}. Throws {@link IOException} if the bytes
     * cannot be read, or the file has become shorter.
     */
    void read(long position, MemorySegment into) throws IOException;

    /** Releases the resources of the source, which by default has none. */
    @Override
    default void close() throws IOException {}
}
