// SPDX-License-Identifier: Apache-2.0
package dev.verbena.disni;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import program.darpc.EchoClient;
import program.darpc.EchoServer;

/** Programs in several JVMs, whose devices communicate over UDP. */
@Timeout(180)
@EnabledOnOs(OS.LINUX) // All of 127.0.0.0/8 is local, and network namespaces exist.
class ProcessesTest {
    /** Addresses of this process alone, as the port is that of RoCEv2. */
    private static String address(int host) {
        long pid = ProcessHandle.current().pid();
        return "127." + (1 + pid / 250 % 250) + "." + (1 + pid % 250) + "." + host;
    }

    @ParameterizedTest
    @CsvSource({"false, 0, 1", "true, 64, 2"})
    void callsOfDarpcInTwoJvms(String polling, String inline, String clusters) throws Exception {
        try (Jvm server = Jvm.start(Jvm.command(address(1), EchoServer.class, address(1), polling, inline, clusters))) {
            server.awaitLine("listening");
            try (Jvm client = Jvm.start(Jvm.command(
                    address(2), EchoClient.class, address(1), "BATCH_STREAM_TAKE", "10000", clusters, inline))) {
                client.awaitLine("calls 10000, wrong 0");
                client.awaitSuccess();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"usual", "reverse"})
    void rawVerbsInTwoJvms(String order) throws Exception {
        run(
                Jvm.command(address(3), program.verbs.Server.class, address(3), "1919"),
                Jvm.command(address(4), program.verbs.Client.class, address(3), "1919", order));
    }

    @ParameterizedTest
    @ValueSource(strings = {"active", "passive"})
    void endpointsInTwoJvms(String kind) throws Exception {
        run(
                Jvm.command(address(5), program.endpoints.Server.class, address(5), "1919", kind, "1"),
                Jvm.command(address(6), program.endpoints.Client.class, address(5), "1919", kind));
    }

    private static void run(List<String> serving, List<String> calling) throws Exception {
        try (Jvm server = Jvm.start(serving)) {
            server.awaitLine("listening");
            try (Jvm client = Jvm.start(calling)) {
                client.awaitLine("client: wrong 0");
                client.awaitSuccess();
            }
            server.awaitLine("server: wrong 0");
            server.awaitSuccess();
        }
    }

    /** The mix of addresses of a namenode, a datanode and a client on one machine: each pair finds a route, as Linux has it. */
    @Test
    void aLoopbackAddressReachesTheOtherAddressesOfItsMachine(@TempDir Path folder) throws Exception {
        String toLoopback = client("127.0.0.3", "127.0.0.1");
        String toInterface = client("127.0.0.3", "192.0.2.2");
        String fromInterface = client("192.0.2.2", "127.0.0.1");
        String script = Namespace.background("namenode", server("127.0.0.1"))
                + Namespace.awaitLine("namenode", "listening")
                + fromInterface
                + Namespace.background("datanode", server("192.0.2.2"))
                + Namespace.awaitLine("datanode", "listening")
                + toLoopback
                + toInterface
                + "kill $namenode $datanode\n";

        assertThat(Namespace.run(folder, script).lines().filter("calls 200, wrong 0"::equals))
                .hasSize(3);
    }

    private static String server(String address) {
        return Namespace.shell(Jvm.command(address, EchoServer.class, address, "false", "0", "1"));
    }

    private static String client(String address, String server) {
        return Namespace.shell(Jvm.command(address, EchoClient.class, server, "STREAM_TAKE", "200", "1", "0")) + "\n";
    }
}
