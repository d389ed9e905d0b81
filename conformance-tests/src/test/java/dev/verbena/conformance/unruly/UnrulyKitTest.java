// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.unruly;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The kit over the provider {@code ibverbs} and the library of {@code src/test/c/unruly}. */
class UnrulyKitTest {
    private static final int SECONDS = 300;
    private static final String SEED = "1";
    private static final String TRIES = "3";

    /** Rules that need no observed or dropped packets, virtual time, or a capability of few cards. */
    private static final int RULES = 196;

    @TempDir
    private Path directory;

    @Test
    void theKitRunsOverThePlainPersonality() throws IOException, InterruptedException {
        UnrulyLibrary library = UnrulyLibrary.compiled(directory);
        UnrulyLibrary.Run run = library.run(
                SECONDS,
                KitProgram.class,
                UnrulyLibrary.source("plain.divergences").toString(),
                SEED,
                TRIES);
        assertThat(run.exitCode()).as(run.output()).isZero();
        assertThat(run.output()).endsWith(RULES + " rules kept, 0 broken\n");
    }
}
