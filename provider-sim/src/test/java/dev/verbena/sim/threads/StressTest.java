// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.threads;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.sim.fixture.Sweep;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Runs the jcstress tests of this module in separate JVMs. Their names end in {@code Stress}. Each states in {@code
 * @Outcome} the permitted results of any interleaving; any other result fails.
 */
@Tag("sweep")
class StressTest {
    private static final Pattern SUMMARY = Pattern.compile(
            "Results: (\\d+) planned; (\\d+) passed, (\\d+) failed, (\\d+) soft errs, (\\d+) hard errs");
    private static final int PATIENCE_MINUTES = 15;

    @Test
    void noInterleavingHasAForbiddenOutcome() throws IOException, InterruptedException {
        int milliseconds = Sweep.amount("stress-milliseconds", 250);
        Path directory = Files.createDirectories(Path.of("target", "jcstress"));
        Path log = directory.resolve("log.txt");
        Process jcstress = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        "org.openjdk.jcstress.Main",
                        // One JVM for each test and set of JIT options, five measurements in each.
                        "-f",
                        "1",
                        "-fsm",
                        "1",
                        "-sc",
                        "false",
                        "-iters",
                        "5",
                        "-time",
                        Integer.toString(milliseconds),
                        // Small batches, because some states hold a queue pair.
                        "-strideSize",
                        "64",
                        "-strideCount",
                        "8",
                        "-r",
                        "report"))
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        boolean ended = jcstress.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES);
        jcstress.descendants().forEach(ProcessHandle::destroy);
        jcstress.destroy();
        String output = Files.readString(log);
        assertThat(ended).as("jcstress ended; it said%n%s", output).isTrue();
        MatchResult last = SUMMARY.matcher(output)
                .results()
                .reduce((former, latter) -> latter)
                .orElseThrow(() -> new AssertionError("jcstress printed no result, but\n" + output));
        System.out.println(last.group());
        assertThat(jcstress.exitValue()).as(output).isZero();
        assertThat(Integer.parseInt(last.group(2))).as(output).isPositive().isEqualTo(Integer.parseInt(last.group(1)));
    }
}
