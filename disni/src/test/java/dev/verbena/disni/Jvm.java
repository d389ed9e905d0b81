// SPDX-License-Identifier: Apache-2.0
package dev.verbena.disni;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A program in a JVM of its own, which ends with this object. */
final class Jvm implements AutoCloseable {
    private static final int SECONDS = 60;

    private final Process process;
    private final BufferedReader output;

    private Jvm(Process process) {
        this.process = process;
        output = process.inputReader();
    }

    /** The command that runs a program over devices at these addresses. */
    static List<String> command(String addresses, Class<?> program, String... arguments) {
        List<String> command = command(program, "-Dverbena.sim.udp=" + addresses);
        command.addAll(List.of(arguments));
        return command;
    }

    /** The command that runs a program without arguments in a JVM with these options. */
    static List<String> command(Class<?> program, String... options) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1"));
        command.addAll(List.of(options));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
        return command;
    }

    static Jvm start(List<String> command) throws IOException {
        return new Jvm(new ProcessBuilder(command).redirectErrorStream(true).start());
    }

    /** Reads lines until one is equal to the text. */
    void awaitLine(String text) throws Exception {
        List<String> seen = new ArrayList<>();
        CompletableFuture.runAsync(() -> {
                    try {
                        for (String line = output.readLine(); line != null; line = output.readLine()) {
                            seen.add(line);
                            if (line.equals(text)) {
                                return;
                            }
                        }
                        throw new IllegalStateException("ended with " + seen);
                    } catch (IOException e) {
                        throw new IllegalStateException("said " + seen, e);
                    }
                })
                .get(SECONDS, TimeUnit.SECONDS);
    }

    void awaitSuccess() throws Exception {
        assertThat(process.waitFor(SECONDS, TimeUnit.SECONDS))
                .as("ends in time")
                .isTrue();
        assertThat(process.exitValue()).isZero();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
