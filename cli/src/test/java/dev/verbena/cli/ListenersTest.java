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
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The listeners of all commands: where they listen by default, and which peers they refuse. */
@Tag("udp")
class ListenersTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final int FLOOD = 1_000_000;
    private static final int HELD = 70;
    private static final SharedSecret SECRET = SharedSecret.of("a secret of the test");

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
