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

/**
 * The whole command on a machine whose libibverbs is one that this program does not know: a library that loads, and exports
 * none of the functions.
 */
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

    @Test
    void theListOfDevicesSaysWhyItIsEmpty() throws Exception {
        try (VerbenaProcess process = verbena("devices --provider ibverbs")) {
            assertThat(process.rest()).contains("none: ", LIBRARY, "does not export ibv_", "install rdma-core 32");
            assertThat(process.exitCode()).as(process.errors()).isZero();
        }
    }

    @Test
    void theDoctorSaysWhatIsWrongAndWhatToType() throws Exception {
        try (VerbenaProcess process = verbena("doctor")) {
            assertThat(process.rest().lines())
                    .anySatisfy(line -> assertThat(line)
                            .startsWith("RDMA devices of this machine: no, ")
                            .contains(LIBRARY, "does not export ibv_", "install rdma-core 32"))
                    .anySatisfy(line -> assertThat(line).startsWith("next: sudo "));
            assertThat(process.exitCode()).as(process.errors()).isZero();
        }
    }

    @Test
    void openingADeviceFailsWithTheReason() throws Exception {
        try (VerbenaProcess process = verbena("devinfo --provider ibverbs -d mlx5_0")) {
            assertThat(process.rest()).isEmpty();
            assertThat(process.exitCode()).isEqualTo(1);
            assertThat(process.errors())
                    .contains("ENOSYS", "does not export ibv_", "install rdma-core 32")
                    .doesNotContain("\tat ");
        }
    }
}
