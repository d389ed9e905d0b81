// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compiles and runs a small program of a user against the libraries, on the module path and on the class path. */
class ConsumerTest {
    private static final String PROGRAM = """
            package consumer;

            import dev.verbena.verbs.*;
            import dev.verbena.wire.Opcode;

            public class Consumer {
                public static void main(String[] args) throws Exception {
                    for (VerbsProvider provider : java.util.ServiceLoader.load(VerbsProvider.class)) {
                        System.out.println("provider " + provider.name());
                    }
                    try (VerbsScope scope = new VerbsScope()) {
                        Device device = scope.opened(VerbsProviders.named("sim").open("sim0"));
                        scope.opened(device.allocatePd());
                        System.out.println(device.name() + " in " + Consumer.class.getModule() + " " + Opcode.RC_SEND_ONLY);
                    }
                }
            }
            """;

    private static final String DESCRIPTOR = """
            module consumer {
                requires dev.verbena.api;
                requires dev.verbena.wire;
                uses dev.verbena.verbs.VerbsProvider;
            }
            """;

    @TempDir
    Path folder;

    @BeforeEach
    void writesTheProgram() throws IOException {
        Files.createDirectories(folder.resolve("consumer"));
        Files.writeString(folder.resolve("consumer/Consumer.java"), PROGRAM);
    }

    @Test
    void aProgramOnTheModulePathFindsTheProviders() throws Exception {
        Files.writeString(folder.resolve("module-info.java"), DESCRIPTOR);
        run("javac", "--module-path", libraries(), "-d", "out", "module-info.java", "consumer/Consumer.java");

        String output = run(
                "java",
                "--module-path",
                libraries() + File.pathSeparator + "out",
                "--module",
                "consumer/consumer.Consumer");

        assertThat(output.lines()).contains("provider sim", "provider ibverbs", "sim0 in module consumer RC_SEND_ONLY");
    }

    @Test
    void aProgramOnTheClassPathFindsTheProviders() throws Exception {
        run("javac", "-cp", libraries(), "-d", "out", "consumer/Consumer.java");

        String output = run("java", "-cp", libraries() + File.pathSeparator + "out", "consumer.Consumer");

        assertThat(output.lines())
                .contains("provider sim", "provider ibverbs")
                .anyMatch(line -> line.startsWith("sim0 in unnamed module"));
    }

    /** The libraries of this project and JSpecify, as they are on the class path of this test. */
    private static String libraries() {
        return String.join(
                File.pathSeparator,
                Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                        .filter(ConsumerTest::isLibrary)
                        .toList());
    }

    private static boolean isLibrary(String entry) {
        String name = Path.of(entry).getFileName().toString();
        // The folder of the classes, or the jar if this build has made it.
        boolean module = Files.exists(Path.of(entry, "module-info.class")) || name.matches("verbena-.*\\.jar");
        return module && !entry.contains("conformance") && !entry.contains("disni") || name.startsWith("jspecify");
    }

    private String run(String tool, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", tool).toString());
        command.addAll(List.of(arguments));
        Path output = folder.resolve(tool + ".txt");
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("ends in time").isTrue();
        } finally {
            process.destroyForcibly();
        }
        String text = Files.readString(output);
        assertThat(process.exitValue()).as(text).isZero();
        return text;
    }
}
