// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.transfer;

import dev.verbena.cli.tools.Replacement;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;

/** Transferred data in a file on disk: in the user's file, or in a temporary file that {@link #close} deletes. */
public final class FileData implements DataSource {
    private final FileChannel channel;
    private final long size;
    private final String name;

    private FileData(FileChannel channel, long size, String name) {
        this.channel = channel;
        this.size = size;
        this.name = name;
    }

    public static FileData open(Path path) throws IOException {
        FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
        return new FileData(channel, channel.size(), path.toString());
    }

    /**
     * Returns the data of the temporary file of a {@link Replacement}. {@link #close} closes the channel of the
     * temporary file.
     */
    public static FileData of(Replacement replacement, long size) {
        return new FileData(replacement.channel(), size, replacement.target().toString());
    }

    /**
     * Creates an empty temporary file. The caller must first check by {@link #checkRoom} whether the disk has {@code size}
     * bytes of free space.
     */
    static FileData temporary(long size) throws IOException {
        Path path = Files.createTempFile("verbena-", ".data");
        try {
            FileChannel channel = FileChannel.open(
                    path, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE);
            return new FileData(channel, size, path.toString());
        } catch (IOException e) {
            Files.deleteIfExists(path);
            throw e;
        }
    }

    /**
     * Throws IOException if the given number of files of the given size would fill the disk. One call checks all new files.
     * Separate calls for two files would both count the same free space, because new files are still empty.
     */
    public static void checkRoom(long size, int files) throws IOException {
        Path directory = Path.of(Objects.requireNonNull(System.getProperty("java.io.tmpdir"), "java.io.tmpdir"));
        checkRoom(directory, size, files, "name another directory with VERBENA_JAVA_OPTS=-Djava.io.tmpdir=DIRECTORY");
    }

    /** Throws an IOException with the given advice if the {@code directory} has no space for the files. */
    public static void checkRoom(Path directory, long size, int files, String cure) throws IOException {
        long usable = Files.getFileStore(directory).getUsableSpace();
        if (size > usable / files) {
            throw new IOException(files + (files == 1 ? " copy of " : " copies of ") + size + " bytes "
                    + (files == 1 ? "does" : "do") + " not fit into " + directory + ", where " + usable
                    + " bytes are free; " + cure);
        }
    }

    FileChannel channel() {
        return channel;
    }

    @Override
    public long size() {
        return size;
    }

    @Override
    public void read(long position, MemorySegment into) throws IOException {
        ByteBuffer buffer = into.asByteBuffer();
        while (buffer.hasRemaining()) {
            long at = position + buffer.position();
            if (channel.read(buffer, at) < 0) {
                throw new EOFException(
                        name + " ends at byte " + at + " of " + size + "; the file was truncated during the read");
            }
        }
    }

    void write(long position, MemorySegment from) throws IOException {
        ByteBuffer buffer = from.asByteBuffer();
        while (buffer.hasRemaining()) {
            channel.write(buffer, position + buffer.position());
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    @Override
    public String toString() {
        return name;
    }
}
