package dev.verbena.fault;

import dev.verbena.verbs.WorkCompletionStatus;
import java.time.Duration;

/**
 * What happens to a completion on its way to the program. Immutable.
 *
 * @since 1.0
 */
public sealed interface CompletionFate {
    /** Nothing. */
    CompletionFate DELIVER = new Deliver();

    /** It is lost. */
    CompletionFate LOSE = new Lose();

    /**
     * It is delivered unchanged, or judged by the next rule.
     *
     * @since 1.0
     */
    record Deliver() implements CompletionFate {}

    /**
     * It never comes.
     *
     * @since 1.0
     */
    record Lose() implements CompletionFate {}

    /**
     * It tells another end.
     *
     * @param status the status to tell
     * @param vendorError the vendor's number to tell
     * @since 1.0
     */
    record Rewrite(WorkCompletionStatus status, int vendorError) implements CompletionFate {}

    /**
     * It is polled later, and may be overtaken. The handler of a queue that is armed is told when it falls due; a completion
     * channel is told only when it really comes, so that who waits at one has to poll.
     *
     * @param by how much later, not negative
     * @since 1.0
     */
    record Delay(Duration by) implements CompletionFate {
        /** Checks the range. */
        public Delay {
            if (by.isNegative()) {
                throw new IllegalArgumentException("a delay cannot be negative: " + by);
            }
        }
    }
}
