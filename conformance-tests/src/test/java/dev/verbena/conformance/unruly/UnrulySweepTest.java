// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.unruly;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each call of each flow fails in turn: the process survives, nothing is left, and the exception names the verb. */
class UnrulySweepTest {
    private static final int SECONDS = 300;

    @TempDir
    private Path directory;

    @Test
    void eachCallFailsWithOneOfFourErrors() throws IOException, InterruptedException {
        sweep("1");
    }

    @Test
    @Tag("sweep")
    void eachCallFailsWithEachOfFourErrors() throws IOException, InterruptedException {
        sweep("4");
    }

    private void sweep(String errors) throws IOException, InterruptedException {
        UnrulyLibrary.Run run = UnrulyLibrary.compiled(directory).run(SECONDS, SweepProgram.class, errors);
        System.out.print(run.output());
        assertThat(run.exitCode()).as(run.output()).isZero();
    }
}
