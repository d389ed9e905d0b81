// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.Gid;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The settings that {@code verbena lnet} refuses, with name and line, before the node starts. */
class LnetUsageTest {

    @TempDir
    private Path directory;

    private Cli up(String content) throws IOException {
        Path file = directory.resolve("node.yaml");
        Files.writeString(file, content);
        return Cli.run("lnet", "up", "--for", "1", "--local", "127.0.0.1:0", "--config", file.toString());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "peer_credits: 16\\nrubbish: 3 | node.yaml:2: unknown tunable 'rubbish'",
                "# of this node\\n\\nretry_count: 8 | node.yaml:3: retry_count 8 is not in 0..7",
                "timeout: 3\\nservice: many | node.yaml:2: service 'many' is not a whole number",
                "interface: nosuch0 | node.yaml:1: no such interface 'nosuch0'; there are",
                "nid: 10.0.0.256@o2ib | node.yaml:1: \"10.0.0.256@o2ib\" is no NID",
                "nid: 10.0.0.1@tcp | node.yaml:1: 10.0.0.1@tcp is not on an o2ib network",
                "tos: 1\\ntos: 2 | node.yaml:2: tos is set twice",
                "tos: [1, 2] | node.yaml:1: a setting is a name and a value",
                "- tos | node.yaml:1: no settings",
                "tos: 1\\n  x: 2 | node.yaml:2: this is not YAML",
                "peer_timeout: soon | node.yaml:1: peer_timeout 'soon' is not a whole number"
            })
    void aFileIsRefusedByLine(String content, String complaint) throws IOException {
        up(content.replace("\\n", "\n")).failed(2, complaint);
    }

    /** Only the module's own options are read: the lines before the last one would be refused if they were read. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "options ko2iblnd tos=256 | ko2iblnd.conf:1: tos 256 is not in -1..255",
                "options ko2iblnd tos=1 \\~ rubbish=2 | ko2iblnd.conf:2: unknown tunable 'rubbish'",
                "#options ko2iblnd a=1~options ko2iblnd-opa b=2~alias c ko2iblnd~options ko2iblnd tos | ko2iblnd.conf:4: 'tos' is not an option",
                "options ko2iblnd nid=10.0.0.1@tcp | ko2iblnd.conf:1: 10.0.0.1@tcp is not on an o2ib network"
            })
    void optionsOfTheKernelModuleAreRefusedByLine(String content, String complaint) throws IOException {
        Path file = directory.resolve("ko2iblnd.conf");
        Files.writeString(file, content.replace("~", "\n"));
        Cli.run("lnet", "up", "--for", "1", "--local", "127.0.0.1:0", "--options", file.toString())
                .failed(2, complaint);
    }

    @Test
    void aFileThatIsNotThereIsRefused() {
        Path file = directory.resolve("none.yaml");
        Cli.run("lnet", "up", "--config", file.toString()).failed(2, "none.yaml: no such file");
    }

    @ParameterizedTest
    @CsvSource({
        "-o peer_creditz=9, unknown tunable 'peer_creditz'",
        "-o retry_count=900, retry_count 900 is not in 0..7",
        "--interface nosuch0, no such interface 'nosuch0'",
        "--nid 10.0.0@o2ib, is no NID",
        "--nid *, is not on an o2ib network"
    })
    void anOptionIsRefusedByName(String options, String complaint) {
        for (String command : List.of("up", "ping 192.0.2.2@o2ib", "selftest 192.0.2.2@o2ib")) {
            Cli.run(("lnet " + command + " " + options).split(" ")).failed(2, complaint);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "ping 10.0.0.1@nonsense, network \"nonsense\" is unknown",
        "ping 10.0.0.1, is not on an o2ib network",
        "put x@o2ib file, is not an IPv4 address",
        "selftest 192.0.2.2@o2ib --size 12, is not a multiple of 8",
        "selftest 192.0.2.2@o2ib --size 2M, is not a multiple of 8 in 8..1048576",
        "selftest 192.0.2.2@o2ib --concurrency 0, concurrency 0 is not in 1..1024",
        "selftest 192.0.2.2@o2ib --loop 0, a test needs an end",
        "put 192.0.2.2@o2ib nosuchfile, 'nosuchfile' is not a readable file",
        "get 192.0.2.2@o2ib ., is a directory",
        "get 192.0.2.2@o2ib a-name-that-is-longer-than-thirty-two-bytes, is longer than 32 bytes",
        "show rubbish, rubbish",
        "rubbish, unknown command"
    })
    void argumentsAreRefusedByName(String arguments, String complaint) {
        Cli.run(("lnet " + arguments).split(" ")).failed(2, complaint);
    }

    @Test
    void aPortThatIsTakenIsRefused() throws IOException {
        try (DatagramSocket taken =
                new DatagramSocket(new InetSocketAddress(Gid.parse("127.0.0.1").toAddress(), 0))) {
            Cli.run("lnet", "up", "--for", "1", "--local", "127.0.0.1:" + taken.getLocalPort())
                    .failed(1, "EADDRINUSE", Integer.toString(taken.getLocalPort()));
        }
    }

    @Test
    void anAddressThatNoInterfaceHasIsRefused() {
        Cli.run("lnet", "up", "--for", "1", "--nid", "198.51.100.77@o2ib")
                .failed(1, "198.51.100.77", "no interface of this machine has the address");
    }

    @Test
    void aNodeThatIsNotUpCannotBeLookedAt() {
        Cli none =
                Cli.run("lnet", "stats", "--monitor", directory.resolve("none").toString());
        none.failed(1, "no node answers at", "verbena lnet up");
        assertThat(none.out()).isEmpty();
    }
}
