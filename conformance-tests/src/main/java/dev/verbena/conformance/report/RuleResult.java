// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.report;

import dev.verbena.conformance.rules.RuleCatalogue;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The result of a rule in one run. */
public final class RuleResult {
    private final Values values;

    /** The attributes; a later release may add more. */
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

    /** {@return which one} */
    public RuleCatalogue.Entry rule() {
        return values.rule;
    }

    /** {@return how it ended} */
    public Outcome outcome() {
        return values.outcome;
    }

    /** {@return of a failure or divergence what happened, of a skipped rule the reason; otherwise empty} */
    public String message() {
        return values.message;
    }

    /** {@return of a known divergence the reason that was given for it; otherwise empty} */
    public String reason() {
        return values.reason;
    }

    /** {@return the failures of tries that were repeated; one for each repeat} */
    public List<String> repeats() {
        return values.repeats;
    }

    /** {@return the values with which it failed, shrunk as far as they could be; of a divergence those of the first try} */
    public Optional<String> sample() {
        return values.sample;
    }

    /** {@return what makes a property try the same values again} */
    public Optional<String> seed() {
        return values.seed;
    }

    /** {@return how often it was tried} */
    public int tries() {
        return values.tries;
    }

    /** {@return how long that took} */
    public Duration time() {
        return values.time;
    }

    /** {@return what the failure looked like in the program} */
    public Optional<Throwable> thrown() {
        return values.thrown;
    }

    /** How a rule can end. */
    public enum Outcome {
        /** The provider kept the rule in all tries. */
        PASSED("passed"),
        /** The provider does not keep it, or a divergence is listed and it is kept or fails otherwise. */
        FAILED("failed"),
        /** The provider fails it as a divergence states. */
        DIVERGED("diverges"),
        /** The rule was not tried: the devices or the rig lack a requirement. */
        SKIPPED("skipped"),
        /** The run did not include the rule. */
        NOT_RUN("not run");

        private final String word;

        Outcome(String word) {
            this.word = word;
        }

        /**
         * Returns the outcome in words.
         *
         * @return such as "not run"
         */
        public String word() {
            return word;
        }
    }

    /**
     * Makes the result of a rule that the run did not include.
     *
     * @param rule which one
     * @return a result without tries
     */
    public static RuleResult notRun(RuleCatalogue.Entry rule) {
        return passed(rule, List.of(), Optional.empty(), 0, Duration.ZERO).with(Outcome.NOT_RUN, "");
    }

    /**
     * Makes the result of a rule that was not tried.
     *
     * @param rule which one
     * @param reason the missing requirements
     * @return a result without tries
     */
    public static RuleResult skipped(RuleCatalogue.Entry rule, String reason) {
        return notRun(rule).with(Outcome.SKIPPED, reason);
    }

    /**
     * Makes the result of a rule that was kept in all tries.
     *
     * @param rule which one
     * @param repeats the failures of repeated tries
     * @param seed of the property
     * @param tries the number of tries
     * @param time of all tries
     * @return a result
     */
    public static RuleResult passed(
            RuleCatalogue.Entry rule, List<String> repeats, Optional<String> seed, int tries, Duration time) {
        return new RuleResult(new Values(
                rule, Outcome.PASSED, "", "", repeats, Optional.empty(), seed, tries, time, Optional.empty()));
    }

    /**
     * Changes the outcome.
     *
     * @param end the outcome
     * @param what the message
     * @param why the reason of a divergence, or empty
     * @param failed the values of the try that failed
     * @param cause the exception of that try
     * @return another result with the same rule and tries
     */
    public RuleResult with(Outcome end, String what, String why, Optional<String> failed, Optional<Throwable> cause) {
        return new RuleResult(new Values(rule(), end, what, why, repeats(), failed, seed(), tries(), time(), cause));
    }

    /**
     * Changes the outcome of a rule for which no try failed.
     *
     * @param end the outcome
     * @param what the message
     * @return another result with the same rule and tries
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
