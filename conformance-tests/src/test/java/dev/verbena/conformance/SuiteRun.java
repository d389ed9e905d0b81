// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance;

import dev.verbena.conformance.rules.RuleCatalogue;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The tests of rules that a suite ran from within another test.
 *
 * @param failures the exceptions of the tests, by the ids of the rules; empty for a rule that was kept
 * @param suiteFailure the failure of the suite as a whole
 */
public record SuiteRun(Map<String, Optional<Throwable>> failures, Optional<Throwable> suiteFailure) {
    public static SuiteRun of(VerbsConformance suite, List<RuleCatalogue.Entry> rules, boolean shrinking) {
        RuleRunner runner = new RuleRunner(suite, shrinking);
        Map<String, Optional<Throwable>> failures = new TreeMap<>();
        rules.forEach(rule -> failures.put(rule.id(), thrown(() -> runner.test(rule))));
        return new SuiteRun(failures, thrown(runner::finish));
    }

    private static Optional<Throwable> thrown(Runnable test) {
        try {
            test.run();
            return Optional.empty();
        } catch (RuntimeException | AssertionError thrown) {
            return Optional.of(thrown);
        }
    }
}
