// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.tools;

import dev.verbena.verbs.VerbsException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The exchange of connection data (LID, QPN, PSN, GID) over TCP. First the client writes its queue pairs' connection data.
 * Then the server connects its queue pairs and writes their connection data. Then the client writes "done" and closes the
 * TCP connection. The bytes on the TCP connection equal those of the example programs of libibverbs.
 */
final class AddressExchange {
    private static final byte[] DONE = "done\0".getBytes(StandardCharsets.US_ASCII);

    private final PingPongSettings settings;

    AddressExchange(PingPongSettings settings) {
        this.settings = settings;
    }

    /** Connects the server's queue pairs after the connection data of the client's queue pairs was read. */
    interface Connector {
        void connect(List<Destination> remote) throws VerbsException;
    }

    List<Destination> withServer(String host, List<Destination> mine) throws IOException, ToolException {
        try (Socket socket = new Socket()) {
            connect(socket, host);
            write(socket, mine);
            List<Destination> remote = read(socket);
            socket.getOutputStream().write(DONE);
            return remote;
        } catch (SocketTimeoutException e) {
            throw new ToolException("Couldn't read remote address: " + host + ":" + settings.tcpPort()
                    + " accepted the connection and did not send all of its addresses within "
                    + settings.patience().toSeconds() + " seconds; is it the same tool?");
        }
    }

    private void connect(Socket socket, String host) throws IOException, ToolException {
        try {
            socket.connect(new InetSocketAddress(host, settings.tcpPort()), millis(settings.patience()));
        } catch (UnknownHostException e) {
            throw new ToolException("Couldn't connect to " + host + ": the name cannot be resolved");
        } catch (IOException e) {
            throw new ToolException("Couldn't connect to " + host + ":" + settings.tcpPort() + ": " + e.getMessage()
                    + "; start the server there first");
        }
    }

    /**
     * Waits for a client on the bound listening socket, exchanges QP connection data with the client, and closes the
     * socket. If a client sends invalid QP connection data, its TCP connection is closed, and the wait continues.
     */
    List<Destination> withClient(ServerSocketChannel listener, List<Destination> mine, Connector connector)
            throws IOException, ToolException, VerbsException {
        int length = settings.addresses() * Destination.BYTES;
        try (Reception reception = new Reception(listener, length, said -> said.position() == length)) {
            long end = System.nanoTime() + settings.comePatience().toNanos();
            while (true) {
                Reception.Caller caller = reception
                        .next(Duration.ofNanos(end - System.nanoTime()))
                        .orElseThrow(() -> new ToolException("no client connected to port " + settings.tcpPort()
                                + " of " + settings.listenAt().getHostAddress()
                                + " and sent all of its addresses within "
                                + settings.comePatience().toSeconds()
                                + " seconds"));
                try (Socket socket = caller.channel().socket()) {
                    Optional<List<Destination>> remote = decodeIfValid(caller.said());
                    if (remote.isPresent()) {
                        answer(socket, remote.get(), mine, connector);
                        return remote.get();
                    }
                }
            }
        }
    }

    private void answer(Socket socket, List<Destination> remote, List<Destination> mine, Connector connector)
            throws IOException, ToolException, VerbsException {
        socket.setSoTimeout(millis(settings.patience()));
        connector.connect(remote);
        write(socket, mine);
        if (socket.getInputStream().read() < 0) {
            throw new ToolException("the client closed the connection before it read all addresses");
        }
    }

    private Optional<List<Destination>> decodeIfValid(byte[] said) {
        try {
            return Optional.of(decode(said));
        } catch (IOException | IllegalArgumentException stranger) {
            return Optional.empty();
        }
    }

    private List<Destination> decode(byte[] said) throws IOException {
        List<Destination> remote = new ArrayList<>();
        for (int i = 0; i < settings.queuePairs(); i++) {
            remote.add(
                    Destination.decode(Arrays.copyOfRange(said, i * Destination.BYTES, (i + 1) * Destination.BYTES)));
        }
        return remote;
    }

    ServerSocketChannel listen() throws IOException {
        ServerSocketChannel listener = ServerSocketChannel.open();
        try {
            listener.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            return listener.bind(new InetSocketAddress(settings.listenAt(), settings.tcpPort()));
        } catch (IOException refused) {
            try (listener) {
                throw new IOException(
                        "cannot listen at TCP port " + settings.tcpPort() + " of "
                                + settings.listenAt().getHostAddress() + ": " + refused.getMessage(),
                        refused);
            }
        }
    }

    private static int millis(Duration duration) {
        return Math.clamp(duration.toMillis(), 1, Integer.MAX_VALUE);
    }

    private void write(Socket socket, List<Destination> mine) throws IOException {
        OutputStream out = socket.getOutputStream();
        for (int i = 0; i < settings.addresses(); i++) {
            out.write((i < mine.size() ? mine.get(i) : Destination.NONE).encode());
        }
    }

    private List<Destination> read(Socket socket) throws IOException, ToolException {
        // One deadline covers the whole message, so that a peer cannot extend the wait by sending single bytes.
        long end = System.nanoTime() + settings.patience().toNanos();
        byte[] bytes = new byte[settings.addresses() * Destination.BYTES];
        for (int have = 0; have < bytes.length; ) {
            long left = end - System.nanoTime();
            if (left <= 0) {
                throw new SocketTimeoutException();
            }
            socket.setSoTimeout(millis(Duration.ofNanos(left)));
            int count = socket.getInputStream().read(bytes, have, bytes.length - have);
            if (count < 0) {
                throw new ToolException("Couldn't read remote address: the other end closed the connection; is it the"
                        + " same tool, and did it fail?");
            }
            have += count;
        }
        return decode(bytes);
    }
}
