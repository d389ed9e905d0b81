// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.perftest;

import dev.verbena.cli.tools.Reception;
import dev.verbena.cli.tools.ToolException;
import dev.verbena.conformance.side.SharedSecret;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/**
 * The TCP listener to which the clients of a test connect. A connection becomes a {@link PeerLink} if its first line is
 * valid. If the listener has a secret, a valid first line proves that the client has the same secret. If the listener has
 * no secret, any client's greeting is a valid first line. The listener closes each connection that sends no valid first
 * line. A slow connection does not delay other clients.
 */
public final class PeerListener implements Closeable {
    private final ServerSocketChannel channel;
    private final Optional<SharedSecret> secret;
    private final Reception reception;

    /** Listens for any client. The operating system selects a free port if the port is 0. */
    public PeerListener(InetSocketAddress at) throws IOException {
        this(at, Optional.empty());
    }

    /**
     * Listens for clients. If {@code secret} is set, the listener accepts only clients that prove that they know the
     * secret. Throws {@link IOException} if the port is in use or no interface has the address.
     */
    public PeerListener(InetSocketAddress at, Optional<SharedSecret> secret) throws IOException {
        this.secret = secret;
        channel = ServerSocketChannel.open();
        try {
            channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            channel.bind(at);
            reception = secret.isPresent()
                    ? new Reception(
                            channel, SharedSecret.LONGEST_LINE, Reception::isLine, () -> line(SharedSecret.challenge()))
                    : new Reception(channel, PeerLink.LONGEST_LINE, Reception::isLine);
        } catch (IOException refused) {
            try (channel) {
                throw new IOException(
                        "cannot listen at TCP port " + at.getPort() + " of "
                                + at.getAddress().getHostAddress() + ": " + refused.getMessage(),
                        refused);
            }
        }
    }

    public InetSocketAddress address() {
        return (InetSocketAddress) channel.socket().getLocalSocketAddress();
    }

    /**
     * Waits a limited time for the next client. A separate time limit applies to each line that this client sends.
     * Returns empty if no client arrives in time, or after {@link #close}.
     */
    public Optional<PeerLink> next(Duration toCome, Duration patience) throws IOException {
        long end = System.nanoTime() + toCome.toNanos();
        while (true) {
            Optional<Reception.Caller> caller = reception.next(Duration.ofNanos(end - System.nanoTime()));
            if (caller.isEmpty()) {
                return Optional.empty();
            }
            try {
                Optional<PeerLink> link = admit(caller.get(), patience);
                if (link.isPresent()) {
                    return link;
                }
            } catch (IOException gone) {
                // The caller has disconnected. The loop waits for another client.
            }
            caller.get().channel().close();
        }
    }

    private Optional<PeerLink> admit(Reception.Caller caller, Duration patience) throws IOException {
        String said = new String(caller.said(), StandardCharsets.US_ASCII);
        if (secret.isEmpty()) {
            return said.startsWith(Perftest.GREETING)
                    ? Optional.of(new PeerLink(caller.channel(), caller.said(), patience))
                    : Optional.empty();
        }
        String challenge = new String(caller.greeting(), StandardCharsets.US_ASCII).strip();
        Optional<String> reply = secret.get().check(challenge, said.strip());
        if (reply.isEmpty()) {
            return Optional.empty();
        }
        caller.channel().write(ByteBuffer.wrap(line(reply.get())));
        return Optional.of(new PeerLink(caller.channel(), new byte[0], patience));
    }

    private static byte[] line(String text) {
        return (text + "\n").getBytes(StandardCharsets.US_ASCII);
    }

    /** Waits for a client like {@link #next}, but throws {@link ToolException} if no client connects in time. */
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
