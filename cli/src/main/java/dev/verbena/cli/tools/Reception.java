// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.tools;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Accepts TCP connections, and returns each connection after its complete first message has arrived. One selector waits
 * for the first messages of up to {@link #MOST_CALLERS} connections. The first message of a connection must arrive
 * within {@link #PATIENCE} and has a maximum length, and a slow connection does not delay other connections. If more
 * than {@link #MOST_CALLERS} connections are open, the connection that was accepted first is closed. This class is
 * thread-safe, except that only one thread at a time may call {@link #next}.
 */
public final class Reception implements Closeable {
    /** The maximum number of connections without a complete first message. */
    static final int MOST_CALLERS = 64;

    /** The time limit for receiving the first message after the accept, and for writing a reply. */
    static final Duration PATIENCE = Duration.ofSeconds(10);

    /** The pause after an accept that failed, for example because the process has no free file descriptor. */
    private static final Duration PAUSE = Duration.ofMillis(100);

    private final ServerSocketChannel listener;
    private final Selector selector;
    private final int longest;
    private final Predicate<ByteBuffer> isComplete;
    private final Supplier<byte[]> greeting;
    private final Set<Connection> connections = new LinkedHashSet<>();
    private final Deque<Caller> complete = new ArrayDeque<>();
    private volatile boolean closed;

    /** Listens without sending a greeting to new connections. */
    public Reception(ServerSocketChannel listener, int longest, Predicate<ByteBuffer> isComplete) throws IOException {
        this(listener, longest, isComplete, () -> new byte[0]);
    }

    /**
     * Listens on a {@link ServerSocketChannel} that is already bound; {@link #close} closes this channel. A connection is
     * closed if it sends more than the maximum number of bytes without a complete first message. The predicate {@code
     * isComplete} returns whether the bytes before the buffer's position are a complete first message. A {@code greeting}
     * is sent to each new connection, and must fit the connection's send buffer.
     */
    public Reception(
            ServerSocketChannel listener, int longest, Predicate<ByteBuffer> isComplete, Supplier<byte[]> greeting)
            throws IOException {
        this.greeting = greeting;
        this.listener = listener;
        this.longest = longest;
        this.isComplete = isComplete;
        listener.configureBlocking(false);
        selector = Selector.open();
        listener.register(selector, SelectionKey.OP_ACCEPT);
    }

    /** Returns whether the bytes up to the buffer's position contain a line feed, which ends the first message. */
    public static boolean isLine(ByteBuffer said) {
        for (int i = 0; i < said.position(); i++) {
            if (said.get(i) == '\n') {
                return true;
            }
        }
        return false;
    }

    /**
     * A TCP connection whose first message is complete. The field {@code channel} is in blocking mode. The caller of {@link
     * #next} closes the channel. The field {@code greeting} contains the bytes that were sent to the peer, and {@code said}
     * contains the bytes that the peer sent.
     */
    public record Caller(SocketChannel channel, byte[] greeting, byte[] said) {}

    /** A connection whose first message is incomplete, or whose reply is being written. No two are equal. */
    private static final class Connection {
        private final SocketChannel channel;
        private final ByteBuffer bytes;
        private final byte[] greeting;
        private final boolean isReply;
        private final long deadline = System.nanoTime() + PATIENCE.toNanos();

        private Connection(SocketChannel channel, ByteBuffer bytes, byte[] greeting, boolean isReply) {
            this.channel = channel;
            this.greeting = greeting;
            this.bytes = bytes;
            this.isReply = isReply;
        }
    }

    /** Waits until the first message of a TCP connection is complete. Returns empty after the timeout or {@link #close}. */
    public synchronized Optional<Caller> next(Duration timeout) throws IOException {
        long end = System.nanoTime() + timeout.toNanos();
        while (complete.isEmpty() && !closed) {
            long now = System.nanoTime();
            if (end - now <= 0) {
                break;
            }
            closeLate(now);
            long wait = connections.isEmpty()
                    ? end
                    : Math.min(end, connections.iterator().next().deadline);
            selector.select(Math.max(1, Duration.ofNanos(wait - now).toMillis()));
            serveReady();
        }
        return Optional.ofNullable(complete.poll());
    }

    /**
     * Closes connections past their deadline. Each new connection has the latest deadline and is added last, so the set
     * {@code connections} is sorted by deadline.
     */
    private void closeLate(long now) {
        Iterator<Connection> each = connections.iterator();
        while (each.hasNext()) {
            Connection connection = each.next();
            if (connection.deadline - now > 0) {
                return;
            }
            each.remove();
            closeQuietly(connection.channel);
        }
    }

    private void serveReady() throws IOException {
        List<SelectionKey> ready = List.copyOf(selector.selectedKeys());
        selector.selectedKeys().clear();
        for (SelectionKey key : ready) {
            if (key.attachment() instanceof Connection connection) {
                serve(key, connection);
            } else if (!accept()) {
                // Without a pause this loop would spin, because the selector reports the listener as ready while
                // accepts fail.
                key.interestOps(0);
                selector.select(PAUSE.toMillis());
                key.interestOps(SelectionKey.OP_ACCEPT);
            }
        }
    }

    private boolean accept() {
        try {
            SocketChannel channel = listener.accept();
            if (channel != null) {
                admit(channel, ByteBuffer.allocate(longest), greeting.get(), false);
            }
            return true;
        } catch (IOException refused) {
            closeOldest();
            return false;
        }
    }

    private void admit(SocketChannel channel, ByteBuffer bytes, byte[] first, boolean isReply) {
        if (connections.size() >= MOST_CALLERS) {
            closeOldest();
        }
        try {
            channel.configureBlocking(false);
            channel.write(ByteBuffer.wrap(first));
            Connection connection = new Connection(channel, bytes, first, isReply);
            channel.register(selector, isReply ? SelectionKey.OP_WRITE : SelectionKey.OP_READ, connection);
            connections.add(connection);
        } catch (IOException gone) {
            closeQuietly(channel);
        }
    }

    private void closeOldest() {
        Iterator<Connection> each = connections.iterator();
        if (each.hasNext()) {
            Connection oldest = each.next();
            each.remove();
            closeQuietly(oldest.channel);
        }
    }

    private void serve(SelectionKey key, Connection connection) {
        if (!key.isValid()) {
            return;
        }
        try {
            if (connection.isReply) {
                connection.channel.write(connection.bytes);
                if (!connection.bytes.hasRemaining()) {
                    forget(connection);
                }
            } else {
                hear(key, connection);
            }
        } catch (IOException gone) {
            forget(connection);
        }
    }

    private void hear(SelectionKey key, Connection connection) throws IOException {
        int read = connection.channel.read(connection.bytes);
        if (isComplete.test(connection.bytes)) {
            key.cancel();
            // The channel can be set to blocking mode only after the selector has dropped the channel's key.
            selector.selectNow();
            connection.channel.configureBlocking(true);
            connections.remove(connection);
            byte[] said = new byte[connection.bytes.position()];
            connection.bytes.get(0, said);
            complete.add(new Caller(connection.channel, connection.greeting, said));
        } else if (read < 0 || !connection.bytes.hasRemaining()) {
            forget(connection);
        }
    }

    private void forget(Connection connection) {
        connections.remove(connection);
        closeQuietly(connection.channel);
    }

    /**
     * Writes a reply to a connection and closes the connection, without waiting until the peer has read the reply. This
     * method only queues the reply; later calls of {@link #next} write its bytes to the connection.
     */
    public synchronized void reply(Caller caller, byte[] reply) {
        admit(caller.channel, ByteBuffer.wrap(reply), new byte[0], true);
    }

    private static void closeQuietly(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException gone) {
            // The JDK releases the file descriptor even if close throws.
        }
    }

    /**
     * Closes the listener, and the connections that {@link #next} has not returned. A call of {@link #next} that waits in
     * another thread then returns. Any thread may call this method.
     */
    @Override
    public void close() throws IOException {
        closed = true;
        selector.wakeup();
        synchronized (this) {
            try (listener;
                    selector) {
                connections.forEach(connection -> closeQuietly(connection.channel));
                complete.forEach(caller -> closeQuietly(caller.channel));
            }
        }
    }
}
