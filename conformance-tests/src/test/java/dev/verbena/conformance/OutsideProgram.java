// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/** A program of one source file outside the modules of this build, compiled and run against the class path of the tests. */
final class OutsideProgram {
    static final String CLASS_PATH = System.getProperty("java.class.path");

    private final Path directory;
    private final String name;

    /** Compiles the source. */
    OutsideProgram(Path source, Path directory) {
        this(source, directory, CLASS_PATH);
    }

    OutsideProgram(Path source, Path directory, String classPath) {
        this.directory = directory;
        name = source.getFileName().toString().replace(".java", "");
        compile(List.of(source), directory, classPath);
    }

    static void compile(List<Path> sources, Path directory, String classPath) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter messages = new StringWriter();
        List<String> options = List.of("-Xlint:all", "-proc:none", "-cp", classPath, "-d", directory.toString());
        boolean compiled = compiler.getTask(
                        messages,
                        null,
                        null,
                        options,
                        null,
                        compiler.getStandardFileManager(null, null, null).getJavaFileObjectsFromPaths(sources))
                .call();
        assertThat(compiled).as(messages.toString()).isTrue();
    }

    /** The class path of the tests with other classes before it. */
    static String after(List<Path> classes) {
        return Stream.concat(classes.stream().map(Path::toString), Stream.of(CLASS_PATH))
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** Runs it to its end, which must be a good one, and returns its output. */
    String run(String... arguments) throws IOException, InterruptedException {
        return runAfter(List.of(), arguments);
    }

    /** Runs it so with classes that take precedence over those of the tests. */
    String runAfter(List<Path> classes, String... arguments) throws IOException, InterruptedException {
        Path output = directory.resolve("output");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                after(Stream.concat(classes.stream(), Stream.of(directory)).toList()),
                name));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
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
