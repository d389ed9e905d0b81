// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.report;

import dev.verbena.conformance.rules.RuleCatalogue;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Makes results, which outside of tests only a run does. */
public final class RuleResults {
    private RuleResults() {}

    public static RuleResult of(
            RuleCatalogue.Entry rule,
            RuleResult.Outcome outcome,
            String message,
            String reason,
            List<String> repeats,
            Optional<String> sample,
            Optional<String> seed,
            int tries,
            Duration time,
            Optional<Throwable> thrown) {
        return new RuleResult(
                new RuleResult.Values(rule, outcome, message, reason, repeats, sample, seed, tries, time, thrown));
    }
}
