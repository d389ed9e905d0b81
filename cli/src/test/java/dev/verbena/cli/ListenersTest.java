// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.cli.lnet.RawWrite;
import dev.verbena.conformance.side.ConformanceAgent;
import dev.verbena.conformance.side.Endpoint;
import dev.verbena.conformance.side.Introduction;
import dev.verbena.conformance.side.SharedSecret;
import dev.verbena.sim.SimDeviceSpec;
import dev.verbena.sim.SimProvider;
import dev.verbena.sim.fabric.InProcessFabric;
import dev.verbena.sim.runtime.ThreadRuntime;
import dev.verbena.verbs.Device;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The listeners of all commands: where they listen by default, and which peers they refuse. */
@Tag("udp")
class ListenersTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final int FLOOD = 1_000_000;
    private static final int HELD = 70;
    private static final Pattern TCP = Pattern.compile("(?:port (\\d+) of 127\\.0\\.0\\.1 |at 127\\.0\\.0\\.1:(\\d+))");
    private static final SharedSecret SECRET = SharedSecret.of("a secret of the test");

    @TempDir
    private Path directory;

    /** Another address of this machine, to which a listener at 127.0.0.1 is not bound. */
    private static InetAddress elsewhere() throws IOException {
        return NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(address -> address instanceof Inet4Address && !address.isLoopbackAddress())
                .findFirst()
                .orElse(InetAddress.ofLiteral("127.0.0.2"));
    }

    private static void isUnreachableElsewhere(int port) {
        assertThatThrownBy(() -> new Socket(elsewhere(), port).close()).isInstanceOf(IOException.class);
    }

    /** Sends a million bytes without a line feed, and expects the end of the connection. */
    private static void flood(InetSocketAddress at) throws IOException {
        try (Socket socket = new Socket(at.getAddress(), at.getPort())) {
            socket.setSoTimeout((int) LONG.toMillis());
            try {
                socket.getOutputStream().write("x".repeat(FLOOD).getBytes(StandardCharsets.US_ASCII));
                while (socket.getInputStream().read() >= 0) {
                    // The listener may have sent its hello or its challenge.
                }
            } catch (SocketTimeoutException late) {
                throw new AssertionError("the listener holds the connection", late);
            } catch (IOException closed) {
                // The listener has closed the connection.
            }
        }
    }

    @ParameterizedTest(name = "verbena {0}")
    @ValueSource(
            strings = {
                "perftest write-bw -p 0 --local 127.0.0.1:0",
                "rc-pingpong -p 0 --local 127.0.0.1:0",
                "conformance --listen 0",
            })
    void listensAtLoopbackAndClosesAStrangerThatFloodsIt(String command) throws Exception {
        try (VerbenaProcess server = VerbenaProcess.start(directory, command)) {
            String line = server.line();
            assertThat(line).doesNotContain("other machines");
            Matcher found = TCP.matcher(line);
            assertThat(found.find()).as(line).isTrue();
            int port = Integer.parseInt(found.group(1) != null ? found.group(1) : found.group(2));
            isUnreachableElsewhere(port);
            InetSocketAddress at = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
            flood(at);
            new Socket(at.getAddress(), port).close();
        }
    }

    @ParameterizedTest(name = "verbena {0}")
    @CsvSource({
        "demo --fabric udp --role target --local 127.0.0.1:0, waits at 127.0.0.1:",
        "rping -s --local 127.0.0.1:0, port 7174 of 127.0.0.1",
        "ucmatose --local 127.0.0.1:0, port 7471 of 127.0.0.1",
        "rdma-server --local 127.0.0.1:0, port 7471 of 127.0.0.1",
        "lnet up --local 127.0.0.1:0, is up at 127.0.0.1:",
    })
    void aDeviceIsAtLoopbackByDefault(String command, String where) throws Exception {
        String more = command.startsWith("lnet") ? " --monitor " + directory.resolve("m") : "";
        try (VerbenaProcess server = VerbenaProcess.start(directory, command + more)) {
            assertThat(server.line()).contains(where).doesNotContain("other machines");
        }
    }

    @ParameterizedTest(name = "verbena {0}")
    @ValueSource(strings = {"conformance --listen 10.0.0.1:0", "lnet up --bind 0.0.0.0"})
    void aControlConnectionAtAnotherAddressRequiresASecret(String command) {
        Cli.run(command.split(" ")).failed(2, "other machines can reach", "--secret-file");
    }

    private static void holdsAgainstStrangers(InetSocketAddress at, Client client) throws Exception {
        flood(at);
        List<Socket> held = new ArrayList<>();
        try {
            for (int i = 0; i < HELD; i++) {
                held.add(new Socket(at.getAddress(), at.getPort()));
            }
            assertThatThrownBy(() -> client.call(Optional.of(SharedSecret.of("another secret of the test"))))
                    .isInstanceOf(Exception.class);
            assertThatThrownBy(() -> client.call(Optional.empty())).hasMessageContaining("secret");
            client.call(Optional.of(SECRET));
        } finally {
            for (Socket each : held) {
                each.close();
            }
        }
    }

    private interface Client {
        void call(Optional<SharedSecret> secret) throws Exception;
    }

    private static SimProvider provider(ThreadRuntime runtime) throws Exception {
        return new SimProvider(
                runtime,
                new InProcessFabric(runtime),
                List.of(SimDeviceSpec.of("sim0", "192.0.2.1"), SimDeviceSpec.of("sim1", "192.0.2.2")));
    }

    private static InetSocketAddress anyPort() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    @Test
    void theRawServerServesOnlyClientsThatHoldTheSecret() throws Exception {
        try (ThreadRuntime runtime = new ThreadRuntime(1);
                SimProvider provider = provider(runtime);
                Device here = provider.open("sim0");
                Device there = provider.open("sim1");
                RawWrite.Server server = new RawWrite.Server(there, anyPort(), Optional.of(SECRET))) {
            holdsAgainstStrangers(
                    server.address(),
                    secret -> assertThat(RawWrite.measure(here, server.address(), secret))
                            .isPositive());
        }
    }

    @Test
    void theAgentServesOnlyClientsThatHoldTheSecret() throws Exception {
        try (ThreadRuntime runtime = new ThreadRuntime(1);
                SimProvider provider = provider(runtime);
                Device device = provider.open("sim1")) {
            ConformanceAgent agent =
                    ConformanceAgent.listen(anyPort(), device, LONG).withSecret(Optional.of(SECRET));
            Thread thread = Thread.ofPlatform().name("agent").start(() -> {
                try {
                    agent.run();
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
            try (agent) {
                holdsAgainstStrangers(agent.address(), secret -> {
                    try (Endpoint near = Endpoint.remote(agent.address(), LONG, secret, Introduction.NONE)) {
                        assertThat(near).isNotNull();
                    }
                });
            }
            thread.join();
        }
    }
}
