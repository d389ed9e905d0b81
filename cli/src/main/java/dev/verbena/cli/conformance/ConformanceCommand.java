// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.conformance;

import dev.verbena.cli.options.VersionProvider;
import dev.verbena.cli.output.Endpoints;
import dev.verbena.cli.output.Failures;
import dev.verbena.cli.output.ProgressBar;
import dev.verbena.cli.tools.Exposure;
import dev.verbena.conformance.report.RuleResult;
import dev.verbena.conformance.report.RuleResult.Outcome;
import dev.verbena.conformance.report.RunReport;
import dev.verbena.conformance.report.TextSummary;
import dev.verbena.conformance.side.ConformanceAgent;
import dev.verbena.conformance.side.Facts;
import dev.verbena.conformance.side.Pair;
import dev.verbena.conformance.side.SharedSecret;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.VerbsProviders;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code verbena conformance}: tests devices against the rules of the conformance kit, and reports the results. */
@Command(
        name = "conformance",
        mixinStandardHelpOptions = true,
        versionProvider = VersionProvider.class,
        description = {
            "Test devices against the rules that every verbs provider must keep.",
            "",
            "Both devices are in this process, unless --peer names another process. The exit code is 0"
                    + " if at least one rule was kept and none is broken, and 1 otherwise. A rule with a"
                    + " known divergence is broken if it passes, or if it fails with a message that is not listed.",
            ""
        })
public final class ConformanceCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private CommandSpec spec;

    @Mixin
    private ConformanceOptions options = new ConformanceOptions();

    @Option(
            names = "--report",
            paramLabel = "DIR",
            description = "Write index.html, an HTML page for each rule, and JUnit's XML to a directory that is new,"
                    + " empty, or has an earlier report.")
    private @Nullable Path report;

    @Override
    public Integer call() throws Exception {
        checkArguments();
        if (options.list()) {
            options.rules().rules().forEach(rule -> out().println(rule.id() + " " + rule.text()));
            return CommandLine.ExitCode.OK;
        }
        Optional<InetSocketAddress> listen = options.listen();
        if (listen.isPresent()) {
            serve(listen.get());
            return CommandLine.ExitCode.OK;
        }
        try (Bench bench = Benches.near(options)) {
            return run(bench);
        }
    }

    private void checkArguments() {
        Optional<String> complaint = options.complaint();
        if (complaint.isPresent()) {
            throw wrong(complaint.get());
        }
        List<String> installed = VerbsProviders.installed().stream()
                .map(provider -> provider.name())
                .sorted()
                .toList();
        if (!installed.contains(options.provider())) {
            throw wrong("no provider is called '" + options.provider() + "'; installed are "
                    + String.join(", ", installed));
        }
        if (report == null) {
            return;
        }
        if (options.listen().isPresent()) {
            throw wrong("the process with --peer writes the report; omit --report with --listen");
        }
        try {
            Files.createDirectories(report);
            if (RunReport.hasOtherFiles(report)) {
                throw wrong("--report '" + report
                        + "' has files that do not belong to an earlier report; name a new or an empty directory");
            }
        } catch (FileSystemException refused) {
            throw wrong("--report '" + report + "' cannot be written: " + Failures.reason(refused));
        } catch (IOException broken) {
            throw wrong("--report '" + report + "' cannot be written: " + broken.getMessage());
        }
    }

    private ParameterException wrong(String what) {
        return new ParameterException(spec.commandLine(), what);
    }

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }

    /** Serves the agent's device to the process that executes the rules, until the agent's process exits. */
    private void serve(InetSocketAddress at) throws Exception {
        Optional<SharedSecret> secret = options.secret();
        OpenDevice far = Benches.far(options, at.getAddress());
        try (Opened _ = far.owner();
                ConformanceAgent agent = ConformanceAgent.listen(
                        at, far.device(), DeviceBench.answer(options.patience()), far.introduction())) {
            agent.withConnections(far.connections()).withPort(far.port()).withSecret(secret);
            out().println("device " + far.device().name() + " waits at " + Endpoints.format(agent.address())
                    + "; run: verbena conformance --provider " + options.provider() + " --peer "
                    + Endpoints.format(agent.address())
                    + Exposure.SECRET.at(at.getAddress()));
            out().flush();
            agent.run();
        }
    }

    private int run(Bench bench) throws IOException {
        Map<String, String> facts = facts(bench);
        ConformanceRun run = new ConformanceRun(
                bench,
                options.divergences().orElse(bench.divergences()),
                options.rules().rules(),
                options.seed(),
                options.tries(),
                options.repeats());
        ProgressBar bar =
                new ProgressBar(spec.commandLine().getErr(), ProgressBar.isTerminal(), InstantSource.system());
        List<RuleResult> results;
        try {
            int total = run.rules().size();
            results = run.execute((rule, ended, failed) ->
                    bar.show(rule + (failed == 0 ? "" : ", " + failed + " failed"), ended, total));
        } finally {
            bar.clear();
        }
        RunReport told = new RunReport(bench.title(), facts, results, this::alone);
        TextSummary.of(told).forEach(out()::println);
        out().println();
        if (report != null) {
            told.write(report);
            out().println("report: " + report.resolve("index.html"));
        }
        return verdict(told);
    }

    private String alone(RuleResult result) {
        return "verbena conformance " + options.again() + " --rules "
                + result.rule().id();
    }

    /** Opens both devices once before the rules run, so that a failure to open is not reported for every rule. */
    private Map<String, String> facts(Bench bench) throws IOException {
        Map<String, String> facts = new LinkedHashMap<>(bench.facts());
        try (Pair pair = bench.open().pair()) {
            Facts first = pair.first().facts();
            Facts second = pair.second().facts();
            facts.put("Firmware", versions(first, second));
            Set<Capability> missing = EnumSet.allOf(Capability.class);
            missing.removeIf(capability -> first.capabilities().contains(capability)
                    && second.capabilities().contains(capability));
            if (!missing.isEmpty()) {
                facts.put("Lacks", missing.stream().map(Enum::name).collect(Collectors.joining(", ")));
            }
        } catch (Exception unusable) {
            throw new IOException("the devices cannot be tested: " + unusable.getMessage(), unusable);
        }
        facts.put("Seed", Long.toString(options.seed()));
        facts.put("Tries", options.tries() + " unless a rule has its own number");
        facts.put("Java", Runtime.version().toString());
        return facts;
    }

    private static String versions(Facts first, Facts second) {
        String one = first.attributes().firmwareVersion();
        String other = second.attributes().firmwareVersion();
        return one.equals(other) ? one : one + " and " + other;
    }

    private int verdict(RunReport told) {
        long failed = told.count(Outcome.FAILED);
        long kept = told.count(Outcome.PASSED);
        long diverged = told.count(Outcome.DIVERGED);
        if (failed > 0) {
            out().println(failed + " broken, seed " + options.seed());
        } else if (kept > 0) {
            out().println("every rule that ran is kept"
                    + (diverged == 0 ? "" : ", except " + diverged + " known divergences") + ", seed "
                    + options.seed());
        } else {
            out().println(diverged == 0 ? "no rule ran" : "no rule was kept: " + diverged + " diverge");
        }
        return failed == 0 && kept > 0 ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }
}
