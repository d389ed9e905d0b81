// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.doctor;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Runs read-only commands of the operating system. */
@FunctionalInterface
interface Commands {
    /** Runs a command, and returns its output, or empty if the command is missing, fails, or exceeds its time limit. */
    Optional<String> output(List<String> command);

    static Commands ofTheSystem() {
        return Commands::run;
    }

    private static Optional<String> run(List<String> command) {
        long seconds = 10;
        Process process;
        try {
            process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException absent) {
            return Optional.empty();
        }
        try {
            CompletableFuture<byte[]> printed = CompletableFuture.supplyAsync(() -> {
                try {
                    return process.getInputStream().readAllBytes();
                } catch (IOException broken) {
                    return new byte[0];
                }
            });
            byte[] text = printed.get(seconds, TimeUnit.SECONDS);
            return process.waitFor(seconds, TimeUnit.SECONDS) && process.exitValue() == 0
                    ? Optional.of(new String(text, StandardCharsets.UTF_8))
                    : Optional.empty();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        } catch (ExecutionException | TimeoutException late) {
            return Optional.empty();
        } finally {
            process.destroyForcibly();
        }
    }
}
