// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.tools;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The new content of a file that the user named. The new content is written to a temporary file in the directory of the
 * named file. The file that the user named stays unchanged until {@link #commit} replaces it with the temporary file.
 * If a file with the name of the temporary file exists, creating the temporary file fails, so that no existing file is
 * overwritten. The temporary file has the permissions of the file that it replaces. If the user named a symbolic link,
 * {@link #commit} replaces the file to which the link points. If the user's file is a device or a pipe, its new content
 * is written directly to the device or the pipe. Not thread-safe.
 */
public final class Replacement implements Closeable {
    private static final Set<OpenOption> EXCLUSIVE = Set.of(
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            LinkOption.NOFOLLOW_LINKS);

    private final FileChannel channel;
    private final Path target;
    private @Nullable Path temporary;

    private Replacement(FileChannel channel, Path target, @Nullable Path temporary) {
        this.channel = channel;
        this.target = target;
        this.temporary = temporary;
    }

    /**
     * Creates the temporary file. Throws {@link IOException} if {@code file} is a directory, or if the directory of
     * {@code file} does not exist or does not allow new files.
     */
    public static Replacement of(Path file) throws IOException {
        Path target = resolve(file);
        if (Files.isDirectory(target)) {
            throw new FileSystemException(file.toString(), null, "is a directory");
        }
        if (Files.exists(target) && !Files.isRegularFile(target)) {
            return new Replacement(FileChannel.open(target, StandardOpenOption.WRITE), target, null);
        }
        if (Files.exists(target) && !Files.isWritable(target)) {
            throw new FileSystemException(file.toString(), null, "permission denied");
        }
        while (true) {
            Path temporary = target.resolveSibling("." + UUID.randomUUID() + ".part");
            try {
                FileChannel channel = FileChannel.open(temporary, EXCLUSIVE);
                Replacement made = new Replacement(channel, target, temporary);
                try {
                    made.takePermissions(temporary);
                    return made;
                } catch (IOException refused) {
                    try (made) {
                        throw refused;
                    }
                }
            } catch (FileAlreadyExistsException another) {
                // A file with this name exists, so the loop tries another name.
            } catch (NoSuchFileException e) {
                throw new NoSuchFileException(file.toString());
            } catch (FileSystemException e) {
                throw new FileSystemException(file.toString(), null, e.getReason());
            }
        }
    }

    /** Gives the empty temporary file the permissions of {@code target}, because the later content may be private. */
    private void takePermissions(Path replacing) throws IOException {
        PosixFileAttributeView view = Files.getFileAttributeView(target, PosixFileAttributeView.class);
        if (view != null && Files.exists(target)) {
            Files.setPosixFilePermissions(replacing, view.readAttributes().permissions());
        }
    }

    private static Path resolve(Path file) throws IOException {
        if (!Files.isSymbolicLink(file)) {
            return file.toAbsolutePath();
        }
        try {
            return file.toRealPath();
        } catch (NoSuchFileException e) {
            throw new FileSystemException(file.toString(), null, "is a link to a file that does not exist");
        }
    }

    /** Returns the channel for writing the new content of the file; {@link #close} closes the channel. */
    public FileChannel channel() {
        return channel;
    }

    /** Returns the path of the replaced file; if the user named a symbolic link, the path of the linked file. */
    public Path target() {
        return target;
    }

    /** Replaces the user's file by the new content. If this method throws, the user's file is unchanged. */
    public void commit() throws IOException {
        channel.close();
        if (temporary != null) {
            Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
            temporary = null;
        }
    }

    /** Closes the channel, and removes the temporary file if {@link #commit} was not called. */
    @Override
    public void close() throws IOException {
        try (channel) {
            if (temporary != null) {
                Files.deleteIfExists(temporary);
            }
        }
    }
}
