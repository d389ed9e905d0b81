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
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A Unix-domain socket that is bound to a path. Only a socket whose process is dead (its connect is refused) is replaced; any other
 * file at the path stays. {@link #close} removes the socket that this object made and nothing else.
 */
final class NodeSocket implements Closeable {
    /** {@code S_IFMT} and {@code S_IFSOCK} of stat(2). */
    private static final int TYPE_MASK = 0170000;

    private static final int SOCKET = 0140000;

    private final Path path;
    private final ServerSocketChannel listener;
    private final Identity identity;

    /**
     * What identifies a file while it exists.
     *
     * @param key device and inode; null where the file system has no such key
     * @param isSocket whether the file is a socket
     */
    private record Identity(@Nullable Object key, boolean isSocket) {}

    NodeSocket(Path path) throws IOException {
        this.path = path;
        listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            @Nullable Identity before = identify(path);
            if (before != null) {
                requireStale(path, before);
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

    private static void requireStale(Path path, Identity found) throws IOException {
        if (!found.isSocket) {
            throw new IOException("a file is there that is no socket");
        }
        if (isAlive(path)) {
            throw new IOException("a process listens at " + path);
        }
    }

    /**
     * Binds beside the path, and then gives the socket its path: the path leads to the stale socket or to this one, and the identity
     * is read before another process can find the socket.
     */
    private Identity bind(@Nullable Identity before) throws IOException {
        Path beside = path.resolveSibling("." + UUID.randomUUID().toString().substring(0, 8));
        listener.bind(UnixDomainSocketAddress.of(beside));
        try {
            @Nullable Identity made = identify(beside);
            if (made == null || !Objects.equals(before, identify(path))) {
                throw new IOException("another process changed it in this moment");
            }
            if (before == null) {
                // Fails if a file has appeared at the path.
                Files.createLink(path, beside);
            } else {
                Files.move(beside, path, StandardCopyOption.ATOMIC_MOVE);
            }
            return made;
        } finally {
            Files.deleteIfExists(beside);
        }
    }

    /**
     * Whether a process listens at a socket.
     *
     * @throws IOException if that cannot be found out
     */
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

    /** While the listener is open, no other file can have its inode. */
    @Override
    public void close() throws IOException {
        try (listener) {
            if (identity.equals(identify(path))) {
                Files.delete(path);
            }
        }
    }
}
