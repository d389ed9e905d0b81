// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.cli.report.StepResult.End;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@DisabledOnOs(OS.WINDOWS) // The steps are shell scripts here.
class StepRunnerTest {
    @TempDir
    Path folder;

    private StepResult run(String script, Duration limit, String... server) throws InterruptedException {
        return new StepRunner(List.of("sh", "-c"), folder)
                .run(new Step("step", "Shows something.", List.of(script), List.of(server), limit, "Try again."));
    }

    @Test
    void aStepThatSucceedsHasPassed() throws Exception {
        StepResult result = run("echo well; echo badly >&2", Duration.ofMinutes(1));

        assertThat(result.passed()).isTrue();
        assertThat(folder.resolve("step.txt")).content().contains("well", "badly", "$ verbena echo well");
    }

    @Test
    void aStepThatFailsHasItsExitCode() throws Exception {
        assertThat(run("exit 7", Duration.ofMinutes(1)).verdict()).isEqualTo("failed with exit code 7");
    }

    @Test
    void aStepThatHangsIsEndedAfterItsLimit() throws Exception {
        assertThat(run("exec tail -f /dev/null", Duration.ofMillis(200)).end()).isEqualTo(End.TIMED_OUT);
    }

    @Test
    void theFailureOfAServerFailsTheStep() throws Exception {
        StepResult result = run("true", Duration.ofMinutes(1), "exit 3");

        assertThat(result.verdict()).isEqualTo("failed with exit code 3");
        assertThat(folder.resolve("step-server.txt")).exists();
    }

    @Test
    void aCommandThatCannotBeStartedIsReported() throws Exception {
        StepResult result = new StepRunner(List.of(folder.resolve("absent").toString()), folder)
                .run(new Step("step", "", List.of("x"), List.of(), Duration.ofMinutes(1), ""));

        assertThat(result.end()).isEqualTo(End.NOT_STARTED);
        assertThat(folder.resolve("step.txt")).content().contains("not started");
    }

    @Test
    void anArchiveHasTheRedactedTextAndTheBinaryFilesOfTheFolder() throws Exception {
        Path archive = Files.createDirectories(folder.resolve("out")).resolve("report.zip");
        Path in = Files.createDirectories(folder.resolve("in"));
        Files.writeString(in.resolve("a.txt"), "at 10.0.0.1");
        byte[] binary = {(byte) 0xff, 0, (byte) 0xfe, 7};
        Files.write(Files.createDirectories(in.resolve("b")).resolve("c.bin"), binary);

        new ReportArchive(archive, in, Optional.of(new Redaction(List.of()))).write();
        new ReportArchive(archive, in, Optional.of(new Redaction(List.of()))).write();

        try (ZipFile zip = new ZipFile(archive.toFile());
                InputStream text = zip.getInputStream(zip.getEntry("a.txt"));
                InputStream bytes = zip.getInputStream(zip.getEntry("b/c.bin"))) {
            assertThat(new String(text.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo("at redacted-1");
            assertThat(bytes.readAllBytes()).isEqualTo(binary);
        }
        assertThat(archive.getParent()).isDirectoryContaining(file -> file.equals(archive));
    }
}
