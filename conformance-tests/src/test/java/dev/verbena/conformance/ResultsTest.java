// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.verbena.conformance.report.RuleResult;
import dev.verbena.conformance.report.RuleResult.Outcome;
import dev.verbena.conformance.rules.Needs;
import dev.verbena.conformance.rules.RuleCatalogue;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.opentest4j.TestAbortedException;

/**
 * The results that a suite and JUnit get for rules, over a link that loses the end of every SEND of several packets.
 */
class ResultsTest {
    private static final String BROKEN = "MTU-01";
    private static final String KEPT = "OBJ-02";
    private static final String BEYOND = "THREADS-01";
    private static final String CONNECTED = "COMP-01";
    private static final int TRIES = 20;

    private static Divergences divergences = Divergences.none();
    private static List<RuleResult> results = List.of();

    /** The runtime whose threads the devices use; if empty, time is simulated. */
    private static Optional<SimRuntime> threads = Optional.empty();

    /** How many of the next connections fail. */
    private static int refusals;

    /** Whether the rig declares that packets get lost, and how many repeats are allowed then. */
    private static boolean lossy;

    private static int budget;

    private final Map<String, Optional<Throwable>> told = new TreeMap<>();
    private Optional<Throwable> suiteFailure = Optional.empty();

    /** A suite that keeps its results. */
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
        protected int tries() {
            return TRIES;
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
        protected int repeats() {
            return budget;
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
        public boolean canLose() {
            return lossy;
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

    /** Runs a rule whose first connections fail. */
    private RuleResult runConnected(int failing) {
        refusals = failing;
        try (SimRuntime runtime = new ThreadRuntime(1)) {
            threads = Optional.of(runtime);
            return run(Divergences.none(), CONNECTED).get(CONNECTED);
        } finally {
            threads = Optional.empty();
            refusals = 0;
        }
    }

    private RuleResult runConnectedOverALossyLink(int failing, int repeats) {
        lossy = true;
        budget = repeats;
        try {
            return runConnected(failing);
        } finally {
            lossy = false;
            budget = 0;
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
        SuiteRun run = SuiteRun.of(new Suite(), chosen, true);
        told.putAll(run.failures());
        suiteFailure = run.suiteFailure();
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
        assertThat(told.get(BROKEN)).containsInstanceOf(AssertionError.class);
        assertThat(told.get(KEPT)).isEmpty();
        assertThat(told.get(BEYOND)).containsInstanceOf(TestAbortedException.class);
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
    void aDivergenceThatHappensAsStatedIsNoFailure() {
        RuleResult broken = run(Divergences.parse(
                        "known", List.of("# SENDs", "", BROKEN + " | only 0 of 1 requests of *: [] | the link is bad")))
                .get(BROKEN);
        assertThat(broken.outcome()).isEqualTo(Outcome.DIVERGED);
        assertThat(broken.message()).startsWith("only 0 of 1 requests");
        assertThat(broken.reason()).isEqualTo("the link is bad");
        assertThat(broken.sample()).isPresent();
        assertThat(told.get(BROKEN)).containsInstanceOf(TestAbortedException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"only 1 of 1 requests of *: []", "only 0 of 1 requests", "*: [", "*EIO*"})
    void aDivergenceThatFailsOtherwiseIsAFailure(String message) {
        RuleResult broken = run(Divergences.parse("known", List.of(BROKEN + " | " + message + " | the link is bad")))
                .get(BROKEN);
        assertThat(broken.outcome()).isEqualTo(Outcome.FAILED);
        assertThat(broken.message()).startsWith("only 0 of 1 requests").contains("failure does not match '" + message);
        assertThat(told.get(BROKEN)).containsInstanceOf(AssertionError.class);
    }

    @Test
    void anotherFailureAfterADivergingTryIsFound() {
        refusals = 1;
        RuleResult broken = run(
                        Divergences.parse("known", List.of(CONNECTED + " | out of order, 0 to go | cold")), CONNECTED)
                .get(CONNECTED);
        assertThat(broken.outcome()).isEqualTo(Outcome.DIVERGED);
        refusals = 2;
        RuleResult other = run(
                        Divergences.parse("known", List.of(CONNECTED + " | out of order, 1 to go | cold")), CONNECTED)
                .get(CONNECTED);
        assertThat(other.outcome()).isEqualTo(Outcome.FAILED);
        assertThat(other.message()).startsWith("out of order, 0 to go; the rule is listed as a divergence");
    }

    @Test
    void aDivergenceThatNoLongerDivergesIsAFailure() {
        RuleResult kept = run(Divergences.parse("known", List.of(KEPT + " | *EBUSY* | arenas leak")))
                .get(KEPT);
        assertThat(kept.outcome()).isEqualTo(Outcome.FAILED);
        assertThat(kept.message()).contains("strike it from the list", "arenas leak");
        assertThat(told.get(KEPT))
                .hasValueSatisfying(thrown ->
                        assertThat(thrown).isInstanceOf(AssertionError.class).hasMessageStartingWith("rule " + KEPT));
    }

    @Test
    void aRunWithoutARuleThatWasKeptFails() {
        run(Divergences.parse("known", List.of(BROKEN + " | only 0 of 1 requests* | the link is bad")), BROKEN, BEYOND);
        assertThat(suiteFailure)
                .hasValueSatisfying(thrown -> assertThat(thrown).hasMessageContaining("no rule was kept"));
        run(Divergences.none(), KEPT, BEYOND);
        assertThat(suiteFailure).isEmpty();
    }

    @Test
    void aTryIsRepeatedWithinTheBudgetAndEachRepeatIsInTheResult() {
        RuleResult result = runConnectedOverALossyLink(2, 2);
        assertThat(result.outcome()).isEqualTo(Outcome.PASSED);
        assertThat(result.repeats()).containsExactly("out of order, 1 to go", "out of order, 0 to go");
    }

    @Test
    void aTryThatFailsBeyondTheBudgetIsAFailure() {
        RuleResult result = runConnectedOverALossyLink(2, 1);
        assertThat(result.outcome()).isEqualTo(Outcome.FAILED);
        assertThat(result.message()).isEqualTo("out of order, 0 to go");
        assertThat(result.repeats()).containsExactly("out of order, 1 to go");
    }

    @Test
    void aTryThatFailsThreeTimesIsAFailureForEveryBudget() {
        RuleResult result = runConnectedOverALossyLink(3, 100);
        assertThat(result.outcome()).isEqualTo(Outcome.FAILED);
        assertThat(result.message()).isEqualTo("out of order, 0 to go");
    }

    @Test
    void withoutABudgetNoTryIsRepeated() {
        assertThat(runConnectedOverALossyLink(1, 0).outcome()).isEqualTo(Outcome.FAILED);
    }

    @Test
    void withoutLossNoRequestIsRetransmitted() {
        budget = 100;
        try {
            RuleResult result = runConnected(1);
            assertThat(result.outcome()).isEqualTo(Outcome.FAILED);
            assertThat(result.repeats()).isEmpty();
        } finally {
            budget = 0;
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '>', textBlock = """
            MTU-99 | it fails | so > known, line 1: 'MTU-99' is not a rule of the conformance kit
            MTU-01 > known, line 1: write: MTU-01 | the message of the failure, with * for any text | the reason
            MTU-01 so it is > known, line 1: write: MTU-01 | the message of the failure, with * for any text | the reason
            MTU-01 | it fails | > known, line 1: MTU-01 has no reason; write it after the message
            MTU-01 | * * | so > known, line 1: MTU-01 does not state the message of its failure, so that any failure would pass
            """)
    void aLineThatStatesTooLittleIsRefused(String line, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Divergences.parse("known", List.of(line)))
                .withMessage(message);
    }

    @Test
    void aLineThatRepeatsAnotherIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Divergences.parse("known", List.of("MTU-01 | no | so", "", "MTU-01 | no | or so")))
                .withMessage("known, line 3: MTU-01 is listed with this message already");
        assertThat(Divergences.parse("known", List.of("MTU-01 | no | so", "MTU-01 | never | so"))
                        .ids())
                .containsExactly("MTU-01");
    }
}
