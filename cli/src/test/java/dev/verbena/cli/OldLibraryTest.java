// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The whole command on a machine with an unsuitable libibverbs: a library that loads and exports none of the functions. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "libibverbs is a library of Linux")
class OldLibraryTest {
    private static final String LIBRARY = "libibverbs.so.1";

    @TempDir
    private Path directory;

    @BeforeEach
    void anotherLibraryHasTheName() throws IOException {
        Files.copy(Path.of(System.getProperty("java.home"), "lib", "libzip.so"), directory.resolve(LIBRARY));
    }

    private VerbenaProcess verbena(String arguments) throws IOException {
        return VerbenaProcess.start(directory, Map.of("LD_LIBRARY_PATH", directory.toString()), arguments);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "devices",
                "devinfo -l",
                "devinfo -d mlx5_0",
                "rc-pingpong",
                "perftest send-lat --loopback",
                "lifecycles",
                "rping -s -a 127.0.0.1",
                "conformance",
                "demo --addresses 10.0.0.1,10.0.0.2"
            })
    void eachCommandThatNeedsADeviceReportsTheSameReasonAndCure(String command) throws Exception {
        try (VerbenaProcess process = verbena(command + " --provider ibverbs")) {
            assertThat(process.remainingOutput()).isEmpty();
            assertThat(process.exitCode()).isEqualTo(1);
            assertThat(process.errors())
                    .contains(
                            "No IB devices found by provider 'ibverbs': ",
                            LIBRARY,
                            "does not export ibv_",
                            "install rdma-core 32",
                            "'verbena doctor'")
                    .doesNotContain("\tat ");
        }
    }

    @Test
    void theDoctorSaysWhatIsWrongAndWhatToType() throws Exception {
        try (VerbenaProcess process = verbena("doctor")) {
            assertThat(process.remainingOutput().lines())
                    .anySatisfy(line -> assertThat(line)
                            .startsWith("library of provider ibverbs: no, ")
                            .contains(LIBRARY, "does not export ibv_", "install rdma-core 32"))
                    .anySatisfy(line -> assertThat(line).startsWith("next: sudo "));
            assertThat(process.exitCode()).as(process.errors()).isZero();
        }
    }
}
