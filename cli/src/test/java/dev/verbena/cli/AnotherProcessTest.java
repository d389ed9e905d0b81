// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A result that is constant within one process may still depend on the process: on memory addresses, and on hash codes of
 * objects.
 */
class AnotherProcessTest {
    private static final List<String> ARGUMENTS =
            List.of("demo", "--size", "1M", "--seed", "7", "--loss", "5%", "--reorder", "2%");

    @TempDir
    private Path directory;

    @Test
    void sendsTheSamePacketsFromTheSameSeed() throws IOException, InterruptedException {
        Cli other = runInAnotherProcess();
        Cli own = Cli.run(ARGUMENTS.toArray(String[]::new)).succeeded();
        assertThat(other.succeeded().value("trace hash")).isEqualTo(own.value("trace hash"));
        assertThat(other.value("virtual seconds")).isEqualTo(own.value("virtual seconds"));
    }

    private Cli runInAnotherProcess() throws IOException, InterruptedException {
        Path out = directory.resolve("out");
        Path err = directory.resolve("err");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                // Another heap size, so that memory has other addresses.
                "-Xmx300m",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Verbena.class.getName()));
        command.addAll(ARGUMENTS);
        Process process = new ProcessBuilder(command)
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        try {
            assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        return new Cli(process.exitValue(), Files.readString(out), Files.readString(err));
    }
}
