// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A node in a process of its own, and other nodes that communicate with it over sockets of this machine. */
@Tag("udp")
class LnetCommandTest {
    private static final String NODE = "192.0.2.2@o2ib";
    private static final String ANY_PORT = "127.0.0.1:0";
    /** If the machine pauses for longer than the device's retries, a connection fails. */
    private static final int TRIES = 3;

    private static final int MOST_STOPS = 1000;

    @TempDir
    private Path directory;

    private VerbenaProcess node;
    private String endpoint = ANY_PORT;
    private String raw;

    @BeforeEach
    void up() throws Exception {
        node = VerbenaProcess.startWithComplaints(
                directory, "lnet up --for 600 --local " + endpoint + " --monitor " + directory.resolve("m"));
        String line = node.line();
        assertThat(line).startsWith(NODE + " is up at 127.0.0.1:");
        endpoint = line.substring(line.lastIndexOf(' ') + 1);
        line = node.line();
        raw = line.substring(line.lastIndexOf(' ') + 1);
        assertThat(node.line()).endsWith(directory.resolve("m").toString());
    }

    @AfterEach
    void down() throws Exception {
        node.close();
    }

    private Cli call(String command, String options) {
        Cli last = Cli.run(("lnet " + command + " --peer " + endpoint + options).split(" "));
        for (int i = 1; i < TRIES && last.code() != 0; i++) {
            last = Cli.run(("lnet " + command + " --peer " + endpoint + options).split(" "));
        }
        assertThat(last.err()).isEmpty();
        assertThat(last.code()).isZero();
        return last;
    }

    private Cli look(String command) {
        Cli seen = Cli.run(("lnet " + command + " --monitor " + directory.resolve("m")).split(" "));
        assertThat(seen.err()).isEmpty();
        assertThat(seen.code()).isZero();
        return seen;
    }

    private void awaitTraffic() {
        long end = System.nanoTime() + Duration.ofMinutes(2).toNanos();
        while (look("stats").sum("selftest_get_bytes") == 0) {
            assertThat(System.nanoTime()).as("still no traffic").isLessThan(end);
        }
    }

    @Test
    void aNodeIsPingedTestedGivenFilesAndLookedAt() throws Exception {
        assertThat(call("ping " + NODE, " --count 2").out()).contains("12345-0@lo", "12345-" + NODE, "answered in");

        Cli written = call("selftest " + NODE, " --loop 1 --force --raw " + raw);
        assertThat(written.value("requests that went well")).isEqualTo("8");
        assertThat(written.value("errors there")).isEqualTo("0");
        assertThat(Double.parseDouble(written.value("ratio to raw"))).isPositive();
        Cli read = call("selftest " + NODE, " --loop 1 --force --test read --check simple");
        assertThat(read.value("requests that went well")).isEqualTo("8");

        byte[] content = new byte[3_000_001];
        new Random(1).nextBytes(content);
        Path file = directory.resolve("data");
        Files.write(file, content);
        Path back = directory.resolve("back");
        call("put " + NODE + " " + file, "");
        call("get " + NODE + " " + back, " --name data");
        assertThat(back).hasBinaryContent(content);
        Cli none = Cli.run(("lnet get " + NODE + " " + back + " --name other --peer " + endpoint).split(" "));
        assertThat(none.err()).contains("has no file with the name 'other'");

        Cli stats = look("stats");
        assertThat(stats.sum("selftest_get_bytes")).isGreaterThanOrEqualTo(8L << 20);
        assertThat(stats.sum("selftest_corrupt")).isZero();
        assertThat(look("stats --watch --count 1").code()).isZero();
        assertThat(look("show peers").out()).contains("incarnation");
        assertThat(look("show conns").out()).contains("credits");
        assertThat(look("show pools").out()).contains("transmits in use 0");
        assertThat(look("show credits").code()).isZero();

        Files.writeString(file, "here before");
        call("get " + NODE + " " + file, "");
        assertThat(file).hasBinaryContent(content);
        keepsEveryFileButTheNamedOne(content);
    }

    /** Other files in the directory belong to the user, even if a program might choose their names for its own files. */
    private void keepsEveryFileButTheNamedOne(byte[] content) throws IOException {
        Path part = Files.writeString(directory.resolve("got.part"), "of another program");
        Path precious = Files.writeString(directory.resolve("precious"), "precious");
        Files.createSymbolicLink(directory.resolve("two.part"), precious);
        for (String name : List.of("got", "two")) {
            call("get " + NODE + " " + directory.resolve(name), " --name data");
            assertThat(directory.resolve(name)).hasBinaryContent(content);
        }
        assertThat(part).hasContent("of another program");
        assertThat(precious).hasContent("precious");
        // A symbolic link stays a link, and its target has the new content.
        Path link = Files.createSymbolicLink(directory.resolve("link"), part);
        call("get " + NODE + " " + link, " --name data");
        assertThat(link).isSymbolicLink();
        assertThat(part).hasBinaryContent(content);
        List<Path> before = list();
        Cli none = Cli.run(("lnet get " + NODE + " " + precious + " --name other --peer " + endpoint).split(" "));
        assertThat(none.code()).isNotZero();
        assertThat(precious).hasContent("precious");
        assertThat(list()).isEqualTo(before);
    }

    private List<Path> list() throws IOException {
        try (Stream<Path> all = Files.list(directory)) {
            return all.sorted().toList();
        }
    }

    @Test
    void aNodeThatWasKilledAndStartedAgainIsUsedAgainByWhoStayed() throws Exception {
        try (VerbenaProcess stays = VerbenaProcess.startWithComplaints(
                directory, "lnet ping " + NODE + " --count 1000000 --interval 1 --wait 3 --go-on --peer " + endpoint)) {
            stays.lineOf("answered in");
            String before = endpoint;
            node.close();
            stays.lineOf("failed to ping " + NODE);
            up();
            assertThat(endpoint).isEqualTo(before);
            stays.lineOf("answered in");
        }
    }

    @Test
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void aNodeThatStandsStillIsToldOfWithTheMessageThatWaitsForIt() throws Exception {
        try (VerbenaProcess still = VerbenaProcess.startWithComplaints(
                directory, "lnet selftest " + NODE + " --time 3000 --peer " + endpoint)) {
            awaitTraffic();
            boolean holds = false;
            for (int i = 0; i < MOST_STOPS && !holds; i++) {
                still.signal("STOP");
                holds = look("show credits").out().contains("GET of 1048576 bytes");
                if (!holds) {
                    still.signal("CONT");
                }
            }
            assertThat(holds).isTrue();
            // If the node's device does not answer for long, the connection ends, and later messages wait for another
            // one.
            assertThat(node.line())
                    .matches(
                            ".*@o2ib hangs, (holding [0-8] of 8 credits|without a connection): .* waits \\d+ s for .*");
        }
    }
}
