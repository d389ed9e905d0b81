// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.FileOutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** New content changes no other property of a file that the user has. */
class ReplacementTest {
    @TempDir
    private Path directory;

    private static void replace(Path file) throws Exception {
        try (Replacement replacement = Replacement.of(file)) {
            replacement.channel().write(ByteBuffer.wrap(new byte[] {1, 2}));
            replacement.commit();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"rw-------", "rw-rw-rw-", "rwxr-x---"})
    void thePermissionsOfAFileThatIsReplacedStay(String permissions) throws Exception {
        Path file = Files.createFile(directory.resolve("file"));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
        replace(file);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo(permissions);
        assertThat(file).hasBinaryContent(new byte[] {1, 2});
    }

    @Test
    void aNewFileHasThePermissionsOfAnyOther() throws Exception {
        Path other = Files.createFile(directory.resolve("other"));
        Files.delete(other);
        Path file = directory.resolve("file");
        replace(file);
        FileOutputStream usual = new FileOutputStream(other.toFile());
        usual.close();
        assertThat(Files.getPosixFilePermissions(file)).isEqualTo(Files.getPosixFilePermissions(other));
    }
}
