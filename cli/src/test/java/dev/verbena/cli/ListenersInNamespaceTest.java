// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnitAccess;
import dev.verbena.cli.NetworkNamespace.Listener;
import dev.verbena.cli.lnet.Monitor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/**
 * Each command that listens, as a process in a network namespace whose machine has a second address, with a heap that is
 * smaller than the bytes that strangers send.
 */
class ListenersInNamespaceTest {
    private static final int FLOOD = 1_000_000;
    private static final String OTHER = NetworkNamespace.OTHER_ADDRESS;
    private static final List<String> SMALL_HEAP = List.of("-Xmx48m", "-XX:+ExitOnOutOfMemoryError");
    private static final Map<String, String> GOOD = Map.of("VERBENA_SECRET", "the secret of both ends");
    private static final Map<String, String> WRONG = Map.of("VERBENA_SECRET", "the secret of a stranger");

    /**
     * Opens 70 connections, sends the file to each, and expects that the listener closes each. Then opens 70 silent
     * connections and holds them until its input ends.
     */
    private static final String STRANGERS = """
            trap '' PIPE
            for i in {1..70}; do
              exec {flood}<>"/dev/tcp/$1/$2" || exit 1
              cat "$3" >&$flood 2>/dev/null
              floods+=($flood)
            done
            for flood in ${floods[@]}; do
              timeout 30 cat <&$flood >/dev/null 2>&1
              [ $? != 124 ] || { echo "a connection stays open"; exit 1; }
              exec {flood}>&-
            done
            for i in {1..70}; do exec {silent}<>"/dev/tcp/$1/$2" || exit 1; done
            echo held
            exec cat
            """;

    private static final String DATAGRAMS = "dd if=\"$3\" bs=1000 status=none >\"/dev/udp/$1/$2\"; echo sent";

    /** Commands that open no listening socket, and the reason. */
    private static final Map<String, String> NO_LISTENER = Map.ofEntries(
            Map.entry("lifecycles", "its devices are in one process"),
            Map.entry("doctor", "it reads the settings of the machine"),
            Map.entry("hca-report", "it runs other commands, and --listen has the listener of demo with a secret"),
            Map.entry("devices", "it lists devices"),
            Map.entry("devinfo", "it lists devices"),
            Map.entry("rdma-client", "it is a client"),
            Map.entry("lnet ping", "it is a client"),
            Map.entry("lnet put", "it is a client"),
            Map.entry("lnet get", "it is a client"),
            Map.entry("lnet selftest", "it is a client"),
            Map.entry("lnet stats", "it is a client of the monitor"),
            Map.entry("lnet show", "it is a client of the monitor"),
            Map.entry("lnet simulate", "its nodes are in one process"),
            Map.entry("help", "it prints a text"),
            Map.entry("completion", "it prints a text"));

    @TempDir
    private Path directory;

    /**
     * A command that listens.
     *
     * @param server its arguments
     * @param lines the number of lines that it prints before it is ready
     * @param client the arguments of a good client, or of several separated by a semicolon
     */
    record Row(String server, int lines, String client) {
        @Override
        public String toString() {
            return "verbena " + server;
        }
    }

    static Stream<Row> atLoopback() {
        return Stream.of(
                new Row("perftest write-bw -n 10", 1, "perftest write-bw -n 10 127.0.0.1"),
                new Row("perftest send-lat -R -n 10", 1, "perftest send-lat -R -n 10 127.0.0.1"),
                new Row("rc-pingpong -n 10", 2, "rc-pingpong -n 10 127.0.0.1"),
                new Row("uc-pingpong -n 10", 2, "uc-pingpong -n 10 127.0.0.1"),
                new Row("ud-pingpong -n 10", 2, "ud-pingpong -n 10 127.0.0.1"),
                new Row("srq-pingpong -q 1 -n 10", 2, "srq-pingpong -q 1 -n 10 127.0.0.1"),
                new Row("rping -s", 1, "rping -c -a 127.0.0.1 -C 3"),
                new Row("ucmatose", 1, "ucmatose -s 127.0.0.1"),
                new Row("rdma-server", 1, "rdma-client -s 127.0.0.1"),
                new Row("demo --fabric udp --role target", 1, "demo --fabric udp --role initiator --size 1M"),
                new Row(
                        "lnet up --raw-port 7000",
                        3,
                        "lnet ping 192.0.2.2@o2ib;lnet selftest 192.0.2.2@o2ib --loop 1 --raw 127.0.0.1:7000"),
                new Row("conformance --listen 7000", 1, "conformance --peer 127.0.0.1:7000 --rules OBJ-02"));
    }

    static Stream<Row> atTheOtherAddress() {
        return Stream.of(
                new Row(
                        "perftest write-bw -n 10 --bind " + OTHER,
                        1,
                        "perftest write-bw -n 10 " + OTHER + " --peer 127.0.0.1"),
                new Row("rc-pingpong -n 10 --bind " + OTHER, 2, "rc-pingpong -n 10 " + OTHER + " --peer 127.0.0.1"));
    }

    static Stream<Row> withASecret() {
        return Stream.of(
                new Row(
                        "lnet up --raw-port 7000 --bind " + OTHER,
                        3,
                        "lnet selftest 192.0.2.2@o2ib --loop 1 --raw " + OTHER + ":7000"),
                new Row(
                        "conformance --listen " + OTHER + ":7000",
                        1,
                        "conformance --peer " + OTHER + ":7000 --rules OBJ-02"));
    }

    private Path monitor() {
        return directory.resolve("monitor");
    }

    private VerbenaProcess start(NetworkNamespace in, Row row, Map<String, String> environment) throws Exception {
        String monitored = row.server.startsWith("lnet") ? " --monitor " + monitor() : "";
        return VerbenaProcess.start(in, SMALL_HEAP, environment, row.server + monitored);
    }

    private static String ready(VerbenaProcess server, Row row) throws Exception {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < row.lines; i++) {
            lines.append(server.line()).append('\n');
        }
        return lines.toString();
    }

    private Process strangers(NetworkNamespace in, Listener listener) throws Exception {
        Path flood = Files.writeString(directory.resolve("flood"), "x".repeat(FLOOD));
        InetSocketAddress at = listener.at();
        Process strangers = in.bash(
                listener.isTcp() ? STRANGERS : DATAGRAMS,
                at.getAddress().getHostAddress(),
                Integer.toString(at.getPort()),
                flood.toString());
        assertThat(strangers.inputReader().readLine())
                .as("strangers at %s", listener)
                .isIn("held", "sent");
        return strangers;
    }

    private static void call(NetworkNamespace in, Row row, Map<String, String> environment, boolean succeeds)
            throws Exception {
        for (String arguments : row.client.split(";")) {
            try (VerbenaProcess client = VerbenaProcess.start(in, List.of(), environment, arguments)) {
                String output = client.remainingOutput();
                assertThat(client.exitCode() == 0).as(arguments + ": " + output).isEqualTo(succeeds);
                if (!succeeds) {
                    assertThat(output).contains("secret");
                }
            }
        }
    }

    /** Sends the monitor a million bytes, and holds connections to it; then it answers. */
    private void disturb(Path monitor) throws IOException {
        List<SocketChannel> held = new ArrayList<>();
        try {
            for (int i = 0; i < 70; i++) {
                held.add(SocketChannel.open(UnixDomainSocketAddress.of(monitor)));
            }
            SocketChannel flood = SocketChannel.open(UnixDomainSocketAddress.of(monitor));
            held.add(flood);
            try {
                flood.write(ByteBuffer.allocate(FLOOD));
                assertThat(Channels.newInputStream(flood).read()).isNegative();
            } catch (IOException closed) {
                // The monitor has closed the connection.
            }
            assertThat(Monitor.ask(monitor, "stats")).isNotEmpty();
        } finally {
            for (SocketChannel each : held) {
                each.close();
            }
        }
    }

    private void serveInSpiteOfStrangers(
            NetworkNamespace in, VerbenaProcess server, Row row, Map<String, String> environment) throws Exception {
        List<Process> strangers = new ArrayList<>();
        try {
            for (Listener each : in.listeners()) {
                strangers.add(strangers(in, each));
            }
            if (Files.exists(monitor())) {
                disturb(monitor());
            }
            if (!environment.isEmpty()) {
                call(in, row, WRONG, false);
                call(in, row, Map.of(), false);
            }
            call(in, row, environment, true);
        } finally {
            strangers.forEach(Process::destroyForcibly);
        }
        boolean servesMore = row.server.startsWith("lnet") || row.server.startsWith("conformance");
        if (servesMore) {
            assertThat(server.isAlive()).isTrue();
        } else {
            assertThat(server.exitCode()).as(row.toString()).isZero();
        }
    }

    @ParameterizedTest
    @MethodSource("atLoopback")
    @EnabledOnOs(OS.LINUX)
    void listensAtLoopbackOnlyAndServesInSpiteOfStrangers(Row row) throws Exception {
        try (NetworkNamespace in = NetworkNamespace.open();
                VerbenaProcess server = start(in, row, Map.of())) {
            String first = ready(server, row);
            assertThat(first).contains("127.0.0.1").doesNotContain("other machines");
            assertThat(in.listeners())
                    .as(first)
                    .isNotEmpty()
                    .allMatch(each -> each.at().getAddress().isLoopbackAddress());
            for (Listener each : in.listeners()) {
                assertThat(each.isTcp() && in.connects(OTHER, each.at().getPort()))
                        .as("%s is reachable at %s", each, OTHER)
                        .isFalse();
            }
            serveInSpiteOfStrangers(in, server, row, Map.of());
        }
    }

    @ParameterizedTest
    @MethodSource("atTheOtherAddress")
    @EnabledOnOs(OS.LINUX)
    void listensAtAnotherAddressIfToldAndWarns(Row row) throws Exception {
        listensElsewhere(row, Map.of());
    }

    @ParameterizedTest
    @MethodSource("withASecret")
    @EnabledOnOs(OS.LINUX)
    void aControlConnectionAtAnotherAddressServesClientsWithTheSecretOnly(Row row) throws Exception {
        listensElsewhere(row, GOOD);
    }

    private void listensElsewhere(Row row, Map<String, String> environment) throws Exception {
        try (NetworkNamespace in = NetworkNamespace.open();
                VerbenaProcess server = start(in, row, environment)) {
            assertThat(ready(server, row)).contains(OTHER, "other machines can reach this address");
            assertThat(in.listeners())
                    .filteredOn(Listener::isTcp)
                    .singleElement()
                    .satisfies(each ->
                            assertThat(each.at().getAddress().getHostAddress()).isEqualTo(OTHER));
            serveInSpiteOfStrangers(in, server, row, environment);
        }
    }

    private static CommandLine command(String arguments) {
        CommandLine found = Verbena.commandLine();
        for (String word : arguments.split(" ", -1)) {
            CommandLine below = found.getSubcommands().get(word);
            if (below == null) {
                break;
            }
            found = below;
        }
        return found;
    }

    @Test
    void eachCommandIsTriedOrOpensNoListener() {
        Set<Class<?>> tried = atLoopback()
                .map(row -> command(row.server).getCommand().getClass())
                .collect(Collectors.toSet());
        assertThat(HelpTest.commands()).allSatisfy(name -> {
            String own = name.replaceFirst("^verbena ", "");
            assertThat(tried.contains(command(own).getCommand().getClass()))
                    .as("%s is among the rows of this test, or listed with the reason why it opens no listener", own)
                    .isNotEqualTo(NO_LISTENER.containsKey(own));
        });
    }

    /** A class that is new here needs a row above, and a line in SECURITY.md. */
    @Test
    void theClassesThatListenAreKnown() {
        assertThat(ArchitectureTest.VERBENA.stream()
                        .filter(ListenersInNamespaceTest::listens)
                        .map(JavaClass::getSimpleName))
                .containsExactlyInAnyOrder(
                        "PeerListener",
                        "AddressExchange",
                        "NodeSocket",
                        "ConformanceAgent",
                        // Tries whether a port is free, and accepts no connection.
                        "HcaReport");
    }

    private static boolean listens(JavaClass type) {
        return type.getCodeUnitCallsFromSelf().stream()
                .map(JavaCodeUnitAccess::getTarget)
                .anyMatch(target -> target.getOwner().isEquivalentTo(ServerSocket.class)
                                && target.getName().equals("<init>")
                        || target.getOwner().isEquivalentTo(ServerSocketChannel.class)
                                && target.getName().equals("open"));
    }
}
