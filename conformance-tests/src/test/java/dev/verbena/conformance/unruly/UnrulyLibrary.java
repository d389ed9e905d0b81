// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.unruly;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The library of {@code src/test/c/unruly}, compiled, and the JVMs that load it in place of the installed libraries. */
final class UnrulyLibrary {
    private static final List<String> HEADERS =
            List.of("/usr/include/infiniband/verbs.h", "/usr/include/rdma/rdma_cma.h");

    private final Path directory;

    private UnrulyLibrary(Path directory) {
        this.directory = directory;
    }

    /** The output of a JVM. */
    record Run(int exitCode, String output) {}

    /** Compiles the library. Skips the test on a machine without gcc or the headers of rdma-core, except in CI. */
    static UnrulyLibrary compiled(Path directory) throws IOException, InterruptedException {
        boolean possible = HEADERS.stream().allMatch(header -> Files.exists(Path.of(header)))
                && execute(List.of("gcc", "--version"), directory, 60).exitCode == 0;
        if (System.getenv("CI") == null) {
            assumeTrue(possible, "needs gcc, libibverbs-dev and librdmacm-dev");
        }
        assertThat(possible).as("gcc, libibverbs-dev and librdmacm-dev").isTrue();
        List<String> command = new ArrayList<>(
                List.of("gcc", "-shared", "-fPIC", "-pthread", "-O1", "-g", "-Wall", "-Wextra", "-Werror", "-o"));
        command.add(directory.resolve("libibverbs.so.1").toString());
        try (Stream<Path> files = Files.list(sources())) {
            files.filter(file -> file.toString().endsWith(".c"))
                    .sorted()
                    .map(Path::toString)
                    .forEach(command::add);
        }
        Run compiler = execute(command, directory, 120);
        assertThat(compiler.exitCode).as(compiler.output).isZero();
        Files.createSymbolicLink(directory.resolve("librdmacm.so.1"), Path.of("libibverbs.so.1"));
        return new UnrulyLibrary(directory);
    }

    /** Returns a file beside the sources of the library. */
    static Path source(String file) {
        return sources().resolve(file);
    }

    private static Path sources() {
        return Path.of(System.getProperty("basedir", "")).toAbsolutePath().resolve("src/test/c/unruly");
    }

    /** Runs a program in a JVM that loads the library. The test fails if the JVM does not end within the time. */
    Run run(int seconds, Class<?> program, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                program.getName()));
        command.addAll(List.of(arguments));
        return execute(command, directory, seconds);
    }

    private static Run execute(List<String> command, Path directory, int seconds)
            throws IOException, InterruptedException {
        Path output = Files.createTempFile(directory, "output", ".txt");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().put("LD_LIBRARY_PATH", directory.toString());
        Process process;
        try {
            process = builder.start();
        } catch (IOException absent) {
            return new Run(-1, absent.toString());
        }
        try {
            boolean ended = process.waitFor(seconds, TimeUnit.SECONDS);
            String text = Files.readString(output, StandardCharsets.UTF_8);
            assertThat(ended)
                    .as("%s has not ended within %s s:%n%s", command.getLast(), seconds, text)
                    .isTrue();
            return new Run(process.exitValue(), text);
        } finally {
            process.destroyForcibly();
        }
    }
}
