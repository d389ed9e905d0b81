package dev.verbena.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program in the README, compiled and run from the README's own text. */
class ReadmeProgramTest {
    private static final Pattern PROGRAM = Pattern.compile("^```java\\n(.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE);
    private static final int MOST_LINES = 45;

    @TempDir
    Path directory;

    @Test
    void theProgramOfTheReadmeCompilesAndSends() throws IOException, InterruptedException {
        String program = program();
        assertThat(program.lines()).hasSizeLessThanOrEqualTo(MOST_LINES);
        Path source = Files.writeString(directory.resolve("Hello.java"), program);
        assertThat(new OutsideProgram(source, directory).run())
                .isEqualTo("SUCCESS: Hello, verbs!" + System.lineSeparator());
    }

    private static String program() throws IOException {
        Path module = Path.of(System.getProperty("basedir", ""));
        Matcher block = PROGRAM.matcher(Files.readString(module.toAbsolutePath().resolve("../README.md")));
        assertThat(block.find()).as("a block ```java in README.md").isTrue();
        return block.group(1);
    }
}
