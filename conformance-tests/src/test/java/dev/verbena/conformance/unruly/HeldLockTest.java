// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.unruly;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The provider makes ordinary calls to a driver that may wait for a lock, and the garbage collector can run during these
 * calls. If the user declares that a driver writes to a register, the provider makes critical calls to the driver, and
 * the garbage collector waits until a critical call returns.
 */
class HeldLockTest {
    private static final int SECONDS = 120;
    private static final int HELD_MILLIS = 1_000;
    private static final Pattern REACHING = Pattern.compile("Reaching safepoint: +(\\d+) ns");

    @TempDir
    private Path directory;

    @Test
    void aHeldLockDoesNotDelayTheCollectorUnlessTheDriverIsDeclared() throws IOException, InterruptedException {
        UnrulyLibrary library = UnrulyLibrary.compiled(directory);
        long ordinary = longestWay(library, "");
        long critical = longestWay(library, " -Dverbena.ibverbs.register-drivers=libibverbs");

        System.out.println("longest time to a safepoint while a driver holds a lock for " + HELD_MILLIS + " ms: "
                + ordinary / 1_000 + " us with ordinary calls, " + critical / 1_000 + " us with critical calls");
        assertThat(ordinary).isLessThan(critical / 2);
    }

    private static long longestWay(UnrulyLibrary library, String option) throws IOException, InterruptedException {
        UnrulyLibrary.Run run = library.withJvmOptions("-Xlog:safepoint" + option)
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
