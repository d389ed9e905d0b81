// SPDX-License-Identifier: Apache-2.0
package dev.verbena.benchmarks;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * Stub devices without hardware, defined by {@code stub.c}. The C compiler of this host compiles {@code stub.c} twice: to a
 * libibverbs.so.1 that this process loads, and to a program that calls the inline functions of the C header.
 */
final class StubLibrary {
    /** The stub device whose driver posts and polls like an RDMA adapter's user-space driver, but takes no locks. */
    static final String DEVICE = "stub0";

    /** The stub device whose driver does almost nothing. */
    static final String BARE_DEVICE = "bare0";

    private static final String SOURCE = "stub.c";
    private static final int DEADLINE_SECONDS = 120;

    private final Path directory;

    private StubLibrary(Path directory) {
        this.directory = directory;
    }

    /** Returns whether this host has a C compiler and the headers of libibverbs. */
    static boolean isPossible() {
        try {
            Path directory = Files.createTempDirectory("verbena-stub");
            Path probe = directory.resolve("probe.c");
            Files.writeString(probe, "#include <infiniband/verbs.h>\n");
            return run(List.of("cc", "-fsyntax-only", probe.toString())).exit() == 0;
        } catch (IOException noCompiler) {
            return false;
        }
    }

    static StubLibrary compile() {
        try {
            Path directory = Files.createTempDirectory("verbena-stub");
            try (InputStream source = Objects.requireNonNull(StubLibrary.class.getResourceAsStream(SOURCE))) {
                Files.copy(source, directory.resolve(SOURCE));
            }
            StubLibrary made = new StubLibrary(directory);
            made.cc("libibverbs.so.1", List.of("-shared", "-fPIC", "-Wl,-soname,libibverbs.so.1"));
            made.cc("measure", List.of("-DMEASURE"));
            return made;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private void cc(String output, List<String> options) throws IOException {
        List<String> command = new ArrayList<>(List.of("cc", "-O2"));
        command.addAll(options);
        command.addAll(List.of(
                "-o",
                directory.resolve(output).toString(),
                directory.resolve(SOURCE).toString()));
        Outcome outcome = run(command);
        if (outcome.exit() != 0) {
            throw new IOException(String.join(" ", command) + " failed: " + outcome.output());
        }
    }

    /**
     * Loads the stub library. A later search for libibverbs.so.1 finds the stub library, because dlopen returns a
     * loaded library of this name.
     */
    @SuppressWarnings("restricted") // The method loads a library that this class has compiled.
    void load() {
        // The provider assumes that a post or a poll of an unknown driver may block. The property register-drivers
        // tells the provider that posts and polls of the stub library do not block.
        System.setProperty("verbena.ibverbs.register-drivers", "libibverbs");
        System.load(directory.resolve("libibverbs.so.1").toString());
    }

    /**
     * Runs the C program {@code measure}, which posts and polls {@code operations} batches of {@code list} send requests
     * each. Returns the CPU time of one post and poll, in nanoseconds.
     */
    double measure(String device, int list, long operations) {
        try {
            Outcome outcome = run(List.of(
                    directory.resolve("measure").toString(),
                    Integer.toString(list),
                    Long.toString(operations),
                    device));
            if (outcome.exit() != 0) {
                throw new IllegalStateException("the C program ended with " + outcome.exit());
            }
            return Double.parseDouble(outcome.output().strip());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private record Outcome(int exit, String output) {}

    private static Outcome run(List<String> command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS)) {
                throw new IOException(command + " does not end");
            }
            return new Outcome(process.exitValue(), output);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException(command + " was interrupted", interrupted);
        } finally {
            process.destroyForcibly();
        }
    }
}
