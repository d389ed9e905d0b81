// SPDX-License-Identifier: Apache-2.0
package dev.verbena.fault.provider;

import dev.verbena.verbs.WorkCompletionStatus;
import java.time.Duration;

/**
 * The change that a {@link CompletionRule} makes to a completion before the application polls the completion. Immutable.
 *
 * @since 1.0
 */
public sealed interface CompletionFate {
    /** The completion goes unchanged to the next {@link CompletionRule}, or to the application if no rule remains. */
    CompletionFate DELIVER = new Deliver();

    /** The completion is never delivered. */
    CompletionFate LOSE = new Lose();

    /**
     * The completion goes unchanged to the next {@link CompletionRule}, or to the application if no rule remains.
     *
     * @since 1.0
     */
    record Deliver() implements CompletionFate {}

    /**
     * The completion is never delivered.
     *
     * @since 1.0
     */
    record Lose() implements CompletionFate {}

    /**
     * The completion reports another status.
     *
     * @param status the status to report
     * @param vendorError the vendor error code ({@code vendor_err}) that the completion reports
     * @since 1.0
     */
    record Rewrite(WorkCompletionStatus status, int vendorError) implements CompletionFate {}

    /**
     * A test delays the completion. A poll returns the completion only after the delay. A poll may return later completions
     * first. The handler of an armed completion queue is called when the delay of the completion is over. The delay of a
     * completion does not delay the event of the completion channel. The channel raises the event when the device adds the
     * completion. After the event, the application must poll until the delay of the completion is over.
     *
     * @param by the delay, not negative
     * @since 1.0
     */
    record Delay(Duration by) implements CompletionFate {
        /** Checks that the delay is not negative. */
        public Delay {
            if (by.isNegative()) {
                throw new IllegalArgumentException("a delay cannot be negative: " + by);
            }
        }
    }
}
