// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.unruly;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The library of {@code src/test/c/unruly}, compiled, and the JVMs that load it in place of the installed libraries. */
final class UnrulyLibrary {
    private static final List<String> HEADERS =
            List.of("/usr/include/infiniband/verbs.h", "/usr/include/rdma/rdma_cma.h");
    private static final int COMPILING = 120;

    private final Path directory;
    private final Map<String, String> environment;

    private UnrulyLibrary(Path directory, Map<String, String> environment) {
        this.directory = directory;
        this.environment = environment;
    }

    record Run(int exitCode, String output) {}

    /** Compiles the library. Skips the test on a machine without gcc or the headers of rdma-core, except in CI. */
    static UnrulyLibrary compiled(Path directory) throws IOException, InterruptedException {
        UnrulyLibrary library =
                new UnrulyLibrary(directory, new HashMap<>(Map.of("LD_LIBRARY_PATH", directory.toString())));
        boolean possible = HEADERS.stream().allMatch(header -> Files.exists(Path.of(header)))
                && library.execute(COMPILING, List.of("gcc", "--version")).exitCode == 0;
        if (System.getenv("CI") == null) {
            assumeTrue(possible, "needs gcc, libibverbs-dev and librdmacm-dev");
        }
        assertThat(possible).as("gcc, libibverbs-dev and librdmacm-dev").isTrue();
        library.compile();
        Files.createSymbolicLink(directory.resolve("librdmacm.so.1"), Path.of("libibverbs.so.1"));
        return library;
    }

    private void compile(String... options) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(
                List.of("gcc", "-shared", "-fPIC", "-pthread", "-O1", "-g", "-Wall", "-Wextra", "-Werror"));
        command.addAll(List.of(options));
        command.addAll(List.of("-o", directory.resolve("libibverbs.so.1").toString()));
        try (Stream<Path> files = Files.list(source(""))) {
            files.filter(file -> file.toString().endsWith(".c"))
                    .sorted()
                    .map(Path::toString)
                    .forEach(command::add);
        }
        Run compiler = execute(COMPILING, command);
        assertThat(compiler.exitCode).as(compiler.output).isZero();
    }

    /** Returns a file beside the sources of the library. */
    static Path source(String file) {
        return Path.of(System.getProperty("basedir", ""))
                .toAbsolutePath()
                .resolve("src/test/c/unruly")
                .resolve(file);
    }

    UnrulyLibrary withPersonality(String name) {
        environment.put("UNRULY_PERSONALITY", name);
        return this;
    }

    /** Adds options, separated by spaces, to the command line of the JVMs. */
    UnrulyLibrary withJvmOptions(String options) {
        environment.put("JAVA_TOOL_OPTIONS", options);
        return this;
    }

    /** Compiles the library with the address sanitizer. Returns false if gcc has no such library. */
    boolean sanitize() throws IOException, InterruptedException {
        Path sanitizer = Path.of(execute(COMPILING, List.of("gcc", "-print-file-name=libasan.so"))
                .output
                .strip());
        if (!sanitizer.isAbsolute()) {
            return false;
        }
        compile("-fsanitize=address");
        environment.put("LD_PRELOAD", sanitizer.toString());
        // HotSpot uses SIGSEGV itself, and never frees most of its memory.
        environment.put("ASAN_OPTIONS", "handle_segv=0:detect_leaks=0");
        return true;
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
        return execute(seconds, command);
    }

    private Run execute(int seconds, List<String> command) throws IOException, InterruptedException {
        Path output = Files.createTempFile(directory, "output", ".txt");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().putAll(environment);
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
                    .as("%s has not ended within %s s:%n%s", command, seconds, text)
                    .isTrue();
            return new Run(process.exitValue(), text);
        } finally {
            process.destroyForcibly();
        }
    }
}
