// SPDX-License-Identifier: Apache-2.0
package dev.verbena.fault.provider;

import dev.verbena.verbs.WorkCompletion;

/**
 * Decides whether a completion that a program polls is delivered, changed, delayed or removed. The thread that polls
 * applies the rule; several threads may apply the rule at the same time.
 *
 * @since 1.0
 */
@FunctionalInterface
public interface CompletionRule {
    /**
     * Decides on a completion. If several completion rules were added to a provider, the first decision other than
     * {@link CompletionFate#DELIVER} applies.
     *
     * @param completion the completion, which is valid only during the call
     * @return the decision on the completion
     */
    CompletionFate judge(WorkCompletion completion);
}
