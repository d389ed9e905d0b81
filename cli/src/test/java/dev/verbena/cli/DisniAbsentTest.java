// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command on a machine without {@code libdisni}, like most machines: the library path is an empty directory. */
class DisniAbsentTest {
    @TempDir
    private Path directory;

    private VerbenaProcess verbena(String arguments) throws IOException {
        return VerbenaProcess.start(
                directory, Map.of("JDK_JAVA_OPTIONS", "-Djava.library.path=nowhere-at-all"), arguments);
    }

    @Test
    void aCommandThatNeedsADeviceSaysWhereItWasLookedForAndWhatToUseInstead() throws Exception {
        try (VerbenaProcess process = verbena("devices --provider disni")) {
            assertThat(process.remainingOutput()).isEmpty();
            assertThat(process.exitCode()).isEqualTo(1);
            assertThat(process.errors())
                    .contains(
                            "No IB devices found by provider 'disni': ",
                            "nowhere-at-all",
                            "build libdisni",
                            "or use the provider 'ibverbs'");
        }
    }

    @Test
    void theDoctorNamesTheProviderAndSaysWhyItIsNotHere() throws Exception {
        try (VerbenaProcess process = verbena("doctor")) {
            assertThat(process.remainingOutput().lines())
                    .anySatisfy(line -> assertThat(line)
                            .startsWith("provider disni: no, ")
                            .contains("nowhere-at-all", "build libdisni"));
            assertThat(process.exitCode()).as(process.errors()).isZero();
        }
    }
}
