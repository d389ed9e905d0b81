package dev.verbena.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.verbena.sim.runtime.VirtualRuntime;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.VerbsException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** The kit against providers with a fault: the rule that names it must find it, and say so. */
class MutantsTest {
    private static Mutant current = new Mutant("", "none", fabric -> fabric, device -> device);

    @TempDir
    Path directory;

    private final Map<String, TestExecutionResult> results = new TreeMap<>();
    private final Map<String, String> skipped = new TreeMap<>();

    /** The suite over whatever mutant is at work. */
    static class Suite extends VerbsConformance {
        @Override
        public ProviderRig openRig() throws VerbsException {
            return new SimRig(new VirtualRuntime(1), current.fabric(), current.device());
        }
    }

    private void run(Mutant mutant, Predicate<String> rules) {
        current = mutant;
        Set<String> tests = new TreeSet<>();
        RuleCatalogue.of(Suite.class).stream()
                .filter(rule -> rules.test(rule.id()))
                .forEach(rule -> tests.add(rule.test().getName()));
        PostDiscoveryFilter those =
                test -> FilterResult.includedIf(!test.isTest() || tests.contains(test.getDisplayName()));
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(selectClass(Suite.class))
                                .filters(those)
                                .configurationParameter("jqwik.tries.default", "40")
                                // To the listener, so that failures that are meant do not fill the log.
                                .configurationParameter("jqwik.reporting.usejunitplatform", "true")
                                .configurationParameter(
                                        "jqwik.database",
                                        directory.resolve("database").toString())
                                .build(),
                        listener());
        assertThat(results.size() + skipped.size()).isEqualTo(tests.size());
    }

    private TestExecutionListener listener() {
        return new TestExecutionListener() {
            @Override
            public void executionSkipped(TestIdentifier test, String reason) {
                skipped.put(test.getDisplayName(), reason);
            }

            @Override
            public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                if (test.isTest()) {
                    results.put(test.getDisplayName(), result);
                }
            }
        };
    }

    @ParameterizedTest
    @MethodSource("dev.verbena.conformance.Mutants#all")
    void theRuleThatNamesAFaultFindsIt(Mutant mutant) {
        run(mutant, mutant.rule()::equals);
        assertThat(results.values())
                .singleElement()
                .satisfies(result -> assertThat(result.getThrowable())
                        .as("%s survives", mutant)
                        .hasValueSatisfying(thrown -> assertThat(thrown.getMessage())
                                .startsWith("rule " + mutant.rule() + " is broken: ")
                                .contains("what happened: ", "seed: ", "source: ", "look at: ")));
    }

    @Test
    void whatADeviceCannotDoIsSkippedWithTheReason() {
        Set<Capability> others = EnumSet.complementOf(EnumSet.of(Capability.RC));
        Mutant lesser = Mutant.ofDevice(
                "MTU",
                "no reliable connections",
                call -> call.method().equals("capabilities") ? others : call.proceed());
        run(lesser, id -> id.equals("MTU-01") || id.equals("OBJ-02"));
        assertThat(skipped)
                .containsEntry("aSendOfAnySizeArrivesUnaltered", "MTU-01 needs reliable connected queue pairs (RC)");
        assertThat(results).containsOnlyKeys("anArenaIsKeptByTheRegionsOverIt");
    }
}
