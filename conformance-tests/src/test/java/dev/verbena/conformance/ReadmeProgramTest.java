package dev.verbena.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program in the README, compiled and run from the README's own text. */
class ReadmeProgramTest {
    private static final Pattern PROGRAM = Pattern.compile("^```java\\n(.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE);
    private static final String CLASS_PATH = System.getProperty("java.class.path");
    private static final int MOST_LINES = 45;

    @TempDir
    Path directory;

    @Test
    void theProgramOfTheReadmeCompilesAndSends() throws IOException, InterruptedException {
        String program = program();
        assertThat(program.lines()).hasSizeLessThanOrEqualTo(MOST_LINES);
        compile(program);
        assertThat(run()).isEqualTo("SUCCESS: Hello, verbs!" + System.lineSeparator());
    }

    private static String program() throws IOException {
        Path module = Path.of(System.getProperty("basedir", ""));
        Matcher block = PROGRAM.matcher(Files.readString(module.toAbsolutePath().resolve("../README.md")));
        assertThat(block.find()).as("a block ```java in README.md").isTrue();
        return block.group(1);
    }

    private void compile(String program) throws IOException {
        Path source = Files.writeString(directory.resolve("Hello.java"), program);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter messages = new StringWriter();
        List<String> options = List.of("-Xlint:all", "-proc:none", "-cp", CLASS_PATH, "-d", directory.toString());
        boolean compiled = compiler.getTask(
                        messages,
                        null,
                        null,
                        options,
                        null,
                        compiler.getStandardFileManager(null, null, null).getJavaFileObjects(source))
                .call();
        assertThat(compiled).as(messages.toString()).isTrue();
    }

    private String run() throws IOException, InterruptedException {
        Path output = directory.resolve("output");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        directory + File.pathSeparator + CLASS_PATH,
                        "Hello")
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        boolean ended = process.waitFor(60, TimeUnit.SECONDS);
        process.destroyForcibly();
        assertThat(ended).as("the program ends").isTrue();
        assertThat(process.exitValue()).as(Files.readString(output)).isZero();
        return Files.readString(output);
    }
}
