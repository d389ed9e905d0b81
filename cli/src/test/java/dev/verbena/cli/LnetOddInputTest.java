// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Numbers, names and files at their limits: {@code lnet} reports a usage error or executes the command. */
class LnetOddInputTest {
    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "stats --watch --interval 0 | --interval 0 is not in 1..",
                "stats --watch --interval -1 | --interval -1 is not in 1..",
                "stats --watch --count -1 | --count -1 is not in 1..",
                "stats --watch --count 0 | --count 0 is not in 1..",
                "stats --interval 5 | require --watch",
                "stats --count 5 | require --watch",
                "ping 192.0.2.2@o2ib --interval -1 | --interval -1 is not in 0..",
                "ping 192.0.2.2@o2ib --count 2147483648 | 2147483648",
                "up --for 0 | --for 0 is not in 1..",
                "up --raw-port -1 | --raw-port -1 is not in 0..65535",
                "up --bind somewhere | 'somewhere' is not an address",
                "up --bind 0x7f | '0x7f' is not an address",
                "get 192.0.2.2@o2ib / | name a file",
                "put 192.0.2.2@o2ib / | is not a readable file",
                "selftest 192.0.2.2@o2ib --size 4294967304 | --size",
                "selftest 192.0.2.2@o2ib --time 0 | --time 0 is not in 1..",
                "selftest 192.0.2.2@o2ib --concurrency 2147483647 | concurrency 2147483647 is not in 1..1024"
            })
    void numbersOutOfRangeAreUsageErrors(String arguments, String complaint) {
        Cli.run(("lnet " + arguments).split(" ")).failed(2, complaint);
    }

    @Test
    @Tag("udp")
    void optionsOfTheKernelModuleAreTakenAsTheKernelTakesThem() throws IOException {
        Path file = Files.writeString(directory.resolve("ko2iblnd.conf"), """
                # What a site has.
                alias ko2iblnd-opa ko2iblnd
                install ko2iblnd /usr/sbin/ko2iblnd-probe
                options lnet networks=o2ib0(ib0)
                options ko2iblnd credits=1024 ib_mtu=4096 peer_credits=0x10 \\
                    rnr_retry_count=7 concurrent_sends=020
                """);
        Cli up = Cli.run(
                "lnet",
                "up",
                "--for",
                "1",
                "--local",
                "127.0.0.1:0",
                "--monitor",
                directory.resolve("m").toString(),
                "--options",
                file.toString());
        assertThat(up.err().lines())
                .containsExactly("tunable ib_mtu does nothing here: connections have the MTU of their path");
        assertThat(up.code()).isZero();
    }

    @Test
    void anEmptyDescriptionOfAClusterIsAllDefaults() throws IOException {
        Path file = Files.writeString(directory.resolve("empty.yaml"), "");
        Cli run = Cli.run("lnet", "simulate", file.toString());
        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isZero();
        assertThat(run.value("nodes")).isEqualTo("8");
    }

    @ParameterizedTest
    @CsvSource({
        "memory: 999999999G, memory: ",
        "memory: 9999999999999999G, memory: ",
        "time: 3000000h, time: ",
        "time: 999999999h, time: ",
        "latency: 999999999h, latency: ",
        "outage: 1s..999999999h, outage: ",
        "rate: 0mbps, a link must carry",
        "nodes: 2147483648, nodes: ",
        "crashes: 2147483647, crashes: ",
        "partitions: 2147483647, partitions: ",
        "seed: 0x10, seed: "
    })
    void aClusterBeyondWhatCanBeSimulatedIsRefusedByName(String line, String complaint) throws IOException {
        Path file = Files.writeString(directory.resolve("a.yaml"), line + "\n");
        Cli.run("lnet", "simulate", file.toString()).failed(2, "a.yaml", complaint);
    }

    /** If messages occupy all memory of a node, the next ones wait until memory is free. */
    @Test
    void littleMemorySlowsTheTrafficDown() throws IOException {
        Path file = Files.writeString(
                directory.resolve("a.yaml"), "nodes: 2\nmemory: 4M\nmessages: 300\nsizes: [256K]\ntime: 1s\n");
        Cli run = Cli.run("lnet", "simulate", file.toString());
        assertThat(run.err()).isEmpty();
        assertThat(run.code()).as(run.out()).isZero();
        assertThat(run.value("started")).isEqualTo("300");
        assertThat(run.value("broken promises")).isEqualTo("0");
    }

    @Test
    void aFileOfSettingsIsBounded() throws IOException {
        Path huge = directory.resolve("huge");
        Files.write(huge, new byte[(1 << 20) + 1]);
        for (String option : new String[] {"--options", "--config"}) {
            Cli.run("lnet", "up", option, huge.toString()).failed(2, "is longer than 1048576 bytes");
            Cli.run("lnet", "up", option, directory.toString()).failed(2, "is a directory");
        }
        Cli.run("lnet", "simulate", huge.toString()).failed(2, "is longer than 1048576 bytes");
        Cli.run("lnet", "simulate", directory.toString()).failed(2, "is a directory");
    }

    /** The NIDs of these nodes are IPv4 addresses. */
    @Test
    void anAddressOfIpv6IsRefusedForANode() {
        Cli.run("lnet", "up", "--for", "1", "--local", "::1").failed(2, "--local", "IPv4");
        Cli.run("lnet", "ping", "192.0.2.2@o2ib", "--peer", "[::1]:4791").failed(2, "--peer", "IPv4");
    }
}
