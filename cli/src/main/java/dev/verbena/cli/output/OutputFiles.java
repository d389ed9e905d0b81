// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.output;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/** Checks the output files that options specify. */
public final class OutputFiles {
    private OutputFiles() {}

    /** Checks, without changing the content of an output file, that the file can be written. */
    public static Optional<String> complaint(String option, Path file) {
        try {
            // Opening and closing a pipe would signal the end of the output to the pipe's reader.
            if (!isDevice(file)) {
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)
                        .close();
            }
            return Optional.empty();
        } catch (FileSystemException e) {
            return Optional.of(option + " '" + file + "' cannot be written: " + Failures.reason(e));
        } catch (IOException e) {
            return Optional.of(option + " '" + file + "' cannot be written: " + e.getMessage());
        }
    }

    /** Returns whether the file at a path is a device file, a pipe or a socket. */
    public static boolean isDevice(Path path) {
        return Files.exists(path) && !Files.isRegularFile(path) && !Files.isDirectory(path);
    }
}
