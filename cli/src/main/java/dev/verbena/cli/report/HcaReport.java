// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.report;

import dev.verbena.cli.perftest.PeerLink;
import dev.verbena.cli.tools.ToolException;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Runs the steps of a hardware report, and writes an archive of their output. */
public final class HcaReport {
    /**
     * The TCP port of the connection between two {@code hca-report} commands. The commands of the report's steps use the
     * TCP ports above {@code CONTROL_PORT}.
     */
    public static final int CONTROL_PORT = 18_600;

    private final Card card;
    private final Path file;
    private final List<String> launcher;
    private final Optional<Redaction> redaction;

    /**
     * Prepares a hardware report. The parameter {@code launcher} is the command line that starts verbena, without the
     * arguments of verbena. A redacted archive contains no names and addresses of the user's site.
     */
    public HcaReport(Card card, Path file, List<String> launcher, boolean redacts) {
        this.card = card;
        this.file = file;
        this.launcher = launcher;
        redaction = redacts ? Optional.of(new Redaction(namesOfTheSite())) : Optional.empty();
    }

    private static List<String> namesOfTheSite() {
        List<String> names = new ArrayList<>(List.of(System.getProperty("user.name", "")));
        try {
            names.add(InetAddress.getLocalHost().getHostName());
            names.add(InetAddress.getLocalHost().getCanonicalHostName());
        } catch (UnknownHostException e) {
            // The redaction omits a host name that this process cannot find.
        }
        return names;
    }

    /**
     * Returns the names of the steps of a hardware report in execution order. If {@code between} is true, the report covers
     * two hosts, otherwise one host.
     */
    public static List<String> stepNames(Card card, boolean between) {
        List<Step> steps = between ? HostPairChecks.of(card, "", true) : CardChecks.of(card, true, 0);
        return steps.stream().map(Step::name).toList();
    }

    @FunctionalInterface
    private interface Execution {
        StepResult run(StepRunner runner, Step step) throws IOException, ToolException, InterruptedException;
    }

    /**
     * Runs the selected steps of the report, or all steps if none is selected, and returns whether all of them passed. In a
     * quick report, each step takes only seconds. If the thread is interrupted, the archive contains the output of the
     * steps that had finished.
     */
    public boolean run(boolean quick, Set<String> only, PrintWriter out)
            throws IOException, ToolException, InterruptedException {
        return run(CardChecks.of(card, quick, freePort()), only, StepRunner::run, out);
    }

    /**
     * Works like {@link #run}, but this host runs only the server commands, and another host runs the client commands.
     *
     * @param client the TCP connection to the host that runs the client commands
     * @param address the IP address of this host's RDMA port
     */
    public boolean serve(PeerLink client, String address, boolean quick, Set<String> only, PrintWriter out)
            throws IOException, ToolException, InterruptedException {
        return run(HostPairChecks.of(card, address, quick), only, (runner, step) -> runner.serve(step, client), out);
    }

    /**
     * Works like {@link #run} for a report about two hosts: this process runs the client commands, and the other host runs
     * the server commands.
     *
     * @param server the TCP connection to the host that runs the server commands
     * @param address the IP address of the server host's RDMA port
     */
    public boolean call(PeerLink server, String address, boolean quick, Set<String> only, PrintWriter out)
            throws IOException, ToolException, InterruptedException {
        return run(HostPairChecks.of(card, address, quick), only, (runner, step) -> runner.call(step, server), out);
    }

    private boolean run(List<Step> all, Set<String> only, Execution execution, PrintWriter out)
            throws IOException, ToolException, InterruptedException {
        Path folder = Files.createTempDirectory("verbena-hca-report");
        try {
            List<Step> steps = all.stream()
                    .filter(step -> only.isEmpty() || only.contains(step.name()))
                    .toList();
            StepRunner runner = new StepRunner(launcher, folder);
            ReportArchive archive = new ReportArchive(file, folder, redaction);
            List<StepResult> results = new ArrayList<>();
            for (Step step : steps) {
                out.printf(Locale.ROOT, "%-20s ", step.name());
                out.flush();
                StepResult result = execution.run(runner, step);
                results.add(result);
                out.printf(
                        Locale.ROOT,
                        "%s, %.1f s%n",
                        result.verdict(),
                        result.took().toMillis() / 1e3);
                if (!result.passed()) {
                    out.println("    " + step.advice());
                }
                out.flush();
                Files.writeString(
                        folder.resolve("index.html"), ReportPage.of("Report on " + card.device(), steps, results));
                archive.write();
            }
            return results.stream().allMatch(StepResult::passed);
        } finally {
            delete(folder);
        }
    }

    /** Returns a TCP port that is free now. If another process binds the TCP port of a step, only this step fails. */
    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
        }
    }
}
