package dev.verbena.cli.perftest;

import dev.verbena.cli.tools.ToolException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Lines of text between the two ends, over TCP. For one thread. */
public final class PeerLink implements AutoCloseable {
    private static final String SEPARATOR = "\n";

    private final Socket socket;
    private final InputStream bytes;
    private final BufferedReader in;
    private final OutputStream out;

    private PeerLink(Socket socket, Duration patience) throws IOException {
        this.socket = socket;
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(millis(patience));
        bytes = socket.getInputStream();
        in = new BufferedReader(new InputStreamReader(bytes, StandardCharsets.US_ASCII));
        out = socket.getOutputStream();
    }

    private static int millis(Duration duration) {
        return Math.clamp(duration.toMillis(), 1, Integer.MAX_VALUE);
    }

    /**
     * Opens the port that a server's client is to come to.
     *
     * @param port TCP port, 0 for any that is free
     * @return the open port, for {@link #accept}
     * @throws IOException if the port cannot be had
     */
    public static ServerSocket listen(int port) throws IOException {
        ServerSocket listener = new ServerSocket();
        try {
            listener.setReuseAddress(true);
            listener.bind(new InetSocketAddress(port), 1);
            return listener;
        } catch (IOException refused) {
            try (listener) {
                throw new IOException("TCP port " + port + " cannot be listened at: " + refused.getMessage(), refused);
            }
        }
    }

    /**
     * Waits for the client.
     *
     * @param listener the open port
     * @param toCome how long to wait for it to come
     * @param patience how long to wait for each of its lines
     * @return the link to it
     * @throws IOException if the connection breaks
     * @throws ToolException if nobody comes
     */
    public static PeerLink accept(ServerSocket listener, Duration toCome, Duration patience)
            throws IOException, ToolException {
        listener.setSoTimeout(millis(toCome));
        try {
            return new PeerLink(listener.accept(), patience);
        } catch (SocketTimeoutException e) {
            throw new ToolException(
                    "no client came to port " + listener.getLocalPort() + " within " + toCome.toSeconds() + " seconds");
        }
    }

    /**
     * Connects to a server.
     *
     * @param host its name or address
     * @param port its TCP port
     * @param patience how long to wait for it, and for each of its lines
     * @return the link to it
     * @throws IOException if the connection breaks
     * @throws ToolException if there is no server
     */
    @SuppressWarnings("AddressSelection") // The first address, as perftest does.
    public static PeerLink connect(String host, int port, Duration patience) throws IOException, ToolException {
        Socket socket = new Socket();
        try {
            socket.connect(new InetSocketAddress(host, port), millis(patience));
            return new PeerLink(socket, patience);
        } catch (UnknownHostException e) {
            throw refused(socket, host, port, "the name is not known");
        } catch (IOException e) {
            throw refused(socket, host, port, String.valueOf(e.getMessage()));
        }
    }

    private static ToolException refused(Socket socket, String host, int port, String why) throws IOException {
        socket.close();
        return new ToolException(
                "Couldn't connect to " + host + ":" + port + ": " + why + "; start the server there first");
    }

    void say(String line) throws IOException {
        out.write((line + SEPARATOR).getBytes(StandardCharsets.US_ASCII));
    }

    String hear() throws IOException, ToolException {
        try {
            String line = in.readLine();
            if (line == null) {
                throw new ToolException("the other end has gone; see there why");
            }
            return line;
        } catch (SocketTimeoutException e) {
            throw new ToolException("the other end is silent for " + socket.getSoTimeout() + " ms");
        }
    }

    /** Says a line and waits for the same one: neither end goes on before the other is there. */
    void meet(String line) throws IOException, ToolException {
        say(line);
        String heard = hear();
        if (!heard.equals(line)) {
            throw new ToolException("the two ends disagree: '" + line + "' here, '" + heard + "' there");
        }
    }

    /** Whether the other end has said something that was not heard yet, or is gone. */
    boolean hasNews() throws IOException {
        return in.ready() || bytes.available() > 0;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
