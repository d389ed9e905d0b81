// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.report;

import dev.verbena.conformance.rules.RuleCatalogue;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The result of a rule in one execution of a conformance suite. */
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

    /** {@return the failure messages of the failed executions that were retried, one message for each retry} */
    public List<String> repeats() {
        return values.repeats;
    }

    /**
     * {@return the failing parameter values after shrinking, or empty if the rule did not fail. For a known divergence,
     * returns the parameter values of the first failure}
     */
    public Optional<String> sample() {
        return values.sample;
    }

    /** {@return the seed with which another execution of the suite generates the same values} */
    public Optional<String> seed() {
        return values.seed;
    }

    /** {@return the number of executions of the rule, without retries and shrinking} */
    public int tries() {
        return values.tries;
    }

    /** {@return the total time of all executions of the rule, including retries and shrinking} */
    public Duration time() {
        return values.time;
    }

    /** {@return the exception that the failed execution of the rule threw} */
    public Optional<Throwable> thrown() {
        return values.thrown;
    }

    /** The outcome of a rule. */
    public enum Outcome {
        /** The rule passed with each set of parameter values, if necessary in a retry. */
        PASSED("passed"),
        /** The provider violated the rule, or the rule passed although it is listed as a known divergence. */
        FAILED("failed"),
        /** The provider violated the rule, and the failure is a known divergence. */
        DIVERGED("diverges"),
        /** The devices or the {@code ProviderRig} do not meet a requirement of the rule, so the rule was not checked. */
        SKIPPED("skipped"),
        /** The execution of the suite did not include the rule. */
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
     * {@return the result of a rule that the execution of the suite did not include}
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
     * {@return the result of a rule that passed with each set of parameter values, if necessary in a retry}
     *
     * @param rule the rule
     * @param repeats the failure message of each failed execution that was retried
     * @param seed the seed of the random values, if the rule has parameters
     * @param tries the number of executions of the rule, without retries and shrinking
     * @param time the total time of all executions of the rule, including retries and shrinking
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
     * @param why the reason for the known divergence, or empty
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
