// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.unruly;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random calls from several threads while the device is removed, with the address sanitizer in the library: the process
 * survives, and all objects can be closed.
 */
class UnrulyLifecyclesTest {
    private static final int SECONDS = Integer.getInteger("verbena.unruly.seconds", 5);
    private static final long SEED = Long.getLong("verbena.unruly.seed", 1);
    private static final int FURTHER_SECONDS = 120;

    @TempDir
    private Path directory;

    @Test
    void theDeviceIsRemovedWhileThreadsUseIt() throws IOException, InterruptedException {
        UnrulyLibrary library = UnrulyLibrary.compiled(directory);
        if (!library.sanitize()) {
            System.out.println("without the address sanitizer, which this gcc does not have");
        }
        UnrulyLibrary.Run run = library.run(
                SECONDS + FURTHER_SECONDS, LifecyclesProgram.class, Integer.toString(SECONDS), Long.toString(SEED));
        System.out.print(run.output());
        assertThat(run.exitCode()).as(run.output()).isZero();
    }
}
