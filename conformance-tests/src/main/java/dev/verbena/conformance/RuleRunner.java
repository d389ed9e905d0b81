// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance;

import dev.verbena.conformance.report.RuleResult;
import dev.verbena.conformance.report.RuleResult.Outcome;
import dev.verbena.conformance.rules.RuleCatalogue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.opentest4j.TestAbortedException;

/**
 * Executes the rules of a suite. Skips a rule if the devices or the {@link ProviderRig} do not meet a requirement of the
 * rule. Not thread-safe.
 */
public final class RuleRunner {
    private final VerbsConformance suite;
    private final boolean shrinking;
    private final long seed;
    private final Map<String, RuleResult> byId = new HashMap<>();
    private int repeats;

    /**
     * Creates a runner.
     *
     * @param suite the test class, which opens the tested devices and returns the settings of the conformance tests
     */
    public RuleRunner(VerbsConformance suite) {
        this(suite, true);
    }

    RuleRunner(VerbsConformance suite, boolean shrinking) {
        this.suite = suite;
        this.shrinking = shrinking;
        seed = suite.seed().orElseGet(() -> ThreadLocalRandom.current().nextInt(Integer.MAX_VALUE));
    }

    /**
     * Executes a rule.
     *
     * @param rule a rule of the suite
     * @return the result of the rule
     */
    public RuleResult run(RuleCatalogue.Entry rule) {
        Optional<String> missing = Requirements.missing(rule, suite);
        RuleResult result = missing.isPresent()
                ? RuleResult.skipped(rule, "needs " + missing.get())
                : new RuleRun(rule, suite, this::takeRepeat).execute(seed, shrinking);
        byId.put(rule.id(), result);
        return result;
    }

    /** Returns whether the suite permits one more retry after a failure; if so, counts the retry. */
    boolean takeRepeat() {
        return repeats < suite.repeats() && repeats++ >= 0;
    }

    /** {@return one result for each rule of the suite, including rules that did not run, in the order of their ids} */
    public List<RuleResult> results() {
        return RuleCatalogue.of(suite.getClass()).stream()
                .map(rule -> byId.getOrDefault(rule.id(), RuleResult.notRun(rule)))
                .toList();
    }

    /**
     * Runs a rule as a JUnit test.
     *
     * @throws AssertionError if the rule failed, or passed in spite of a known divergence
     * @throws TestAbortedException if the rule was skipped, or its failure is a known divergence
     */
    void test(RuleCatalogue.Entry rule) {
        RuleResult result = run(rule);
        switch (result.outcome()) {
            case FAILED ->
                throw new AssertionError(explanation(result), result.thrown().orElse(null));
            case DIVERGED ->
                throw new TestAbortedException(
                        "rule " + rule.id() + " is a known divergence: " + result.reason(),
                        result.thrown().orElse(null));
            case SKIPPED -> throw new TestAbortedException("rule " + rule.id() + " was not tried: " + result.message());
            case PASSED, NOT_RUN -> {}
        }
    }

    /**
     * Passes the results of the rules to {@link VerbsConformance#finished}.
     *
     * @throws AssertionError if each selected rule was skipped or failed with a known divergence, so that no rule was
     *     verified
     */
    void finish() {
        try {
            suite.finished(results());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (byId.values().stream()
                .noneMatch(result -> result.outcome() == Outcome.PASSED || result.outcome() == Outcome.FAILED)) {
            throw new AssertionError("no rule was kept: each was skipped or diverges");
        }
    }

    private static String explanation(RuleResult result) {
        RuleCatalogue.Entry rule = result.rule();
        List<String> lines = new ArrayList<>();
        lines.add("rule " + rule.id() + " is broken: " + rule.text());
        lines.add("  what happened: " + result.message());
        result.sample().ifPresent(sample -> lines.add("  with:          " + sample));
        result.seed().ifPresent(drawn -> lines.add("  seed:          " + drawn));
        result.repeats().forEach(failure -> lines.add("  repeated:      " + failure));
        lines.add("  source:        " + rule.source());
        rule.lookAt().forEach(hint -> lines.add("  look at:       " + hint));
        return String.join(System.lineSeparator(), lines);
    }
}
