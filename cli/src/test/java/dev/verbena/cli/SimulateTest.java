// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.StreamHandler;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code verbena lnet simulate}. */
class SimulateTest {
    @TempDir
    private Path directory;

    private Path file;

    @BeforeEach
    void describe() throws IOException {
        file = Files.writeString(directory.resolve("a.yaml"), """
                nodes: 4
                messages: 100
                time: 2m
                crashes: 1
                partitions: 1
                """);
    }

    private static String hash(Cli call) {
        return call.out()
                .lines()
                .filter(line -> line.contains("hash "))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void tellsWhatHappenedAndDrawsIt() throws IOException {
        Path page = directory.resolve("a.html");
        Cli call = Cli.run("lnet", "simulate", file.toString(), "--report", page.toString());
        assertThat(call.err()).isEmpty();
        assertThat(call.code()).isZero();
        assertThat(call.value("started")).isEqualTo("100");
        assertThat(call.value("crashes")).isEqualTo("1");
        assertThat(call.value("partitions healed")).isEqualTo("1");
        assertThat(call.value("broken promises")).isEqualTo("0");
        assertThat(Files.readString(page))
                .contains("<svg", "Credits in use", "class=\"crash\"", "class=\"split\"")
                .doesNotContain("NaN", "Infinity", "http");
        assertThat(hash(Cli.run("lnet", "simulate", file.toString()))).isEqualTo(hash(call));
    }

    @Test
    void doesNotWarnOfPeersThatAreSimulated() {
        Logger root = Logger.getLogger("");
        List<String> warnings = new ArrayList<>();
        Handler collecting = new StreamHandler() {
            @Override
            public synchronized void publish(LogRecord entry) {
                warnings.add(entry.getMessage());
            }
        };
        root.addHandler(collecting);
        try {
            assertThat(Cli.run("lnet", "simulate", file.toString()).code()).isZero();
        } finally {
            root.removeHandler(collecting);
        }
        assertThat(warnings).isEmpty();
    }

    @Test
    void aDescriptionThatIsWrongIsRefusedWithItsLine() throws IOException {
        Files.writeString(file, "nodes: 4\nmesages: 100\n");
        Cli.run("lnet", "simulate", file.toString()).failed(2, "a.yaml:2:", "mesages");
        Cli.run("lnet", "simulate", directory.resolve("none").toString()).failed(2, "none: no such file");
    }

    @Test
    void aPageThatCannotBeWrittenIsRefusedBeforeAnythingRuns() throws IOException {
        String before = Files.readString(file);
        Cli.run("lnet", "simulate", file.toString(), "--report", file.toString())
                .failed(2, "FILE itself");
        Cli.run("lnet", "simulate", file.toString(), "--report", directory.toString())
                .failed(2, "cannot be written");
        assertThat(Files.readString(file)).isEqualTo(before);
    }
}
