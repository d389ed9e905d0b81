package dev.verbena.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.verbena.conformance.RuleResult.Outcome;
import dev.verbena.conformance.side.Connection;
import dev.verbena.conformance.side.Endpoint;
import dev.verbena.conformance.side.Qp;
import dev.verbena.conformance.side.Side;
import dev.verbena.fault.LinkRule;
import dev.verbena.fault.Verdict;
import dev.verbena.sim.runtime.SimRuntime;
import dev.verbena.sim.runtime.ThreadRuntime;
import dev.verbena.sim.runtime.VirtualRuntime;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.Opcode;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.platform.engine.TestExecutionResult;

/** What a suite is told of its rules, and what JUnit is, over a link that loses the end of every SEND of several packets. */
class ResultsTest {
    private static final String BROKEN = "MTU-01";
    private static final String KEPT = "OBJ-02";
    private static final String BEYOND = "THREADS-01";
    private static final String CONNECTED = "COMP-01";
    private static final int TRIES = 20;

    private static Divergences divergences = Divergences.none();
    private static List<RuleResult> results = List.of();

    /** Whose threads the devices have; without them time is simulated. */
    private static Optional<SimRuntime> threads = Optional.empty();

    /** So many connections fail from now on. */
    private static int refusals;

    private final Map<String, TestExecutionResult> told = new TreeMap<>();

    @TempDir
    Path directory;

    /** Each has a database of its own, lest a run begins with what another one found. */
    private int runs;

    /** Keeps what it is told. */
    static class Suite extends VerbsConformance {
        @Override
        public ProviderRig openRig() throws VerbsException {
            SimRig rig = new SimRig(threads.orElseGet(() -> new VirtualRuntime(1)));
            rig.link()
                    .orElseThrow()
                    .add(LinkRule.always(packet -> packet.opcode() == Opcode.RC_SEND_LAST.code(), Verdict.DROP));
            return new Refusing(rig);
        }

        @Override
        protected OptionalLong seed() {
            return OptionalLong.of(7);
        }

        @Override
        protected Divergences divergences() {
            return divergences;
        }

        @Override
        protected void finished(List<RuleResult> all) {
            results = all;
        }
    }

    /** A rig that cannot connect for a while. */
    private record Refusing(SimRig rig) implements ProviderRig {
        @Override
        public Endpoint first() {
            return rig.first();
        }

        @Override
        public Endpoint second() {
            return rig.second();
        }

        @Override
        public void connect(Qp first, Qp second, Connection connection) {
            if (refusals > 0) {
                refusals--;
                throw new AssertionError("out of order, " + refusals + " to go");
            }
            rig.connect(first, second, connection);
        }

        @Override
        public Side.Waiting waiting() {
            return rig.waiting();
        }

        @Override
        public void close() throws VerbsException {
            rig.close();
        }
    }

    private RuleResult runConnected(int failing) {
        refusals = failing;
        try {
            return run(Divergences.none(), CONNECTED).get(CONNECTED);
        } finally {
            refusals = 0;
        }
    }

    private RuleResult runConnectedWithThreads(int failing) {
        try (SimRuntime runtime = new ThreadRuntime(1)) {
            threads = Optional.of(runtime);
            return runConnected(failing);
        } finally {
            threads = Optional.empty();
        }
    }

    private Map<String, RuleResult> run(Divergences known) {
        return run(known, BROKEN, KEPT, BEYOND);
    }

    private Map<String, RuleResult> run(Divergences known, String... rules) {
        divergences = known;
        List<RuleCatalogue.Entry> chosen = RuleCatalogue.of(Suite.class).stream()
                .filter(rule -> List.of(rules).contains(rule.id()))
                .toList();
        SuiteRun run = SuiteRun.of(
                Suite.class, chosen, new SuiteRun.Manner(TRIES, true, directory.resolve("database" + runs++)));
        told.putAll(run.results());
        return results.stream().collect(Collectors.toMap(result -> result.rule().id(), result -> result));
    }

    @Test
    void everyRuleOfTheKitHasItsResult() {
        Map<String, RuleResult> run = run(Divergences.none());
        assertThat(run)
                .containsOnlyKeys(RuleCatalogue.of(Suite.class).stream()
                        .map(RuleCatalogue.Entry::id)
                        .toList());
        assertThat(run.get(KEPT)).satisfies(kept -> {
            assertThat(kept.outcome()).isEqualTo(Outcome.PASSED);
            assertThat(kept.tries()).isPositive();
            assertThat(kept.message()).isEmpty();
        });
        assertThat(run.get(BEYOND)).satisfies(skipped -> {
            assertThat(skipped.outcome()).isEqualTo(Outcome.SKIPPED);
            assertThat(skipped.message()).isEqualTo("needs " + Needs.WALL_TIME.description());
        });
        assertThat(run.get(BROKEN)).satisfies(broken -> {
            assertThat(broken.outcome()).isEqualTo(Outcome.FAILED);
            assertThat(broken.message()).startsWith("only 0 of 1 requests");
            assertThat(broken.sample()).isPresent();
            assertThat(broken.thrown()).isPresent();
        });
        assertThat(run.get("MTU-02").outcome()).isEqualTo(Outcome.NOT_RUN);
        assertThat(told.get(BROKEN).getStatus()).isEqualTo(TestExecutionResult.Status.FAILED);
        assertThat(told.get(KEPT).getStatus()).isEqualTo(TestExecutionResult.Status.SUCCESSFUL);
    }

    @Test
    void theSeedOfTheSuiteIsThatOfEveryRule() {
        RuleResult once = run(Divergences.none()).get(BROKEN);
        RuleResult again = run(Divergences.none()).get(BROKEN);
        assertThat(again.seed()).isPresent().isEqualTo(once.seed());
        assertThat(again.sample()).isEqualTo(once.sample());
        assertThat(again.tries()).isEqualTo(once.tries());
    }

    @Test
    void aKnownDivergenceIsNoFailure() {
        RuleResult broken = run(Divergences.parse("known", List.of("# SENDs", "", BROKEN + "  the link is bad")))
                .get(BROKEN);
        assertThat(broken.outcome()).isEqualTo(Outcome.DIVERGED);
        assertThat(broken.reason()).isEqualTo("the link is bad");
        assertThat(told.get(BROKEN).getStatus()).isEqualTo(TestExecutionResult.Status.ABORTED);
    }

    @Test
    void aDivergenceThatNoLongerDivergesIsAFailure() {
        RuleResult kept =
                run(Divergences.parse("known", List.of(KEPT + " arenas leak"))).get(KEPT);
        assertThat(kept.outcome()).isEqualTo(Outcome.FAILED);
        assertThat(kept.message()).contains("strike it from the list", "arenas leak");
        assertThat(told.get(KEPT).getStatus()).isEqualTo(TestExecutionResult.Status.FAILED);
        assertThat(told.get(KEPT).getThrowable())
                .hasValueSatisfying(thrown -> assertThat(thrown).hasMessageStartingWith("rule " + KEPT));
    }

    @Test
    void inWallTimeATryIsMadeAgainAndTheResultTellsOfIt() {
        RuleResult result = runConnectedWithThreads(2);
        assertThat(result.outcome()).isEqualTo(Outcome.PASSED);
        assertThat(result.message())
                .isEqualTo("a try failed at first and was kept with the same values then: out of order, 1 to go");
    }

    @Test
    void inWallTimeATryThatFailsEachTimeIsAFailure() {
        RuleResult result = runConnectedWithThreads(3);
        assertThat(result.outcome()).isEqualTo(Outcome.FAILED);
        assertThat(result.message()).isEqualTo("out of order, 0 to go");
    }

    @Test
    void inSimulatedTimeNoTryIsMadeAgain() {
        RuleResult result = runConnected(1);
        assertThat(result.outcome()).isEqualTo(Outcome.FAILED);
        assertThat(result.message()).isEqualTo("out of order, 0 to go");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            MTU-99 it is so          | known, line 1: 'MTU-99' is no rule of the kit
            MTU-01                   | known, line 1: MTU-01 has no reason; write it behind the id
            """)
    void aLineThatSaysNothingIsRefused(String line, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Divergences.parse("known", List.of(line)))
                .withMessage(message);
    }

    @Test
    void aLineThatRepeatsAnotherIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Divergences.parse("known", List.of("MTU-01 so", "", "MTU-01 or so")))
                .withMessage("known, line 3: MTU-01 is listed already");
    }
}
