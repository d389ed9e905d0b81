package dev.verbena.conformance;

import dev.verbena.conformance.report.RuleResult;
import dev.verbena.conformance.report.RuleResult.Outcome;
import dev.verbena.conformance.rules.RuleCatalogue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** The results of the rules of a suite that is running, and how many tries were repeated. */
final class SuiteResults {
    private static final Map<Class<?>, SuiteResults> RUNNING = new ConcurrentHashMap<>();

    private final Map<String, RuleResult> byId = new ConcurrentHashMap<>();
    private final AtomicInteger repeats = new AtomicInteger();
    /** The instance of the last rule. */
    private volatile VerbsConformance suite;

    private SuiteResults(VerbsConformance suite) {
        this.suite = suite;
    }

    static SuiteResults of(VerbsConformance suite) {
        SuiteResults results = RUNNING.computeIfAbsent(suite.getClass(), _ -> new SuiteResults(suite));
        results.suite = suite;
        return results;
    }

    /** Ends the run of a suite; empty if none of its rules was run or skipped. */
    static Optional<SuiteResults> end(Class<?> suite) {
        return Optional.ofNullable(RUNNING.remove(suite));
    }

    /** Returns whether one more try of the run may be repeated, and counts it. */
    boolean takeRepeat() {
        int budget = suite.repeats();
        return repeats.getAndUpdate(made -> Math.min(budget, made + 1)) < budget;
    }

    void keep(RuleResult result) {
        byId.put(result.rule().id(), result);
    }

    VerbsConformance suite() {
        return suite;
    }

    /** Returns a result for each rule of the suite, in the order of their ids. */
    List<RuleResult> all() {
        List<RuleResult> all = new ArrayList<>();
        for (RuleCatalogue.Entry rule : RuleCatalogue.of(suite.getClass())) {
            all.add(byId.getOrDefault(rule.id(), RuleResult.notRun(rule)));
        }
        return List.copyOf(all);
    }

    /** Returns whether no rule was kept and none failed: such a run has shown nothing. */
    boolean showedNothing() {
        return byId.values().stream()
                .noneMatch(result -> result.outcome() == Outcome.PASSED || result.outcome() == Outcome.FAILED);
    }
}
