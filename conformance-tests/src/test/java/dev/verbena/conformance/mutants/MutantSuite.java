package dev.verbena.conformance.mutants;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import dev.verbena.conformance.Needs;
import dev.verbena.conformance.ProviderRig;
import dev.verbena.conformance.RuleCatalogue;
import dev.verbena.conformance.SimRig;
import dev.verbena.conformance.VerbsConformance;
import dev.verbena.sim.profile.DeviceProfile;
import dev.verbena.sim.profile.Quirk;
import dev.verbena.sim.runtime.SimRuntime;
import dev.verbena.sim.runtime.ThreadRuntime;
import dev.verbena.sim.runtime.VirtualRuntime;
import dev.verbena.verbs.VerbsException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** The kit over whatever mutant is at work, run from within a test; it is no test by itself. */
class MutantSuite extends VerbsConformance {
    private static final long SEED = 1;
    // What a mutant leaves open is no news. Kept, as a logger that nobody holds forgets its level.
    private static final Logger PROVIDER = Logger.getLogger("dev.verbena.sim.SimProvider");
    // Only threads take the time: what a mutant lost is waited for in vain.
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static Mutant current = Mutant.of("none", "nothing", () -> Fault.NONE);
    private static boolean threads;

    /**
     * What came of rules, by their ids.
     *
     * @param results of those that ran
     * @param skipped reasons of those that did not
     */
    record Run(Map<String, TestExecutionResult> results, Map<String, String> skipped) {}

    @Override
    public ProviderRig openRig() throws VerbsException {
        Fault fault = current.fault().get();
        DeviceProfile profile = DeviceProfile.specification().toBuilder()
                .with(current.quirks().toArray(Quirk[]::new))
                .build();
        SimRuntime runtime = threads ? new ThreadRuntime(SEED) : new VirtualRuntime(SEED);
        return new SimRig(
                        runtime, profile, real -> Intercept.fabric(real, fault), real -> Intercept.device(real, fault))
                .withConnections(real -> Intercept.connections(real, fault))
                .withPatience(PATIENCE);
    }

    @Override
    protected OptionalLong seed() {
        return OptionalLong.of(SEED);
    }

    @Override
    protected int attempts() {
        return 1;
    }

    /** Runs rules with so many tries each against a mutant. */
    static Run run(Mutant mutant, List<RuleCatalogue.Entry> rules, int tries, boolean shrinking, Path directory) {
        PROVIDER.setLevel(Level.OFF);
        current = mutant;
        threads = rules.stream().anyMatch(rule -> rule.rig().contains(Needs.WALL_TIME));
        LauncherDiscoveryRequestBuilder request = LauncherDiscoveryRequestBuilder.request()
                .configurationParameter("jqwik.tries.default", Integer.toString(tries))
                .configurationParameter("jqwik.shrinking.default", shrinking ? "BOUNDED" : "OFF")
                // To the listener, so that failures that are meant do not fill the log.
                .configurationParameter("jqwik.reporting.usejunitplatform", "true")
                .configurationParameter(
                        "jqwik.database", directory.resolve("database").toString());
        for (RuleCatalogue.Entry rule : rules) {
            request.selectors(selectMethod(MutantSuite.class, rule.test()));
        }
        // Not even the listeners of whoever runs the test itself.
        LauncherConfig config = LauncherConfig.builder()
                .enableTestExecutionListenerAutoRegistration(false)
                .enableLauncherSessionListenerAutoRegistration(false)
                .build();
        Run run = new Run(new TreeMap<>(), new TreeMap<>());
        LauncherFactory.create(config).execute(request.build(), listener(rules, run));
        return run;
    }

    private static TestExecutionListener listener(List<RuleCatalogue.Entry> rules, Run run) {
        return new TestExecutionListener() {
            @Override
            public void executionSkipped(TestIdentifier test, String reason) {
                run.skipped().put(ruleOf(test), reason);
            }

            @Override
            public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                if (test.isTest()) {
                    run.results().put(ruleOf(test), result);
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
