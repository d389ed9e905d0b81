package dev.verbena.conformance;

import java.time.Duration;
import java.util.Optional;

/**
 * What became of a rule in one run.
 *
 * @param rule which one
 * @param outcome how it ended
 * @param message of a failure or divergence what happened, of a skipped rule the reason, of a passed one which tries had to be
 *     {@linkplain VerbsConformance#attempts() made again}; otherwise empty
 * @param reason of a known divergence the reason that was given for it; otherwise empty
 * @param sample the values with which it failed, shrunk as far as they could be
 * @param seed what makes a property try the same values again
 * @param tries how often it was tried
 * @param time how long that took
 * @param thrown what the failure looked like in the program
 */
public record RuleResult(
        RuleCatalogue.Entry rule,
        Outcome outcome,
        String message,
        String reason,
        Optional<String> sample,
        Optional<String> seed,
        int tries,
        Duration time,
        Optional<Throwable> thrown) {
    /** How a rule can end. */
    public enum Outcome {
        /** The provider keeps it, as far as the tries tell. */
        PASSED("passed"),
        /** The provider does not keep it, or keeps it although a divergence is listed. */
        FAILED("failed"),
        /** The provider does not keep it, and that is known. */
        DIVERGED("diverges"),
        /** It was not tried: the devices or the rig lack something. */
        SKIPPED("skipped"),
        /** Nobody asked for it. */
        NOT_RUN("not run");

        private final String word;

        Outcome(String word) {
            this.word = word;
        }

        /**
         * Says it in words.
         *
         * @return such as "not run"
         */
        public String word() {
            return word;
        }
    }

    static RuleResult notRun(RuleCatalogue.Entry rule) {
        return untried(rule, Outcome.NOT_RUN, "");
    }

    static RuleResult skipped(RuleCatalogue.Entry rule, String reason) {
        return untried(rule, Outcome.SKIPPED, reason);
    }

    private static RuleResult untried(RuleCatalogue.Entry rule, Outcome outcome, String message) {
        return new RuleResult(
                rule, outcome, message, "", Optional.empty(), Optional.empty(), 0, Duration.ZERO, Optional.empty());
    }
}
