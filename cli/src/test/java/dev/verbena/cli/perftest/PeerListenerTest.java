// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.perftest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.conformance.side.SharedSecret;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class PeerListenerTest {
    private static final SharedSecret SECRET = SharedSecret.of("the secret of both ends");
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration MOMENT = Duration.ofMillis(10);

    /** A server that sends one line and closes the connection. */
    private static final class ShortServer extends Socket {
        private final InputStream line;
        private final ByteArrayOutputStream received = new ByteArrayOutputStream();

        ShortServer(String line) {
            this.line = new ByteArrayInputStream((line + "\n").getBytes(StandardCharsets.US_ASCII));
        }

        @Override
        public InputStream getInputStream() {
            return line;
        }

        @Override
        public OutputStream getOutputStream() {
            return received;
        }

        @Override
        public void setSoTimeout(int timeout) {}
    }

    /** Sends the proof of the secret, in answer to the challenge that the connection has received. */
    private static void prove(Socket client) throws IOException {
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.US_ASCII));
        try (ShortServer server = new ShortServer(lines.readLine())) {
            assertThatThrownBy(() -> SECRET.prove(server, PATIENCE)).hasMessage("the other end refuses the secret");
            client.getOutputStream().write(server.received.toByteArray());
        }
    }

    private static long sockets() throws IOException {
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            return descriptors.filter(PeerListenerTest::isSocket).count();
        }
    }

    private static boolean isSocket(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString().startsWith("socket:");
        } catch (IOException closed) {
            return false;
        }
    }

    private static boolean isIn(String table, String text) throws IOException {
        return Files.exists(Path.of(table)) && Files.readString(Path.of(table)).contains(text);
    }

    /** Resets a connection, and waits until the kernel has delivered the reset to the other end. */
    private static void reset(Socket client) throws Exception {
        String port = ":%04X ".formatted(client.getLocalPort());
        client.setSoLinger(true, 0);
        client.close();
        long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (isIn("/proc/self/net/tcp", port) || isIn("/proc/self/net/tcp6", port)) {
            assertThat(System.nanoTime() - end)
                    .as("time until the reset is delivered")
                    .isNegative();
            Thread.sleep(1);
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void closesAConnectionThatIsResetBeforeTheReplyToItsProof() throws Exception {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (PeerListener listener = new PeerListener(any, Optional.of(SECRET));
                Socket first = new Socket(any.getAddress(), listener.address().getPort());
                Socket second = new Socket(any.getAddress(), listener.address().getPort())) {
            while (first.getInputStream().available() == 0
                    || second.getInputStream().available() == 0) {
                assertThat(listener.next(MOMENT, PATIENCE)).isEmpty();
            }
            // The listener reads both proofs at once, replies to one client, and would reply to the other at the next
            // call.
            prove(first);
            prove(second);
            try (PeerLink _ = listener.next(PATIENCE, PATIENCE).orElseThrow()) {
                long before = sockets();
                reset(first.getInputStream().available() > 0 ? second : first);
                assertThat(listener.next(MOMENT, PATIENCE)).isEmpty();
                assertThat(sockets()).as("open sockets").isLessThanOrEqualTo(before - 2);
            }
        }
    }
}
