// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.lnet;

import java.io.Closeable;
import java.io.IOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A Unix-domain socket that is bound to a path. A file at the path is replaced only if the file is a socket of this class
 * and refuses connections, because its process has exited. The method {@link #close} removes the socket file only if this
 * {@code NodeSocket} created it.
 *
 * <p>Each socket file of this class has a second name (a hard link) in the same directory. The hard link shows that this
 * class created the socket. A killed process leaves the socket file and the hard link behind.
 */
final class NodeSocket implements Closeable {
    /** {@code S_IFMT} and {@code S_IFSOCK} of stat(2). */
    private static final int TYPE_MASK = 0170000;

    private static final int SOCKET = 0140000;

    private final Path path;
    private final Path mark;
    private final ServerSocketChannel listener;
    private final Identity identity;

    /**
     * Identifies a file while the file exists. The key is the device and inode of the file, or null if they are unknown.
     */
    private record Identity(@Nullable Object key, boolean isSocket) {}

    NodeSocket(Path path) throws IOException {
        this.path = path;
        mark = path.resolveSibling("." + path.getFileName() + ".verbena");
        listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            @Nullable Identity before = identify(path);
            if (before != null) {
                requireStale(before);
            }
            identity = bind(before);
        } catch (IOException refused) {
            try (listener) {
                throw new IOException(
                        "cannot listen at " + path + ": " + refused.getMessage() + "; name another path with --monitor",
                        refused);
            }
        }
    }

    private void requireStale(Identity found) throws IOException {
        if (!found.isSocket) {
            throw new IOException("the file there is not a socket");
        }
        if (isAlive(path)) {
            throw new IOException("a process listens at " + path);
        }
        if (!found.equals(identify(mark))) {
            throw new IOException("another program created the socket at this path");
        }
    }

    /**
     * Binds the socket to a temporary file name in {@code path}'s directory. After the bind, the method creates the hard
     * link {@code path} to the socket file. If an exited process has left its socket at the path, that socket is removed
     * before the hard link is created. If another process has created a file at the socket's path, creating the hard link
     * fails. No other process replaces the temporary file, so the method reads the socket's identity there.
     */
    private Identity bind(@Nullable Identity before) throws IOException {
        Path beside = hiddenSibling(path);
        listener.bind(UnixDomainSocketAddress.of(beside));
        try {
            @Nullable Identity made = identify(beside);
            if (made == null || (before != null && !remove(before))) {
                throw new IOException("another process changed the file at this path at the same time");
            }
            Files.createLink(path, beside);
            Files.move(beside, mark, StandardCopyOption.ATOMIC_MOVE);
            return made;
        } finally {
            Files.deleteIfExists(beside);
        }
    }

    /**
     * Removes the file names {@link #path} and {@link #mark} of a socket. Returns false if the given socket is not at
     * {@code path}. Another process can replace the file at {@code path}, so the method checks the file after renaming it
     * to a temporary name. If the renamed file is not the given socket, the method restores the file's old name.
     */
    private boolean remove(Identity socket) throws IOException {
        if (socket.equals(identify(mark))) {
            Files.deleteIfExists(mark);
        }
        if (!socket.equals(identify(path))) {
            return false;
        }
        Path aside = hiddenSibling(path);
        try {
            Files.move(path, aside, StandardCopyOption.ATOMIC_MOVE);
        } catch (NoSuchFileException removed) {
            return false;
        }
        boolean found = socket.equals(identify(aside));
        if (!found) {
            try {
                Files.createLink(path, aside);
            } catch (IOException | UnsupportedOperationException e) {
                throw new IOException("the file that another process created at " + path + " was moved to " + aside, e);
            }
        }
        Files.delete(aside);
        return found;
    }

    private static Path hiddenSibling(Path path) {
        return path.resolveSibling("." + UUID.randomUUID().toString().substring(0, 8));
    }

    static boolean isAlive(Path path) throws IOException {
        try (SocketChannel _ = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
            return true;
        } catch (ConnectException refused) {
            return false;
        }
    }

    private static @Nullable Identity identify(Path path) throws IOException {
        try {
            BasicFileAttributes attributes =
                    Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            return new Identity(attributes.fileKey(), isSocket(path, attributes));
        } catch (NoSuchFileException nothing) {
            return null;
        }
    }

    private static boolean isSocket(Path path, BasicFileAttributes attributes) throws IOException {
        if (!path.getFileSystem().supportedFileAttributeViews().contains("unix")) {
            return attributes.isOther();
        }
        int mode = (Integer) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS);
        return (mode & TYPE_MASK) == SOCKET;
    }

    Path path() {
        return path;
    }

    ServerSocketChannel listener() {
        return listener;
    }

    /**
     * Removes the socket file, identified by its inode, before closing the listening socket. While the listening socket
     * is open, no other file can get the inode of the socket file.
     */
    @Override
    public void close() throws IOException {
        try (listener) {
            remove(identity);
        }
    }
}
