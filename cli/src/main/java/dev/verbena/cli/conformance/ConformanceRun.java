package dev.verbena.cli.conformance;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.verbena.conformance.Divergences;
import dev.verbena.conformance.report.RuleResult;
import dev.verbena.conformance.rules.RuleCatalogue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * One run of selected rules over a bench, with JUnit's platform inside this process. Only one run at a time is possible.
 *
 * @param bench the devices under test
 * @param divergences the rules that the devices are known to break
 * @param rules the ids of the rules to run
 * @param seed the seed of all random choices
 * @param tries how many times a property is tried, unless it has its own number
 * @param repeats how many failed tries may be repeated in total, if packets can be lost
 */
record ConformanceRun(Bench bench, Divergences divergences, Set<String> rules, long seed, int tries, int repeats) {
    private static final System.Logger LOGGER = System.getLogger(ConformanceRun.class.getName());

    /** Receives the progress of a run. */
    @FunctionalInterface
    interface Progress {
        /** A rule starts. The numbers are those of the rules that have ended and of those that failed. */
        void at(String rule, int ended, int failed);
    }

    /** Runs the rules. Returns the results of all rules of the kit, in the order of their ids. */
    List<RuleResult> execute(Progress progress) throws IOException {
        Map<String, String> idsOfTests = RuleCatalogue.of(CommandSuite.class).stream()
                .filter(rule -> rules.contains(rule.id()))
                .collect(Collectors.toMap(rule -> rule.test().getName(), RuleCatalogue.Entry::id));
        PostDiscoveryFilter those =
                test -> FilterResult.includedIf(!test.isTest() || idsOfTests.containsKey(test.getDisplayName()));
        // Each run starts without jqwik's database, so that no failed sample of an earlier run is tried first.
        Path database = Files.createTempFile("verbena", ".jqwik");
        Files.delete(database);
        try {
            LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                    .selectors(selectClass(CommandSuite.class))
                    .filters(those)
                    .configurationParameter("jqwik.tries.default", Integer.toString(tries))
                    .configurationParameter("jqwik.reporting.usejunitplatform", "true")
                    .configurationParameter("jqwik.database", database.toString())
                    .build();
            return execute(request, new Listener(idsOfTests, progress));
        } finally {
            Files.deleteIfExists(database);
        }
    }

    private List<RuleResult> execute(LauncherDiscoveryRequest request, Listener listener) {
        Launcher launcher = LauncherFactory.create(LauncherConfig.builder()
                .enableTestExecutionListenerAutoRegistration(false)
                .enableLauncherSessionListenerAutoRegistration(false)
                .build());
        List<RuleResult> results = CommandSuite.during(this, () -> launcher.execute(request, listener));
        if (results.isEmpty()) {
            throw new IllegalStateException("the rules did not run", listener.failure.orElse(null));
        }
        return results;
    }

    /** Reports the progress, and stores a failure that belongs to no rule. */
    private static final class Listener implements TestExecutionListener {
        private final Map<String, String> idsOfTests;
        private final Progress progress;
        private final AtomicInteger ended = new AtomicInteger();
        private final AtomicInteger failed = new AtomicInteger();
        private Optional<Throwable> failure = Optional.empty();

        Listener(Map<String, String> idsOfTests, Progress progress) {
            this.idsOfTests = idsOfTests;
            this.progress = progress;
        }

        @Override
        public void executionStarted(TestIdentifier test) {
            if (test.isTest()) {
                progress.at(idsOfTests.getOrDefault(test.getDisplayName(), ""), ended.get(), failed.get());
            }
        }

        @Override
        public void executionSkipped(TestIdentifier test, String reason) {
            ended.incrementAndGet();
        }

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            if (test.isTest()) {
                ended.incrementAndGet();
                if (result.getStatus() == TestExecutionResult.Status.FAILED) {
                    failed.incrementAndGet();
                }
            } else if (result.getThrowable().isPresent()) {
                failure = result.getThrowable();
                LOGGER.log(System.Logger.Level.DEBUG, test.getDisplayName(), failure.get());
            }
        }
    }
}
