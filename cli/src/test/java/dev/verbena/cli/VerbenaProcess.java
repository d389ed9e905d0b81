// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The command line in a process of its own, which ends with this object. */
final class VerbenaProcess implements AutoCloseable {
    private static final int MOST_OTHERS = 100;

    private final Process process;
    private final BufferedReader out;
    private final Path errors;

    private VerbenaProcess(Process process, Path errors) {
        this.process = process;
        this.errors = errors;
        out = process.inputReader();
    }

    /** Starts the process; its error output is written to a file in a directory of the test. */
    static VerbenaProcess start(Path directory, String arguments) throws IOException {
        return start(directory, Map.of(), arguments);
    }

    /** Starts the process; its error output is part of its output. */
    static VerbenaProcess startWithComplaints(Path directory, String arguments) throws IOException {
        Path none = Files.createTempFile(directory, "err", null);
        return new VerbenaProcess(
                builder(Map.of(), arguments).redirectErrorStream(true).start(), none);
    }

    static VerbenaProcess start(Path directory, Map<String, String> environment, String arguments) throws IOException {
        Path errors = directory.resolve("err");
        return new VerbenaProcess(
                builder(environment, arguments).redirectError(errors.toFile()).start(), errors);
    }

    /** Starts the process in a network namespace, with options of the JVM; its error output is part of its output. */
    static VerbenaProcess start(
            NetworkNamespace namespace, List<String> options, Map<String, String> environment, String arguments)
            throws IOException {
        ProcessBuilder builder = builder(environment, arguments);
        builder.command().addAll(1, options);
        builder.command(namespace.enter(builder.command()));
        return new VerbenaProcess(builder.redirectErrorStream(true).start(), Path.of("/dev/null"));
    }

    private static ProcessBuilder builder(Map<String, String> environment, String arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                Boolean.getBoolean("verbena.portable")
                        ? "--illegal-native-access=deny"
                        : "--enable-native-access=ALL-UNNAMED",
                // A JVM starts faster with these options.
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Verbena.class.getName()));
        command.addAll(Arrays.asList(arguments.split(" ", -1)));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(environment);
        return builder;
    }

    /** The next line of its output, within a minute. */
    String line() throws Exception {
        return CompletableFuture.supplyAsync(() -> {
                    try {
                        return String.valueOf(out.readLine());
                    } catch (IOException e) {
                        return e.toString();
                    }
                })
                .get(60, TimeUnit.SECONDS);
    }

    /** The next line with this start, after at most a hundred others. */
    String lineOf(String start) throws Exception {
        List<String> others = new ArrayList<>();
        for (int i = 0; i <= MOST_OTHERS; i++) {
            String line = line();
            if (line.startsWith(start)) {
                return line;
            }
            others.add(line);
        }
        throw new AssertionError("no line begins with '" + start + "': " + others);
    }

    void signal(String name) throws Exception {
        int code = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .inheritIO()
                .start()
                .waitFor();
        if (code != 0) {
            throw new AssertionError("kill ended with " + code);
        }
    }

    String remainingOutput() {
        return String.join("\n", out.lines().toList());
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** The exit code, after at most two minutes. */
    int exitCode() throws InterruptedException {
        if (!process.waitFor(120, TimeUnit.SECONDS)) {
            throw new AssertionError("the process does not end");
        }
        return process.exitValue();
    }

    String errors() throws IOException {
        return Files.readString(errors);
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly();
        out.close();
    }
}
