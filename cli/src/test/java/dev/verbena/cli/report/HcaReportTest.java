// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@DisabledOnOs(OS.WINDOWS) // A shell script stands in for verbena.
class HcaReportTest {
    private static final Card CARD = new Card(
            "ibverbs",
            "mlx5_0",
            Optional.of("mlx5_1"),
            2,
            Optional.of(3),
            Optional.of("10.0.0.1,10.0.0.2"),
            Optional.empty());

    @TempDir
    Path folder;

    private boolean passed;
    private String output = "";
    private String page = "";

    /** Runs the report with a script that gets each step's arguments. */
    private void run(String script, String... only) throws Exception {
        Path archive = folder.resolve("report.zip");
        StringWriter out = new StringWriter();
        passed = new HcaReport(CARD, archive, List.of("sh", "-c", script, "verbena"), false)
                .run(true, Set.of(only), new PrintWriter(out));
        output = out.toString();
        try (ZipFile zip = new ZipFile(archive.toFile());
                var in = zip.getInputStream(zip.getEntry("index.html"))) {
            page = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void allStepsPassWhereEachCommandSucceeds() throws Exception {
        run("true");

        assertThat(passed).isTrue();
        assertThat(output.lines()).allMatch(line -> line.contains("passed,"));
        assertThat(page).contains("18 of 18 steps passed").doesNotContain("class=\"bad\"");
    }

    @Test
    void aStepThatFailsDoesNotEndTheReportAndSaysWhatToTry() throws Exception {
        run("test \"$1\" != devinfo");

        assertThat(passed).isFalse();
        assertThat(page)
                .contains(
                        "17 of 18 steps passed",
                        "failed with exit code 1",
                        "Compare with ibv_devinfo -v of rdma-core.");
        assertThat(output).contains("lnet");
    }

    @Test
    void onlyTheNamedStepsAreRun() throws Exception {
        run("true", "lnet", "doctor");

        assertThat(output.lines().map(line -> line.split(" ", 2)[0])).containsExactly("doctor", "lnet");
        assertThat(page).contains("2 of 2 steps passed");
    }

    @Test
    void theDeviceThePortAndTheGidAreThoseOfTheCommand() throws Exception {
        run("true");

        assertThat(page)
                .contains(
                        "rc-pingpong --provider ibverbs -d mlx5_1 -i 2 -g 3 -c",
                        "perftest send-lat --provider ibverbs -d mlx5_0 -i 2 -x 3 --loopback",
                        "conformance --provider ibverbs --device mlx5_0 -i 2 -g 3",
                        "lifecycles --provider ibverbs -d mlx5_0 -i 2 -g 3",
                        "demo --provider ibverbs --addresses 10.0.0.1,10.0.0.2");
    }
}
