// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.inject.Guice;
import com.google.inject.Injector;
import dev.verbena.cli.Fuzz;
import dev.verbena.cli.lnet.Monitor;
import dev.verbena.cli.lnet.RawWrite;
import dev.verbena.cli.network.CloseStack;
import dev.verbena.cli.network.DevicesModule;
import dev.verbena.cli.network.FabricModule;
import dev.verbena.cli.network.NodePair;
import dev.verbena.cli.network.NodesModule;
import dev.verbena.cli.network.RuntimeModule;
import dev.verbena.cli.transfer.Control.Conversation;
import dev.verbena.cli.transfer.Control.Word;
import dev.verbena.cm.ConnectionManager;
import dev.verbena.conformance.side.ConformanceAgent;
import dev.verbena.conformance.side.Endpoint;
import dev.verbena.fault.FaultPlan;
import dev.verbena.lnd.LnetNode;
import dev.verbena.lnet.MemoryDescriptor;
import dev.verbena.sim.SimDeviceSpec;
import dev.verbena.sim.SimProvider;
import dev.verbena.sim.fabric.InProcessFabric;
import dev.verbena.sim.runtime.ThreadRuntime;
import dev.verbena.verbs.Device;
import java.io.DataInputStream;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Unknown clients at each socket of the command line, and a good client, which must still be served. */
class StrangersFuzzTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final String GREETING = "verbena perftest 1: ";

    /** Longer than a busy machine may delay the good client, and short enough that the stranger's transfers end. */
    private static final Duration STALL = Duration.ofSeconds(1);

    @TempDir
    private Path directory;

    private static InetSocketAddress anyPort() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    private static List<byte[]> texts(String... texts) {
        List<byte[]> all = new ArrayList<>();
        for (String text : texts) {
            all.add(text.getBytes(StandardCharsets.UTF_8));
        }
        return all;
    }

    private static SimProvider provider(ThreadRuntime runtime) throws Exception {
        return new SimProvider(
                runtime,
                new InProcessFabric(runtime),
                List.of(SimDeviceSpec.of("sim0", "192.0.2.1"), SimDeviceSpec.of("sim1", "192.0.2.2")));
    }

    @Test
    void monitorOfANode() throws Exception {
        Path path = directory.resolve("m");
        List<byte[]> questions = texts("stats\n", "peers\n", "pools\nconns\n", "big\n");
        List<String> big = List.of("x".repeat(1 << 20));
        try (Monitor _ = new Monitor(path, question -> switch (question) {
                    case "stats" -> Optional.of(List.of("one 1", "two 2"));
                    case "big" -> Optional.of(big);
                    default -> Optional.empty();
                });
                Fuzz fuzz = new Fuzz("the monitor of a node")) {
            fuzz.run(
                    () -> fuzz.callAt(UnixDomainSocketAddress.of(path), questions),
                    () -> assertThat(Monitor.ask(path, "stats")).containsExactly("one 1", "two 2"),
                    "monitor");
        }
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void rawServerOfANode() throws Exception {
        try (ThreadRuntime runtime = new ThreadRuntime(1);
                SimProvider provider = provider(runtime);
                Device here = provider.open("sim0");
                Device there = provider.open("sim1");
                RawWrite.Server server = new RawWrite.Server(there, anyPort(), Optional.empty());
                Fuzz fuzz = new Fuzz("the raw server of a node")) {
            String agreement = GREETING
                    + "RDMA_Write BW Test; RC; sizes [1048576]; 64 iterations; 1 QPs; depths 8 and 8; one way\n";
            List<byte[]> lines = texts(
                    agreement,
                    agreement + "qp 0000:000011:abcdef:00000001:0000000000001000:4096:16:192.0.2.1\n",
                    agreement
                            + "qp 0000:000011:abcdef:00000001:0000000000001000:1024:16:::ffff:192.0.2.1\nsize 1048576\n");
            fuzz.run(
                    () -> fuzz.callAt(server.address(), lines),
                    () -> assertThat(RawWrite.measure(here, server.address(), Optional.empty()))
                            .isPositive(),
                    "raw-write");
        }
    }

    @Test
    void conformanceAgent() throws Exception {
        // This logger warns of each connection that fails, with a stack trace.
        Logger warnings = Logger.getLogger("dev.verbena.conformance.side");
        warnings.setLevel(Level.OFF);
        try (ThreadRuntime runtime = new ThreadRuntime(1);
                SimProvider provider = provider(runtime);
                Device device = provider.open("sim1");
                Fuzz fuzz = new Fuzz("the conformance agent")) {
            ConformanceAgent agent = ConformanceAgent.listen(anyPort(), device, Duration.ofSeconds(2))
                    .withConnections(provider.extension(ConnectionManager.class));
            Thread thread = Thread.ofPlatform().name("agent").start(() -> {
                try {
                    agent.run();
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            });
            try (agent) {
                byte[] hello;
                try (Socket spy =
                        new Socket(agent.address().getAddress(), agent.address().getPort())) {
                    // The agent's own hello: word, version, shape of the records, an empty introduction.
                    hello = new DataInputStream(spy.getInputStream()).readNBytes(3 * Integer.BYTES + Short.BYTES);
                }
                List<byte[]> messages = new ArrayList<>(List.of(hello));
                for (int i = 0; i < 64; i++) {
                    byte[] frame = new byte[hello.length + Integer.BYTES + i];
                    System.arraycopy(hello, 0, frame, 0, hello.length);
                    frame[hello.length + Integer.BYTES - 1] = (byte) i;
                    System.arraycopy(fuzz.bytes(i), 0, frame, hello.length + Integer.BYTES, i);
                    messages.add(frame);
                }
                fuzz.run(
                        () -> fuzz.callAt(agent.address(), messages),
                        () -> {
                            try (Endpoint near = Endpoint.remote(agent.address(), LONG)) {
                                assertThat(near).isNotNull();
                            }
                        },
                        "agent");
            }
            thread.join();
        }
    }

    /** A node sends words and data of puts and gets in any order, while another one puts files. */
    @Test
    void keeperOfFiles() throws Exception {
        Injector injector = Guice.createInjector(
                new RuntimeModule(OptionalLong.empty()),
                new FabricModule(FaultPlan.none(), Optional.empty(), Optional.empty()),
                new DevicesModule(Optional.empty()),
                new NodesModule());
        try (CloseStack _ = injector.getInstance(CloseStack.class);
                NodePair nodes = injector.getInstance(NodePair.class);
                FileKeeper _ = new FileKeeper(nodes.target(), 1L << 30, FileKeeper.EXPIRY, STALL);
                Fuzz fuzz = new Fuzz("the keeper of files")) {
            LnetNode stranger = nodes.initiator();
            Control control = new Control(stranger);
            fuzz.run(() -> mislead(fuzz, nodes), () -> putWell(nodes, control), "file-keeper");
        }
    }

    private static void mislead(Fuzz fuzz, NodePair nodes) throws Exception {
        int portal = fuzz.random().nextInt(4) == 0 ? Store.PORTAL : Control.PORTAL;
        // A small number of transactions, so that words arrive for open conversations.
        Transaction transaction = new Transaction(fuzz.random().nextInt(5));
        int low = fuzz.random().nextInt(10) == 0
                ? fuzz.random().nextInt(1 << 16)
                : fuzz.random().nextInt(8);
        long number = switch (fuzz.random().nextInt(3)) {
            case 0 -> fuzz.random().nextLong();
            case 1 ->
                Offer.encode(fuzz.random().nextInt(100_000), 1 + fuzz.random().nextInt(4096));
            default -> Offer.encode(0, 1);
        };
        byte[] payload = fuzz.bytes(fuzz.random().nextInt(64));
        MemoryDescriptor descriptor = MemoryDescriptor.over(MemorySegment.ofArray(payload))
                .threshold(1)
                .build();
        nodes.initiator()
                .put(
                        descriptor,
                        false,
                        nodes.target().id(),
                        portal,
                        transaction.bits(low),
                        fuzz.random().nextInt(10_000),
                        number);
        nodes.initiator().runtime().await(() -> nodes.initiator().held().size() < 64, LONG);
    }

    /**
     * The good client is refused while the stranger occupies all transfers of the node. This ends when the stranger's
     * transfers time out.
     */
    private static void putWell(NodePair nodes, Control control) throws Exception {
        DataSource source = new GeneratedData(5000);
        long end = System.nanoTime() + LONG.toNanos();
        while (true) {
            try (Conversation with = control.begin(nodes.target().id(), Transaction.draw())) {
                with.say(Word.KEEP, Offer.encode(5000, 4096), "good".getBytes(StandardCharsets.UTF_8), LONG);
                if (with.await(LONG, Word.READY, Word.REFUSED).is(Word.READY)) {
                    new PutTransfer(
                                    nodes.initiator(),
                                    nodes.target().id(),
                                    with.transaction(),
                                    source,
                                    Sections.of(4096, Sections.LIMIT),
                                    4096)
                            .run(moved -> {});
                    with.say(Word.DONE, 0, new byte[0], LONG);
                    assertThat(HexFormat.of()
                                    .formatHex(with.await(LONG, Word.DIGEST).payload()))
                            .isEqualTo(Sha256.of(source, read -> {}));
                    return;
                }
            }
            assertThat(System.nanoTime()).as("refused for a minute").isLessThan(end);
        }
    }
}
