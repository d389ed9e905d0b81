// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.transfer;

import dev.verbena.cli.output.ProgressBar;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ClosedByInterruptException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.function.LongConsumer;

public final class Sha256 {
    private static final int BLOCK = 1 << 20;

    private Sha256() {}

    /**
     * Returns the hexadecimal SHA-256 digest of the data of a transfer, and shows the progress under the name {@code what}.
     */
    public static String of(String what, DataSource source, ProgressBar progress) throws IOException {
        try {
            return of(source, read -> progress.show(what, read, source.size()));
        } finally {
            progress.clear();
        }
    }

    /**
     * Returns the hexadecimal digest of all bytes, and periodically reports the number of bytes read. Throws
     * {@link ClosedByInterruptException} if the thread is interrupted; the thread's interrupt status stays set.
     */
    public static String of(DataSource source, LongConsumer progress) throws IOException {
        MessageDigest digest = newDigest();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment block = arena.allocate(BLOCK);
            for (long at = 0; at < source.size(); at += BLOCK) {
                if (Thread.currentThread().isInterrupted()) {
                    throw new ClosedByInterruptException();
                }
                MemorySegment part = block.asSlice(0, Math.min(BLOCK, source.size() - at));
                source.read(at, part);
                digest.update(part.asByteBuffer());
                progress.accept(at + part.byteSize());
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static MessageDigest newDigest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform must have SHA-256", e);
        }
    }
}
