// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli;

import dev.verbena.cli.output.Failures;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads a file of settings up to a maximum length; the file may be a pipe. */
final class SettingsFile {
    private static final int LONGEST = 1 << 20;

    private SettingsFile() {}

    /**
     * Returns the text of the settings file. Throws {@link IllegalArgumentException} with the file's name if the file
     * cannot be read or is longer than 1 MiB.
     */
    static String read(Path file) {
        if (Files.isDirectory(file)) {
            throw new IllegalArgumentException(file + " is a directory; name a file");
        }
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(LONGEST + 1);
            if (bytes.length > LONGEST) {
                throw new IllegalArgumentException(
                        file + " is longer than " + LONGEST + " bytes; is it the right file?");
            }
            return new String(bytes, StandardCharsets.UTF_8);
        } catch (FileSystemException e) {
            throw new IllegalArgumentException(file + ": " + Failures.reason(e), e);
        } catch (IOException e) {
            throw new IllegalArgumentException(file + " cannot be read: " + e.getMessage(), e);
        }
    }
}
