// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.perftest;

import dev.verbena.cli.tools.ToolException;
import dev.verbena.conformance.side.SharedSecret;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * A TCP connection on which the client and the server of a test exchange lines of text. A line is at most {@link #LONGEST_LINE}
 * bytes long, and its reader waits only until a deadline. PeerLink is confined to one thread, except for {@link #close}.
 */
public final class PeerLink implements AutoCloseable {
    /** The maximum length of a line of text in bytes, including the line feed. */
    static final int LONGEST_LINE = 4096;

    private static final long NANOS_PER_MILLI = 1_000_000;

    private final Socket socket;
    private final Duration patience;
    private final InputStream in;
    private final OutputStream out;
    private final byte[] buffer = new byte[LONGEST_LINE];
    private int buffered;

    PeerLink(SocketChannel channel, byte[] said, Duration patience) throws IOException {
        this.socket = channel.socket();
        this.patience = patience;
        socket.setTcpNoDelay(true);
        in = socket.getInputStream();
        out = socket.getOutputStream();
        System.arraycopy(said, 0, buffer, 0, said.length);
        buffered = said.length;
    }

    static int millis(Duration duration) {
        return Math.clamp(duration.toMillis(), 1, Integer.MAX_VALUE);
    }

    /**
     * Connects to a server by name or address, with a time limit for connecting and for each later line of text. Throws
     * {@link ToolException} if no server accepts the connection.
     */
    @SuppressWarnings("AddressSelection") // Like perftest, this method uses only the first address of the host.
    public static PeerLink connect(String host, int port, Duration patience) throws IOException, ToolException {
        SocketChannel channel = SocketChannel.open();
        try {
            channel.socket().connect(new InetSocketAddress(host, port), millis(patience));
            return new PeerLink(channel, new byte[0], patience);
        } catch (UnknownHostException e) {
            throw refused(channel, host, "the name is not known");
        } catch (IOException e) {
            throw refused(channel, host + ":" + port, e.getMessage() + "; start the server there first");
        }
    }

    private static ToolException refused(SocketChannel channel, String where, String why) throws IOException {
        channel.close();
        return new ToolException("Couldn't connect to " + where + ": " + why);
    }

    /**
     * Proves to the server that this process has the secret, and checks that the server has the same secret. Call {@code
     * prove} before any other communication with the server. Throws {@link IOException} if the server rejects this process,
     * or does not have the secret.
     */
    public void prove(SharedSecret secret) throws IOException {
        secret.prove(socket, patience);
    }

    public void say(String line) throws IOException {
        write(line + "\n");
    }

    /** Sends the text to the peer, and appends no line feed. */
    void write(String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.US_ASCII));
    }

    public String hear() throws IOException, ToolException {
        long end = System.nanoTime() + patience.toNanos();
        int length = lineLength(0);
        while (length < 0) {
            int before = buffered;
            read(end - System.nanoTime());
            length = lineLength(before);
        }
        String line = new String(buffer, 0, length, StandardCharsets.US_ASCII);
        buffered -= length + 1;
        System.arraycopy(buffer, length + 1, buffer, 0, buffered);
        return line;
    }

    private int lineLength(int from) {
        for (int i = from; i < buffered; i++) {
            if (buffer[i] == '\n') {
                return i;
            }
        }
        return -1;
    }

    private void read(long nanos) throws IOException, ToolException {
        if (buffered == buffer.length) {
            throw new ToolException("the other end sent a line of more than " + LONGEST_LINE + " bytes");
        }
        try {
            if (nanos <= 0) {
                throw new SocketTimeoutException();
            }
            socket.setSoTimeout(Math.clamp(nanos / NANOS_PER_MILLI, 1, Integer.MAX_VALUE));
            int read = in.read(buffer, buffered, buffer.length - buffered);
            if (read < 0) {
                throw new ToolException("the other end closed the connection; see its output for the reason");
            }
            buffered += read;
        } catch (SocketTimeoutException e) {
            throw new ToolException("the other end sent no line for " + patience.toMillis() + " ms");
        }
    }

    /** Sends a line and waits for the same line from the peer, so that both processes reach this point. */
    void meet(String line) throws IOException, ToolException {
        say(line);
        String heard = hear();
        if (SharedSecret.isChallenge(heard)) {
            throw new ToolException("the other end requires a secret; pass it with --secret-file");
        }
        if (!heard.equals(line)) {
            throw new ToolException(
                    "the two ends have different options: '" + line + "' here, '" + heard + "' at the other end");
        }
    }

    /** Returns whether a line from the peer has arrived, or the peer has disconnected. */
    boolean hasNews() throws IOException {
        return buffered > 0 || in.available() > 0;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
