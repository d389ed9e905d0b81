// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import dev.verbena.cli.output.Failures;
import dev.verbena.sim.fabric.Fabric;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.nio.file.FileSystemException;
import org.junit.jupiter.api.Test;

class FailuresTest {

    /** Fails while the devices are assembled. */
    private static final class Broken extends AbstractModule {
        private final Exception failure;

        Broken(Exception failure) {
            this.failure = failure;
        }

        @Provides
        Fabric fabric() throws Exception {
            throw failure;
        }
    }

    @Test
    void aVerbThatIsRefusedWhileThingsArePutTogetherIsToldInOneLine() {
        Cli.run(new Broken(new VerbsException(Errno.EADDRINUSE, "attach", "port sim0\nhas the address")), "demo")
                .failed(1, "verbena demo: attach: port sim0 has the address (EADDRINUSE)");
    }

    @Test
    void anUnexpectedFailureIsToldInOneLineWithTheWayToLearnMore() {
        Cli.run(new Broken(new IllegalStateException("a bug")), "demo").failed(1, "a bug", "--verbose shows where");
    }

    @Test
    void verboseShowsWhereItHappened() {
        Cli run = Cli.run(new Broken(new IllegalStateException("a bug")), "demo", "--verbose");
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err()).contains("a bug", "\tat dev.verbena.cli.FailuresTest");
    }

    @Test
    void anErrorOfTheMachineIsToldInOneLineToo() {
        Cli.run(
                        new AbstractModule() {
                            @Provides
                            Fabric fabric() {
                                throw new OutOfMemoryError("Cannot reserve memory");
                            }
                        },
                        "demo")
                .failed(1, "out of memory: Cannot reserve memory");
    }

    @Test
    void aFailureOfAFileNamesTheFile() {
        assertThat(Failures.describe(new FileSystemException("/disk/x", null, "No space left on device")))
                .isEqualTo("/disk/x: No space left on device");
    }
}
