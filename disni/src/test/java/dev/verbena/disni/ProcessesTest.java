// SPDX-License-Identifier: Apache-2.0
package dev.verbena.disni;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import program.darpc.EchoClient;
import program.darpc.EchoServer;

/** Programs in several JVMs, whose devices communicate over UDP. */
@Timeout(180)
@EnabledOnOs(OS.LINUX) // All of 127.0.0.0/8 is local, and network namespaces exist.
class ProcessesTest {
    @Test
    void aServerAndAClientInTwoJvms() throws Exception {
        // Addresses of this process alone, as the port is that of RoCEv2.
        long pid = ProcessHandle.current().pid();
        String network = "127." + (1 + pid / 250 % 250) + "." + (1 + pid % 250) + ".";
        try (Jvm server = Jvm.start(Jvm.command(network + 1, EchoServer.class, network + 1, "false", "0", "1"))) {
            server.awaitLine("listening");
            try (Jvm client = Jvm.start(
                    Jvm.command(network + 2, EchoClient.class, network + 1, "BATCH_STREAM_TAKE", "10000", "2", "0"))) {
                client.awaitLine("calls 10000, wrong 0");
                client.awaitSuccess();
            }
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
