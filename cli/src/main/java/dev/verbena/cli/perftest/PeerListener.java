package dev.verbena.cli.perftest;

import dev.verbena.cli.tools.Reception;
import dev.verbena.cli.tools.ToolException;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/**
 * The TCP port that clients of a test connect to. Only a connection whose first line is that of a test becomes a {@link
 * PeerLink}. Other callers do not delay it.
 */
public final class PeerListener implements Closeable {
    private final ServerSocketChannel channel;
    private final Reception reception;

    /**
     * Listens.
     *
     * @param at the address of an interface and a TCP port, 0 for any that is free
     * @throws IOException if the port is taken or no interface has the address
     */
    public PeerListener(InetSocketAddress at) throws IOException {
        channel = ServerSocketChannel.open();
        try {
            channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            channel.bind(at);
            reception = new Reception(channel, PeerLink.LONGEST_LINE, Reception::isLine);
        } catch (IOException refused) {
            try (channel) {
                throw new IOException(
                        "cannot listen at TCP port " + at.getPort() + " of "
                                + at.getAddress().getHostAddress() + ": " + refused.getMessage(),
                        refused);
            }
        }
    }

    /**
     * Returns the address of the listener.
     *
     * @return address and port, also if the system chose the port
     */
    public InetSocketAddress address() {
        return (InetSocketAddress) channel.socket().getLocalSocketAddress();
    }

    /**
     * Waits for the next client.
     *
     * @param toCome the time limit for its connection
     * @param patience the time limit for each of its lines
     * @return the link to the client; empty after the timeout or {@link #close}
     * @throws IOException if the system refuses to wait
     */
    public Optional<PeerLink> next(Duration toCome, Duration patience) throws IOException {
        long end = System.nanoTime() + toCome.toNanos();
        while (true) {
            Optional<Reception.Caller> caller = reception.next(Duration.ofNanos(end - System.nanoTime()));
            if (caller.isEmpty()) {
                return Optional.empty();
            }
            if (new String(caller.get().said(), StandardCharsets.US_ASCII).startsWith(Perftest.GREETING)) {
                return Optional.of(
                        new PeerLink(caller.get().channel(), caller.get().said(), patience));
            }
            caller.get().channel().close();
        }
    }

    /**
     * Waits for a client.
     *
     * @param toCome the time limit for its connection
     * @param patience the time limit for each of its lines
     * @return the link to the client
     * @throws IOException if the system refuses to wait
     * @throws ToolException if no client connected
     */
    public PeerLink accept(Duration toCome, Duration patience) throws IOException, ToolException {
        return next(toCome, patience)
                .orElseThrow(() -> new ToolException("no client connected to port "
                        + address().getPort() + " of " + address().getAddress().getHostAddress() + " within "
                        + toCome.toSeconds() + " seconds"));
    }

    @Override
    public void close() throws IOException {
        reception.close();
    }
}
