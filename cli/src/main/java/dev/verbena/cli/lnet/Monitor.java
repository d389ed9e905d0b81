package dev.verbena.cli.lnet;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Lets other processes of this machine look at a node: answers a question of one line over a Unix-domain socket. */
public final class Monitor implements Closeable {

    private final Path path;
    private final NodeView view;
    private final ServerSocketChannel listener;
    private final Thread thread;

    /**
     * Starts to listen.
     *
     * @param path where; what a process left there that is gone is removed
     * @param view what to answer
     * @throws IOException if a living process listens there, or the path cannot be
     */
    public Monitor(Path path, NodeView view) throws IOException {
        this.path = path;
        this.view = view;
        if (Files.exists(path)) {
            if (isAlive(path)) {
                throw new IOException("a node is up at " + path + " already");
            }
            Files.delete(path);
        }
        listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            listener.bind(UnixDomainSocketAddress.of(path));
        } catch (IOException e) {
            listener.close();
            throw new IOException("cannot listen at " + path + ": " + e.getMessage(), e);
        }
        thread = Thread.ofPlatform().daemon().name("monitor").start(this::serve);
    }

    /**
     * Where it listens.
     *
     * @return the path
     */
    public Path path() {
        return path;
    }

    private static boolean isAlive(Path path) {
        try (SocketChannel _ = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private void serve() {
        while (listener.isOpen()) {
            try (SocketChannel caller = listener.accept()) {
                answer(caller);
            } catch (IOException e) {
                // The caller went away, or this is being closed.
            }
        }
    }

    private void answer(SocketChannel caller) throws IOException {
        BufferedReader in = new BufferedReader(Channels.newReader(caller, StandardCharsets.UTF_8));
        String question = in.readLine();
        Optional<List<String>> lines = question == null ? Optional.empty() : view.answer(question);
        try (Writer out = Channels.newWriter(caller, StandardCharsets.UTF_8)) {
            for (String line : lines.orElse(List.of())) {
                out.write(line + "\n");
            }
        }
    }

    /**
     * Asks a node.
     *
     * @param path where it listens
     * @param question one line
     * @return the lines of the answer
     * @throws IOException if nobody listens there
     */
    public static List<String> ask(Path path, String question) throws IOException {
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(path));
                Writer out = Channels.newWriter(channel, StandardCharsets.UTF_8);
                BufferedReader in = new BufferedReader(Channels.newReader(channel, StandardCharsets.UTF_8))) {
            out.write(question + "\n");
            out.flush();
            return in.lines().toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        } catch (IOException e) {
            throw new IOException(
                    "no node answers at " + path + " (" + e.getMessage() + "); start one with 'verbena lnet up'", e);
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        Files.deleteIfExists(path);
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
