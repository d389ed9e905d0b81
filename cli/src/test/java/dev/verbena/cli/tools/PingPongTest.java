// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.fault.FaultPlan;
import dev.verbena.fault.LinkRule;
import dev.verbena.fault.Verdict;
import dev.verbena.sim.SimDeviceSpec;
import dev.verbena.sim.SimProvider;
import dev.verbena.sim.fabric.InProcessFabric;
import dev.verbena.sim.fault.FaultyFabric;
import dev.verbena.sim.runtime.ThreadRuntime;
import dev.verbena.verbs.AckTimeout;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.PathMtu;
import dev.verbena.verbs.QpType;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two of the tools with each other, in one process, and one tool with a script of the original's behavior. */
class PingPongTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static PingPongSettings settings(QpType type, int queuePairs, int size, boolean events) {
        return new PingPongSettings(
                type,
                Optional.empty(),
                0,
                InetAddress.getLoopbackAddress(),
                1,
                size,
                PathMtu.MTU_1024,
                queuePairs,
                queuePairs > 1,
                40,
                30,
                0,
                AckTimeout.ofCode(14),
                events,
                OptionalInt.empty(),
                true,
                PATIENCE,
                PATIENCE,
                Duration.ZERO);
    }

    private static PingPongSettings with(
            PingPongSettings from, Optional<String> server, int tcpPort, Duration patience) {
        return new PingPongSettings(
                from.type(),
                server,
                tcpPort,
                from.listenAt(),
                from.port(),
                from.size(),
                from.mtu(),
                from.queuePairs(),
                from.sharedReceives(),
                from.receiveDepth(),
                from.iterations(),
                from.serviceLevel(),
                from.ackTimeout(),
                from.events(),
                from.gidIndex(),
                from.check(),
                patience,
                patience,
                from.linger());
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static String loopback() {
        return InetAddress.getLoopbackAddress().getHostAddress();
    }

    private static String run(Device device, PingPongSettings settings) {
        StringWriter out = new StringWriter();
        try {
            new PingPong(device, settings, new Random(7), new PrintWriter(out)).run();
        } catch (Exception e) {
            throw new CompletionException(out.toString(), e);
        }
        return out.toString();
    }

    /** Connects repeatedly, because the connection is refused until the server listens. */
    private static String runClient(Device device, PingPongSettings settings) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try {
                return run(device, settings);
            } catch (CompletionException e) {
                if (!String.valueOf(e.getCause()).contains("refused") || System.nanoTime() > end) {
                    throw e;
                }
            }
        }
    }

    /** Server and client, each in a thread of its own; returns what they printed. */
    private static List<String> exchange(PingPongSettings settings, FaultPlan faults) throws Exception {
        int tcpPort = freePort();
        try (ThreadRuntime runtime = new ThreadRuntime(1);
                SimProvider provider = new SimProvider(
                        runtime,
                        new FaultyFabric(new InProcessFabric(runtime), faults, runtime),
                        List.of(SimDeviceSpec.of("sim0", "192.0.2.1"), SimDeviceSpec.of("sim1", "192.0.2.2")));
                Device left = provider.open("sim0");
                Device right = provider.open("sim1")) {
            Duration patience = settings.patience();
            CompletableFuture<String> server = CompletableFuture.supplyAsync(
                    () -> run(right, with(settings, Optional.empty(), tcpPort, patience)));
            try {
                String client = runClient(left, with(settings, Optional.of(loopback()), tcpPort, patience));
                return List.of(client, server.get(PATIENCE.toSeconds(), TimeUnit.SECONDS));
            } finally {
                server.handle((_, _) -> "").join();
            }
        }
    }

    @ParameterizedTest(name = "{0}, {1} queue pairs, {2} bytes, events {3}")
    @CsvSource({
        "RC, 1, 1, false",
        "RC, 1, 65536, true",
        "UC, 1, 4097, false",
        "UC, 1, 64, true",
        "UD, 1, 4096, false",
        "UD, 1, 1, true",
        "RC, 4, 1025, false",
        "RC, 16, 4096, true"
    })
    void bothEndsGetAllBytes(QpType type, int queuePairs, int size, boolean events) throws Exception {
        List<String> told = exchange(settings(type, queuePairs, size, events), FaultPlan.none());
        for (String each : told) {
            List<String> lines = each.lines()
                    .filter(line -> !line.startsWith("Waiting for client"))
                    .toList();
            assertThat(lines).hasSize(2 * queuePairs + 2);
            assertThat(lines.get(lines.size() - 2)).startsWith(2L * size * 30 + " bytes in ");
            assertThat(lines.getLast()).matches("30 iters in .* seconds = .* usec/iter");
        }
        assertThat(addresses(told.getFirst(), "local")).isEqualTo(addresses(told.getLast(), "remote"));
        assertThat(addresses(told.getFirst(), "remote")).isEqualTo(addresses(told.getLast(), "local"));
    }

    private static List<String> addresses(String told, String whose) {
        return told.lines()
                .filter(line -> line.startsWith("  " + whose + " address:"))
                .map(line -> line.substring("  remote address: ".length()).replace(": GID", ", GID"))
                .toList();
    }

    @Test
    void lossCostsARetransmissionAndNoData() throws Exception {
        FaultPlan faults = FaultPlan.builder()
                .rule(LinkRule.once(packet -> packet.bytes().byteSize() > 1000, Verdict.DROP))
                .build();
        assertThat(exchange(settings(QpType.RC, 1, 4096, false), faults))
                .allSatisfy(told -> assertThat(told).contains("30 iters in"));
    }

    @Test
    void aLostDatagramEndsBothInBoundedTime() {
        PingPongSettings impatient =
                with(settings(QpType.UD, 1, 64, false), Optional.empty(), 0, Duration.ofMillis(300));
        FaultPlan faults = FaultPlan.builder()
                .rule(LinkRule.always(packet -> true, Verdict.DROP))
                .build();
        assertThatThrownBy(() -> exchange(impatient, faults))
                .hasRootCauseInstanceOf(ToolException.class)
                .rootCause()
                .hasMessageContaining("neither a message nor an acknowledgement")
                .hasMessageContaining("received 0, sent 1 of 30");
    }

    @Test
    void aSilentPeerFailsTheRequest() {
        FaultPlan faults = FaultPlan.builder()
                .rule(LinkRule.always(packet -> true, Verdict.DROP))
                .build();
        // The retries of 67 ms end first, seven of them; then the server times out.
        PingPongSettings settings = with(settings(QpType.RC, 1, 64, true), Optional.empty(), 0, Duration.ofSeconds(4));
        assertThatThrownBy(() -> exchange(settings, faults)).rootCause().hasMessageContaining("(12) for wr_id 2");
    }

    /** With single bytes at long intervals, all addresses would take a minute. */
    @Test
    void aServerThatSendsItsAddressesInDripsEndsTheClientAtItsDeadline() throws Exception {
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                ThreadRuntime runtime = new ThreadRuntime(1);
                SimProvider provider = new SimProvider(
                        runtime, new InProcessFabric(runtime), List.of(SimDeviceSpec.of("sim0", "192.0.2.1")));
                Device device = provider.open("sim0")) {
            PingPongSettings settings = with(
                    settings(QpType.RC, 1, 64, false),
                    Optional.of(loopback()),
                    listener.getLocalPort(),
                    Duration.ofSeconds(1));
            CompletableFuture<String> client = CompletableFuture.supplyAsync(() -> run(device, settings));
            try (Socket socket = listener.accept()) {
                for (int i = 0; i < Destination.BYTES && !client.isDone(); i++) {
                    socket.getOutputStream().write('0');
                    client.handle((_, _) -> "")
                            .completeOnTimeout("", 900, TimeUnit.MILLISECONDS)
                            .join();
                }
            } catch (IOException broken) {
                // The client has ended.
            }
            assertThatThrownBy(client::join)
                    .rootCause()
                    .hasMessageContaining("did not send all of its addresses within 1 seconds");
        }
    }

    @Test
    void aClientPrintsTheLinesOfTheOriginal() throws Exception {
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                ThreadRuntime runtime = new ThreadRuntime(1);
                SimProvider provider = new SimProvider(
                        runtime, new InProcessFabric(runtime), List.of(SimDeviceSpec.of("sim0", "192.0.2.1")));
                Device device = provider.open("sim0")) {
            PingPongSettings settings = with(
                    settings(QpType.UC, 1, 64, false),
                    Optional.of(loopback()),
                    listener.getLocalPort(),
                    Duration.ofMillis(300));
            CompletableFuture<String> client = CompletableFuture.supplyAsync(() -> run(device, settings));
            try (Socket socket = listener.accept()) {
                DataInputStream in = new DataInputStream(socket.getInputStream());
                assertThat(new String(in.readNBytes(52), StandardCharsets.US_ASCII))
                        .matches("0000:[0-9a-f]{6}:[0-9a-f]{6}:00000000000000000000ffffc0000201\0");
                socket.getOutputStream()
                        .write("0000:0000ab:00cdef:00000000000000000000ffffc0000202\0"
                                .getBytes(StandardCharsets.US_ASCII));
                assertThat(new String(in.readAllBytes(), StandardCharsets.US_ASCII))
                        .isEqualTo("done\0");
            }
            assertThatThrownBy(client::join)
                    .hasMessageContaining(
                            "remote address: LID 0x0000, QPN 0x0000ab, PSN 0x00cdef, GID ::ffff:192.0.2.2")
                    .hasRootCauseInstanceOf(ToolException.class);
        }
    }
}
