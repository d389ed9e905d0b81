// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks that each source file names its licence in its first lines. */
class LicenceHeadersTest {
    private static final String HEADER = "SPDX-License-Identifier: Apache-2.0";
    private static final int FIRST_LINES = 3;
    private static final Set<String> KINDS = Set.of("java", "c", "h", "sh", "xml", "yml", "kts", "css");
    private static final Set<String> FOLDERS_OF_TOOLS = Set.of("target", ".git", ".idea", ".settings");

    @Test
    void eachSourceFileNamesItsLicence() throws IOException {
        List<Path> sources = sources(Path.of("").toAbsolutePath().getParent());

        assertThat(sources).hasSizeGreaterThan(1000);
        List<Path> without = new ArrayList<>();
        for (Path source : sources) {
            try (Stream<String> lines = Files.lines(source)) {
                if (lines.limit(FIRST_LINES).noneMatch(line -> line.contains(HEADER))) {
                    without.add(source);
                }
            }
        }
        assertThat(without).as("files without %s in their first lines", HEADER).isEmpty();
    }

    private static List<Path> sources(Path root) throws IOException {
        List<Path> found = new ArrayList<>();
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                return FOLDERS_OF_TOOLS.contains(folder.getFileName().toString())
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                String name = file.getFileName().toString();
                if (KINDS.contains(name.substring(name.lastIndexOf('.') + 1))
                        ? !name.startsWith(".flattened")
                        : isScript(file)) {
                    found.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return found;
    }

    /** Whether a file without a known ending begins as a script does. */
    private static boolean isScript(Path file) throws IOException {
        if (file.getFileName().toString().contains(".")) {
            return false;
        }
        try (var in = Files.newInputStream(file)) {
            return in.read() == '#' && in.read() == '!';
        }
    }
}
