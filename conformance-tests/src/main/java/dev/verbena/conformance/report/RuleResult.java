// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.report;

import dev.verbena.conformance.rules.RuleCatalogue;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The result of a rule in one conformance run. */
public final class RuleResult {
    private final Values values;

    record Values(
            RuleCatalogue.Entry rule,
            Outcome outcome,
            String message,
            String reason,
            List<String> repeats,
            Optional<String> sample,
            Optional<String> seed,
            int tries,
            Duration time,
            Optional<Throwable> thrown) {
        Values {
            repeats = List.copyOf(repeats);
        }
    }

    RuleResult(Values values) {
        this.values = values;
    }

    /** {@return the rule} */
    public RuleCatalogue.Entry rule() {
        return values.rule;
    }

    /** {@return the outcome} */
    public Outcome outcome() {
        return values.outcome;
    }

    /** {@return the message of the failure or divergence, or the reason why the rule was skipped; otherwise empty} */
    public String message() {
        return values.message;
    }

    /** {@return the reason for this failure in the file of known divergences; otherwise empty} */
    public String reason() {
        return values.reason;
    }

    /** {@return the failure messages of the tries that failed and were repeated, one message for each repeat} */
    public List<String> repeats() {
        return values.repeats;
    }

    /**
     * {@return the simplest failing parameter values that were found, or empty if the rule did not fail. For a known
     * divergence, returns the parameter values of the first failure}
     */
    public Optional<String> sample() {
        return values.sample;
    }

    /** {@return the seed with which another run draws the same values} */
    public Optional<String> seed() {
        return values.seed;
    }

    /** {@return the number of tries} */
    public int tries() {
        return values.tries;
    }

    /** {@return the time of all tries} */
    public Duration time() {
        return values.time;
    }

    /** {@return the exception that the failed try of the rule threw} */
    public Optional<Throwable> thrown() {
        return values.thrown;
    }

    /** The outcome of a rule. */
    public enum Outcome {
        /** The rule passed in all tries. */
        PASSED("passed"),
        /** The provider broke the rule, or the rule passed although the provider is known to break it. */
        FAILED("failed"),
        /** The provider broke the rule, and the failure is a known divergence. */
        DIVERGED("diverges"),
        /** The devices or the {@code ProviderRig} do not meet a requirement of the rule, so the rule was not tried. */
        SKIPPED("skipped"),
        /** The conformance run did not include the rule. */
        NOT_RUN("not run");

        private final String word;

        Outcome(String word) {
            this.word = word;
        }

        /** {@return the outcome of a rule in words, for example "not run"} */
        public String word() {
            return word;
        }
    }

    /**
     * {@return the result of a rule that the conformance run did not include}
     *
     * @param rule the rule
     */
    public static RuleResult notRun(RuleCatalogue.Entry rule) {
        return passed(rule, List.of(), Optional.empty(), 0, Duration.ZERO).with(Outcome.NOT_RUN, "");
    }

    /**
     * {@return the result of a rule that was skipped}
     *
     * @param rule the rule
     * @param reason the missing requirements
     */
    public static RuleResult skipped(RuleCatalogue.Entry rule, String reason) {
        return notRun(rule).with(Outcome.SKIPPED, reason);
    }

    /**
     * {@return the result of a rule that passed in all tries}
     *
     * @param rule the rule
     * @param repeats the failure message of each failed try after which the rule was tried again
     * @param seed the seed of the random values, if the rule has parameters
     * @param tries the number of tries
     * @param time the time of all tries
     */
    public static RuleResult passed(
            RuleCatalogue.Entry rule, List<String> repeats, Optional<String> seed, int tries, Duration time) {
        return new RuleResult(new Values(
                rule, Outcome.PASSED, "", "", repeats, Optional.empty(), seed, tries, time, Optional.empty()));
    }

    /**
     * {@return a copy of this result with the given outcome, message, reason, parameter values and exception}
     *
     * @param end the outcome
     * @param what the message
     * @param why the reason why the device is known to break the rule, or empty
     * @param failed the parameter values with which the rule failed
     * @param cause the exception with which the rule failed
     */
    public RuleResult with(Outcome end, String what, String why, Optional<String> failed, Optional<Throwable> cause) {
        return new RuleResult(new Values(rule(), end, what, why, repeats(), failed, seed(), tries(), time(), cause));
    }

    /**
     * {@return a copy of this result with the given outcome and message, but without parameter values and exception}
     *
     * @param end the outcome
     * @param what the message
     */
    public RuleResult with(Outcome end, String what) {
        return with(end, what, "", Optional.empty(), Optional.empty());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof RuleResult same && values.equals(same.values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    @Override
    public String toString() {
        return "RuleResult" + values.toString().substring("Values".length());
    }
}
