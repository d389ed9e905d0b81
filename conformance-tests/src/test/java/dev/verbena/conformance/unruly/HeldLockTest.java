// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.unruly;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A driver that may wait for a lock gets ordinary calls, during which the garbage collector runs. A driver that the user
 * declares to write to a register gets critical calls, for whose end the collector waits.
 */
class HeldLockTest {
    private static final int SECONDS = 120;
    private static final int HELD_MILLIS = 1_000;
    private static final Pattern REACHING = Pattern.compile("Reaching safepoint: +(\\d+) ns");

    @TempDir
    private Path directory;

    @Test
    void aHeldLockDoesNotDelayTheCollectorUnlessTheDriverIsDeclared() throws IOException, InterruptedException {
        long ordinary = longestWay("");
        long critical = longestWay(" -Dverbena.ibverbs.register-drivers=libibverbs");

        System.out.println("longest time to a safepoint while a driver holds a lock for " + HELD_MILLIS + " ms: "
                + ordinary / 1_000 + " us with ordinary calls, " + critical / 1_000 + " us with critical calls");
        assertThat(ordinary).isLessThan(critical / 2);
    }

    private long longestWay(String option) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory(directory, "library");
        UnrulyLibrary.Run run = UnrulyLibrary.compiled(folder)
                .withJvmOptions("-Xlog:safepoint" + option)
                .run(SECONDS, HeldLockProgram.class, Integer.toString(HELD_MILLIS));
        assertThat(run.exitCode()).as(run.output()).isZero();
        long longest = 0;
        Matcher matcher = REACHING.matcher(run.output());
        while (matcher.find()) {
            longest = Math.max(longest, Long.parseLong(matcher.group(1)));
        }
        assertThat(longest).as(run.output()).isPositive();
        return longest;
    }
}
