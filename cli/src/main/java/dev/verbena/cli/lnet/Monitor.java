// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.lnet;

import dev.verbena.cli.tools.Reception;
import java.io.Closeable;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Reports the state of an LNet node to other processes of this host, which connect to a Unix-domain socket and send queries
 * of one line each. A client that sends nothing, sends too much or does not read its reply uses bounded time and memory,
 * and does not delay other clients.
 */
public final class Monitor implements Closeable {
    private static final int LONGEST_QUESTION = 128;
    private static final Duration TURN = Duration.ofHours(1);
    private static final Duration ANSWER_TIME = Duration.ofSeconds(10);

    /** A monitoring client reads at most this number of bytes of a node's reply. */
    private static final int LONGEST_ANSWER = 64 << 20;

    private final Function<String, Optional<List<String>>> view;
    private final NodeSocket socket;
    private final Reception reception;
    private final Thread thread;
    private volatile boolean closed;

    /**
     * Listens on a Unix-domain socket at {@code path}, and replaces a socket file that an exited process left there. The
     * {@code Monitor} calls the function {@code view} for each query of a client. The function {@code view} returns the
     * lines of the reply, or empty for an unknown query. Throws {@link IOException} if a process listens on a socket at the
     * path, if the path names a file that no {@code Monitor} created, or if no socket can be created at the path.
     */
    public Monitor(Path path, Function<String, Optional<List<String>>> view) throws IOException {
        this.view = view;
        socket = new NodeSocket(path);
        try {
            reception = new Reception(socket.listener(), LONGEST_QUESTION, Reception::isLine);
        } catch (IOException e) {
            try (socket) {
                throw e;
            }
        }
        thread = Thread.ofPlatform().daemon().name("monitor").start(this::serve);
    }

    public Path path() {
        return socket.path();
    }

    public static boolean isUp(Path path) {
        try {
            return NodeSocket.isAlive(path);
        } catch (IOException e) {
            return false;
        }
    }

    @SuppressWarnings("CatchAndPrintStackTrace") // A thread runs `serve`, so exceptions reach no caller.
    private void serve() {
        while (!closed) {
            try {
                reception.next(TURN).ifPresent(this::answer);
            } catch (IOException | RuntimeException | Error e) {
                // The reply to a monitoring client failed, or memory is exhausted. After a failed reply, the `Monitor`
                // serves further clients, because later replies may succeed.
                if (!closed) {
                    e.printStackTrace();
                }
            }
        }
    }

    private void answer(Reception.Caller caller) {
        String said = new String(caller.said(), StandardCharsets.UTF_8);
        try {
            String answer = String.join(
                    "",
                    view.apply(said.lines().findFirst().orElse("")).orElse(List.of()).stream()
                            .map(line -> line + "\n")
                            .toList());
            reception.reply(caller, answer.getBytes(StandardCharsets.UTF_8));
        } catch (RuntimeException | Error e) {
            reception.reply(caller, new byte[0]);
            throw e;
        }
    }

    /**
     * Sends a one-line query to the LNet node that listens on the socket file {@code path}, and returns the node's reply.
     * Throws {@link IOException} if no process listens on the socket file, or the node does not reply within 10 seconds.
     */
    public static List<String> ask(Path path, String question) throws IOException {
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
            CompletableFuture.delayedExecutor(ANSWER_TIME.toSeconds(), TimeUnit.SECONDS, Runnable::run)
                    .execute(() -> closeQuietly(channel));
            channel.write(ByteBuffer.wrap((question + "\n").getBytes(StandardCharsets.UTF_8)));
            byte[] answer = Channels.newInputStream(channel).readNBytes(LONGEST_ANSWER);
            return new String(answer, StandardCharsets.UTF_8).lines().toList();
        } catch (AsynchronousCloseException late) {
            throw new IOException(
                    "the node at " + path + " does not answer within " + ANSWER_TIME.toSeconds() + " seconds", late);
        } catch (IOException e) {
            throw new IOException(
                    "no node answers at " + path + " (" + e.getMessage() + "); start one with 'verbena lnet up'", e);
        }
    }

    private static void closeQuietly(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException gone) {
            // The JDK releases the file descriptor even if close throws.
        }
    }

    @Override
    public void close() throws IOException {
        closed = true;
        try (reception) {
            socket.close();
        }
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
