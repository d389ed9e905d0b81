package dev.verbena.cli;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.verbena.conformance.Divergences;
import dev.verbena.conformance.RuleCatalogue;
import dev.verbena.conformance.RuleResult;
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
 * One run of some rules over a bench, by JUnit's platform inside of this process. One at a time.
 *
 * @param bench what is held against the rules
 * @param divergences the rules that it is known not to keep
 * @param rules the ids of those to run
 * @param seed what all chance comes from
 * @param tries how often a property is tried, unless it says so itself
 * @param repeats how many tries may be repeated in all, where packets can get lost
 */
record ConformanceRun(Bench bench, Divergences divergences, Set<String> rules, long seed, int tries, int repeats) {
    private static final System.Logger LOGGER = System.getLogger(ConformanceRun.class.getName());

    /** Is told how far a run is. */
    @FunctionalInterface
    interface Progress {
        /** A rule begins, so many have ended, of which some failed. */
        void at(String rule, int ended, int failed);
    }

    /** Runs the rules; the results are those of all rules of the kit, in the order of their ids. */
    List<RuleResult> execute(Progress progress) throws IOException {
        Map<String, String> idsOfTests = RuleCatalogue.of(CommandSuite.class).stream()
                .filter(rule -> rules.contains(rule.id()))
                .collect(Collectors.toMap(rule -> rule.test().getName(), RuleCatalogue.Entry::id));
        PostDiscoveryFilter those =
                test -> FilterResult.includedIf(!test.isTest() || idsOfTests.containsKey(test.getDisplayName()));
        // Each run begins anew: no sample that failed in another one comes first.
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

    /** Passes on where the run is, and keeps what no rule can be blamed for. */
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
