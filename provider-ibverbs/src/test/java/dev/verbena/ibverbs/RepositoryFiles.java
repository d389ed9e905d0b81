// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;

/** Files of the repository that are not resources of this module. */
final class RepositoryFiles {
    private RepositoryFiles() {}

    /** The file in the innermost directory above the working directory that has it. */
    static Path find(Path file) {
        Path directory = Path.of("").toAbsolutePath();
        while (!Files.exists(directory.resolve(file))) {
            directory = directory.getParent();
            assertThat(directory)
                    .as("a directory above this one that holds %s", file)
                    .isNotNull();
        }
        return directory.resolve(file);
    }
}
