// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.report;

import dev.verbena.cli.perftest.PeerLink;
import dev.verbena.cli.report.StepResult.End;
import dev.verbena.cli.tools.ToolException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Runs the steps of a hardware report. Each command has its own process, so that a crash or hang in a driver stops neither
 * the report nor other steps.
 */
final class StepRunner {
    /** How long a server process may continue to run after its client process has exited. */
    private static final Duration SERVER_END = Duration.ofSeconds(10);

    /** The maximum time from the start of a server until it listens. */
    private static final Duration LISTENER = Duration.ofSeconds(30);

    private static final long PAUSE_MILLIS = 100;

    /** A server's output contains one of these texts when the server listens. */
    private static final List<String> LISTENING = List.of("Waiting for client", "Listening at", " waits at ");

    private final List<String> launcher;
    private final Path folder;

    /**
     * Creates a runner of the steps of a hardware report. The command line of a step is {@code launcher}, followed by the
     * arguments of the step. The runner writes the output of each step to files in the given folder.
     */
    StepRunner(List<String> launcher, Path folder) {
        this.launcher = List.copyOf(launcher);
        this.folder = folder;
    }

    /** Runs a step. The client's output is written to NAME.txt, and the server's output to NAME-server.txt. */
    StepResult run(Step step) throws InterruptedException {
        long begin = System.nanoTime();
        Process server = null;
        Process client = null;
        try {
            if (!step.server().isEmpty()) {
                server = start(step.server(), step.name() + "-server.txt");
                awaitListener(server, step.name() + "-server.txt");
            }
            client = start(step.arguments(), step.name() + ".txt");
            boolean ended = client.waitFor(step.limit().toNanos(), TimeUnit.NANOSECONDS);
            int code = ended ? client.exitValue() : 0;
            if (ended && server != null && server.waitFor(SERVER_END.toNanos(), TimeUnit.NANOSECONDS) && code == 0) {
                code = server.exitValue();
            }
            End end = !ended ? End.TIMED_OUT : code == 0 ? End.PASSED : End.FAILED;
            return new StepResult(step, end, code, since(begin));
        } catch (IOException e) {
            append(step.name() + ".txt", "not started: " + e.getMessage() + System.lineSeparator());
            return new StepResult(step, End.NOT_STARTED, 0, since(begin));
        } finally {
            end(client);
            end(server);
        }
    }

    /** Runs the client command of a step, after the server command of this step listens on the other host. */
    StepResult call(Step step, PeerLink server) throws IOException, ToolException, InterruptedException {
        expect(server, "ready " + step.name());
        StepResult result = run(step.client());
        server.say("done " + step.name());
        return result;
    }

    /** Runs the server command of a step until the client command on the other host has exited. */
    StepResult serve(Step both, PeerLink client) throws IOException, ToolException, InterruptedException {
        Step step = both.serverAlone();
        long begin = System.nanoTime();
        Process server = null;
        try {
            try {
                server = start(step.arguments(), step.name() + ".txt");
                awaitListener(server, step.name() + ".txt");
            } catch (IOException e) {
                append(step.name() + ".txt", "not started: " + e.getMessage() + System.lineSeparator());
            }
            client.say("ready " + step.name());
            expect(client, "done " + step.name());
            if (server == null) {
                return new StepResult(step, End.NOT_STARTED, 0, since(begin));
            }
            // The step passes if the server command still waits for further clients. The finally block kills a server
            // command that still runs.
            int code = server.waitFor(SERVER_END.toNanos(), TimeUnit.NANOSECONDS) ? server.exitValue() : 0;
            return new StepResult(step, code == 0 ? End.PASSED : End.FAILED, code, since(begin));
        } finally {
            end(server);
        }
    }

    private static void expect(PeerLink peer, String line) throws IOException, ToolException {
        String heard = peer.hear();
        if (!heard.equals(line)) {
            throw new ToolException("the other machine sent '" + heard + "' instead of '" + line
                    + "'; start both with the same --quick and --steps");
        }
    }

    /** Waits until a server prints that it listens, until it exits, or until the timeout {@link #LISTENER} expires. */
    private void awaitListener(Process server, String file) throws IOException, InterruptedException {
        long end = System.nanoTime() + LISTENER.toNanos();
        while (server.isAlive() && System.nanoTime() - end < 0) {
            String printed = Files.readString(folder.resolve(file), StandardCharsets.ISO_8859_1);
            if (LISTENING.stream().anyMatch(printed::contains)) {
                return;
            }
            server.waitFor(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private Process start(List<String> arguments, String file) throws IOException {
        append(file, "$ verbena " + String.join(" ", arguments) + System.lineSeparator());
        List<String> command = new ArrayList<>(launcher);
        command.addAll(arguments);
        return new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(
                        ProcessBuilder.Redirect.appendTo(folder.resolve(file).toFile()))
                .start();
    }

    private void append(String file, String text) {
        try {
            Files.writeString(folder.resolve(file), text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            // The disk is full, or the output folder no longer exists. A step of `hca-report` has a result even if its
            // output file is missing.
        }
    }

    private static void end(@Nullable Process process) {
        if (process != null) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    private static Duration since(long begin) {
        return Duration.ofNanos(System.nanoTime() - begin);
    }
}
