// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.VerbsProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The provider in docs/provider.md, compiled and run from the page's own text. */
class ProviderPageTest {
    private static final int MOST_LINES = 100;

    @TempDir
    Path directory;

    @Test
    void theProgramOfTheReadmeRunsOverTheProviderOfThePage() throws IOException, InterruptedException {
        String provider = JavaBlock.firstOf("docs/provider.md");
        assertThat(provider.lines()).hasSizeLessThanOrEqualTo(MOST_LINES);
        new OutsideProgram(Files.writeString(directory.resolve("LoopProvider.java"), provider), directory);
        Path services = Files.createDirectories(directory.resolve("META-INF/services"));
        Files.writeString(services.resolve(VerbsProvider.class.getName()), "LoopProvider");

        String program = JavaBlock.firstOf("README.md")
                .replace("\"sim\"", "\"loop\"")
                .replace("\"sim0\"", "\"loop0\"")
                .replace("\"sim1\"", "\"loop1\"");
        assertThat(program).contains("\"loop\"", "\"loop0\"", "\"loop1\"");
        Path source = Files.writeString(directory.resolve("Hello.java"), program);
        assertThat(new OutsideProgram(source, directory).run()).isEqualTo("Hello, verbs!" + System.lineSeparator());
    }
}
