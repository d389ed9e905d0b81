// SPDX-License-Identifier: Apache-2.0
package dev.verbena.disni;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
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
        assumeTrue(isPossible(), "network namespaces need root, or user namespaces: unshare -rn");
        String toLoopback =
                shell(Jvm.command("127.0.0.3", EchoClient.class, "127.0.0.1", "STREAM_TAKE", "200", "1", "0"));
        String toInterface =
                shell(Jvm.command("127.0.0.3", EchoClient.class, "192.0.2.2", "STREAM_TAKE", "200", "1", "0"));
        String fromInterface =
                shell(Jvm.command("192.0.2.2", EchoClient.class, "127.0.0.1", "STREAM_TAKE", "200", "1", "0"));
        Path script = Files.writeString(folder.resolve("three"), """
                set -e
                ip link set lo up
                ip addr add 192.0.2.2/24 dev lo
                %s > namenode.txt 2>&1 &
                namenode=$!
                until grep -qx listening namenode.txt; do kill -0 $namenode; done
                %s
                %s > datanode.txt 2>&1 &
                datanode=$!
                until grep -qx listening datanode.txt; do kill -0 $datanode; done
                %s
                %s
                kill $namenode $datanode
                """.formatted(
                        shell(Jvm.command("127.0.0.1", EchoServer.class, "127.0.0.1", "false", "0", "1")),
                        fromInterface,
                        shell(Jvm.command("192.0.2.2", EchoServer.class, "192.0.2.2", "false", "0", "1")),
                        toLoopback,
                        toInterface));
        Path output = folder.resolve("output.txt");
        Process process = new ProcessBuilder("unshare", "-rn", "sh", script.toString())
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(150, TimeUnit.SECONDS)).isTrue();
            String said = Files.readString(output);
            assertThat(process.exitValue()).as(said).isZero();
            assertThat(said.lines().filter("calls 200, wrong 0"::equals)).hasSize(3);
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    private static boolean isPossible() throws Exception {
        try {
            Process tried = new ProcessBuilder("unshare", "-rn", "ip", "link", "set", "lo", "up").start();
            return tried.waitFor(10, TimeUnit.SECONDS) && tried.exitValue() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    private static String shell(List<String> command) {
        return String.join(" ", command.stream().map(part -> "'" + part + "'").toList());
    }
}
