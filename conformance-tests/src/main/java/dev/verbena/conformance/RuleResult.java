package dev.verbena.conformance;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What became of a rule in one run.
 *
 * @param rule which one
 * @param outcome how it ended
 * @param message of a failure or divergence what happened, of a skipped rule the reason; otherwise empty
 * @param reason of a known divergence the reason that was given for it; otherwise empty
 * @param repeats the failures of tries that were {@linkplain VerbsConformance#repeats() repeated}; one for each repeat
 * @param sample the values with which it failed, shrunk as far as they could be; of a divergence those of the first try
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
        List<String> repeats,
        Optional<String> sample,
        Optional<String> seed,
        int tries,
        Duration time,
        Optional<Throwable> thrown) {
    /** Keeps its own copy of the list. */
    public RuleResult {
        repeats = List.copyOf(repeats);
    }

    /** How a rule can end. */
    public enum Outcome {
        /** The provider keeps it, as far as the tries tell. */
        PASSED("passed"),
        /** The provider does not keep it, or a divergence is listed and it is kept or fails otherwise. */
        FAILED("failed"),
        /** The provider fails it as a divergence states. */
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
                rule,
                outcome,
                message,
                "",
                List.of(),
                Optional.empty(),
                Optional.empty(),
                0,
                Duration.ZERO,
                Optional.empty());
    }

    RuleResult with(Outcome end, String what, Optional<String> values, Optional<Throwable> cause) {
        return new RuleResult(rule, end, what, reason, repeats, values, seed, tries, time, cause);
    }

    RuleResult withReason(String why) {
        return new RuleResult(rule, outcome, message, why, repeats, sample, seed, tries, time, thrown);
    }
}
