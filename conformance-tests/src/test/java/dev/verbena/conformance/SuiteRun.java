package dev.verbena.conformance;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import dev.verbena.conformance.rules.RuleCatalogue;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * The results of rules that a suite ran from within a test, by their ids.
 *
 * @param results of those that ran
 * @param skipped reasons of those that did not
 * @param suiteFailures failures of the suite as a whole
 */
public record SuiteRun(
        Map<String, TestExecutionResult> results, Map<String, String> skipped, List<Throwable> suiteFailures) {
    /**
     * How a suite is to run rules.
     *
     * @param tries how often a property without its own number of tries is tried
     * @param shrinking whether failing values are shrunk
     * @param database where samples that failed are kept for the next run with it
     */
    public record Manner(int tries, boolean shrinking, Path database) {}

    /** Runs rules of a suite. */
    public static SuiteRun of(Class<? extends VerbsConformance> suite, List<RuleCatalogue.Entry> rules, Manner manner) {
        LauncherDiscoveryRequestBuilder request = LauncherDiscoveryRequestBuilder.request()
                .configurationParameter("jqwik.tries.default", Integer.toString(manner.tries()))
                .configurationParameter("jqwik.shrinking.default", manner.shrinking() ? "BOUNDED" : "OFF")
                // To the listener, so that failures that are meant do not fill the log.
                .configurationParameter("jqwik.reporting.usejunitplatform", "true")
                .configurationParameter("jqwik.database", manner.database().toString());
        for (RuleCatalogue.Entry rule : rules) {
            request.selectors(selectMethod(suite, rule.test()));
        }
        // Without listeners, not even those of the launcher that runs the test itself.
        LauncherConfig config = LauncherConfig.builder()
                .enableTestExecutionListenerAutoRegistration(false)
                .enableLauncherSessionListenerAutoRegistration(false)
                .build();
        SuiteRun run = new SuiteRun(new TreeMap<>(), new TreeMap<>(), new ArrayList<>());
        LauncherFactory.create(config).execute(request.build(), listener(rules, run));
        return run;
    }

    private static TestExecutionListener listener(List<RuleCatalogue.Entry> rules, SuiteRun run) {
        return new TestExecutionListener() {
            @Override
            public void executionSkipped(TestIdentifier test, String reason) {
                run.skipped().put(ruleOf(test), reason);
            }

            @Override
            public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                if (test.isTest()) {
                    run.results().put(ruleOf(test), result);
                } else {
                    result.getThrowable().ifPresent(run.suiteFailures()::add);
                }
            }

            private String ruleOf(TestIdentifier test) {
                TestSource source = test.getSource().orElseThrow();
                return rules.stream()
                        .filter(rule -> source instanceof MethodSource method
                                && rule.test().getName().equals(method.getMethodName()))
                        .findFirst()
                        .map(RuleCatalogue.Entry::id)
                        .orElse(test.getDisplayName());
            }
        };
    }
}
