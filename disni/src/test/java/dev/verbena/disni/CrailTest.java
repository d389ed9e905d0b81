// SPDX-License-Identifier: Apache-2.0
package dev.verbena.disni;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.crail.storage.StorageServer;
import org.apache.crail.tools.CrailBenchmark;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import program.crail.Client;
import program.crail.Cluster;
import program.crail.NameNode;

/**
 * Crail 1.1-incubating from Maven Central: its client and its benchmark, its datanode over RDMA, and its calls over DaRPC to a namenode of the test.
 * The datanode listens on the address of an interface that has a broadcast address, so these programs run in a network namespace.
 */
@Timeout(180)
@EnabledOnOs(OS.LINUX)
class CrailTest {
    private static final String SUCCESS = "bytes 25165824, wrong 0";

    @TempDir
    Path home;

    private void configure(String namenode, String type) throws Exception {
        Files.createDirectories(home.resolve("cache"));
        Path folder = Files.createDirectories(home.resolve("conf"));
        Files.writeString(folder.resolve("crail-site.conf"), """
                crail.blocksize 1048576
                crail.buffersize 1048576
                crail.regionsize 16777216
                crail.cachelimit 16777216
                crail.cachepath %1$s/cache
                crail.rpctimeout 30000
                crail.datatimeout 30000
                crail.namenode.address crail://%2$s:9060
                crail.namenode.rpctype org.apache.crail.namenode.rpc.darpc.DaRPCNameNode
                crail.namenode.darpc.affinity 0
                crail.storage.types org.apache.crail.storage.rdma.RdmaStorageTier
                crail.storage.rdma.interface net0
                crail.storage.rdma.datapath %1$s/data
                crail.storage.rdma.storagelimit 67108864
                crail.storage.rdma.allocationsize 16777216
                crail.storage.rdma.localmap false
                crail.storage.rdma.type %3$s
                """.formatted(home, namenode, type));
    }

    private String run(String commands) throws Exception {
        return Namespace.run(home, "export CRAIL_HOME='%s'\n%s\n".formatted(home, commands));
    }

    /** Crail's buffers use the class sun.nio.ch.DirectBuffer. */
    private static String command(Class<?> program, String... options) {
        List<String> all = new ArrayList<>(List.of(options));
        all.add("--add-exports=java.base/sun.nio.ch=ALL-UNNAMED");
        return Namespace.shell(Jvm.command(program, all.toArray(String[]::new)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"passive", "active"})
    void aFileIsWrittenAndReadInOneJvm(String type) throws Exception {
        configure("192.0.2.1", type);

        assertThat(run(command(Cluster.class))).contains(SUCCESS);
    }

    /** The namenode at a loopback address, the datanode at that of an interface, the client at another loopback address. */
    @Test
    void aFileIsWrittenAndReadByThreeJvms() throws Exception {
        configure("127.0.0.1", "passive");

        String output = run(Namespace.background("namenode", command(NameNode.class, "-Dverbena.sim.udp=127.0.0.1"))
                + Namespace.awaitLine("namenode", "listening")
                + Namespace.background("datanode", command(StorageServer.class, "-Dverbena.sim.udp=192.0.2.2"))
                + Namespace.awaitLine("namenode", "has blocks")
                + command(Client.class, "-Dverbena.sim.udp=127.0.0.3")
                + "\n"
                + benchmark("write")
                + benchmark("readSequential")
                + "kill $namenode $datanode\n");

        assertThat(output).contains(SUCCESS);
        assertThat(output.lines().filter("sumbytes 6553600.0"::equals)).hasSize(2);
    }

    private static String benchmark(String type) {
        return command(CrailBenchmark.class, "-Dverbena.sim.udp=127.0.0.3") + " -t " + type
                + " -s 65536 -k 100 -f /benchmark.dat\n";
    }
}
