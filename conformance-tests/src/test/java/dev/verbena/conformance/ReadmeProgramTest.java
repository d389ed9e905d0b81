// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program in the README, compiled and run from the README's own text. */
class ReadmeProgramTest {
    private static final int MOST_LINES = 45;

    @TempDir
    Path directory;

    @Test
    void theProgramOfTheReadmeCompilesAndSends() throws IOException, InterruptedException {
        String program = JavaBlock.firstOf("README.md");
        assertThat(program.lines()).hasSizeLessThanOrEqualTo(MOST_LINES);
        Path source = Files.writeString(directory.resolve("Hello.java"), program);
        assertThat(new OutsideProgram(source, directory).run()).isEqualTo("Hello, verbs!" + System.lineSeparator());
    }
}
