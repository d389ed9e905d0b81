// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.conformance;

import dev.verbena.conformance.Divergences;
import dev.verbena.conformance.ProviderRig;
import dev.verbena.conformance.RuleRunner;
import dev.verbena.conformance.VerbsConformance;
import dev.verbena.conformance.report.RuleResult;
import dev.verbena.conformance.report.RuleResult.Outcome;
import dev.verbena.conformance.rules.RuleCatalogue;
import java.util.List;
import java.util.OptionalLong;

/**
 * One execution of the selected rules of the conformance kit with the devices under test.
 *
 * @param bench the devices under test
 * @param divergences the known divergences of the devices from the rules
 * @param tries how many times a rule with random values is executed, unless the rule sets its own number of executions
 * @param repeats the maximum number of retries over all rules; a failed execution is retried only if packets can be lost
 */
record ConformanceRun(
        Bench bench, Divergences divergences, List<RuleCatalogue.Entry> rules, long seed, int tries, int repeats) {
    @FunctionalInterface
    interface Progress {
        /** Reports which rule starts, how many rules have finished, and how many of them failed. */
        void at(String rule, int ended, int failed);
    }

    /** Runs the rules. Returns the results of all conformance rules, in the order of their ids. */
    List<RuleResult> execute(Progress progress) {
        RuleRunner runner = new RuleRunner(new Suite());
        int ended = 0;
        int failed = 0;
        for (RuleCatalogue.Entry rule : rules) {
            progress.at(rule.id(), ended++, failed);
            if (runner.run(rule).outcome() == Outcome.FAILED) {
                failed++;
            }
        }
        return runner.results();
    }

    private final class Suite extends VerbsConformance {
        @Override
        public ProviderRig openRig() throws Exception {
            return bench.open();
        }

        @Override
        protected OptionalLong seed() {
            return OptionalLong.of(seed);
        }

        @Override
        protected int tries() {
            return tries;
        }

        @Override
        protected Divergences divergences() {
            return divergences;
        }

        @Override
        protected int repeats() {
            return repeats;
        }
    }
}
