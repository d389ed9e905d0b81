// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.verbena.conformance.report.RuleResult;
import dev.verbena.conformance.report.RuleResult.Outcome;
import dev.verbena.conformance.rules.RuleCatalogue;
import dev.verbena.sim.runtime.VirtualRuntime;
import dev.verbena.verbs.VerbsException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** The test class of a provider's author as JUnit runs it. */
class JunitRunTest {
    private static final Set<Thread> THREADS = ConcurrentHashMap.newKeySet();
    private static String rules = "";
    private static List<RuleResult> results = List.of();

    /** Names and ends of tests and containers, by the first word of their names. */
    private final Map<String, TestExecutionResult> ends = new TreeMap<>();

    /** The kit over the software device; not a test by itself. */
    static class Suite extends VerbsConformance {
        @Override
        public ProviderRig openRig() throws VerbsException {
            THREADS.add(Thread.currentThread());
            return new SimRig(new VirtualRuntime(1));
        }

        @Override
        protected List<RuleCatalogue.Entry> selection() {
            return RuleCatalogue.select(super.selection(), rules);
        }

        @Override
        protected Divergences divergences() {
            return Divergences.parse("known", List.of("OBJ-03 | *EBUSY* | it is kept"));
        }

        @Override
        protected void finished(List<RuleResult> all) {
            results = all;
        }
    }

    private void run(String selected) {
        rules = selected;
        // Without listeners, not even those of the launcher that runs the test itself.
        LauncherConfig config = LauncherConfig.builder()
                .enableTestExecutionListenerAutoRegistration(false)
                .enableLauncherSessionListenerAutoRegistration(false)
                .build();
        TestExecutionListener listener = new TestExecutionListener() {
            @Override
            public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                ends.put(test.getDisplayName().split(" ", 2)[0], result);
            }
        };
        LauncherFactory.create(config)
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(selectClass(Suite.class))
                                .configurationParameter("junit.jupiter.execution.parallel.enabled", "true")
                                .configurationParameter("junit.jupiter.execution.parallel.mode.default", "concurrent")
                                .build(),
                        listener);
    }

    private Status status(String name) {
        return ends.get(name).getStatus();
    }

    @Test
    void eachSelectedRuleIsATest() {
        run("obj-02,OBJ-03,THREADS-01");
        assertThat(status("OBJ-02")).isEqualTo(Status.SUCCESSFUL);
        assertThat(status("OBJ-03")).isEqualTo(Status.FAILED);
        assertThat(status("THREADS-01")).isEqualTo(Status.ABORTED);
        assertThat(status("rules()")).isEqualTo(Status.SUCCESSFUL);
        assertThat(results)
                .hasSameSizeAs(RuleCatalogue.of(Suite.class))
                .filteredOn(result -> result.outcome() != Outcome.NOT_RUN)
                .extracting(result -> result.rule().id())
                .containsExactly("OBJ-02", "OBJ-03", "THREADS-01");
    }

    @Test
    void theRulesRunInOneThread() {
        THREADS.clear();
        run("OBJ");
        assertThat(THREADS).hasSize(1);
    }

    @Test
    void aRunThatShowedNothingFails() {
        run("THREADS-01");
        assertThat(status("rules()")).isEqualTo(Status.FAILED);
        assertThat(ends.get("rules()").getThrowable())
                .hasValueSatisfying(thrown -> assertThat(thrown).hasMessageContaining("no rule was kept"));
    }
}
