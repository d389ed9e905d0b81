// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.transfer;

import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/** The data of a transfer, which can be read repeatedly and from any position. Not thread-safe. */
public interface DataSource extends Closeable {
    long size();

    /**
     * Fills a memory segment with bytes of the source, beginning with the byte at the given position of the source.
     * Throws {@link IOException} if the source cannot be read, or a source file has become shorter.
     */
    void read(long position, MemorySegment into) throws IOException;

    /** Releases the resources of the source; the default method does nothing. */
    @Override
    default void close() throws IOException {}
}
