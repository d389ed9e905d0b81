// SPDX-License-Identifier: Apache-2.0
package dev.verbena.fault.provider;

import dev.verbena.verbs.WorkCompletion;

/**
 * Selects the fate of each completion that a program polls. The polling threads call the rule; several threads may call
 * it at the same time.
 *
 * @since 1.0
 */
@FunctionalInterface
public interface CompletionRule {
    /**
     * Judges a completion. If there are several rules, the first fate other than {@link CompletionFate#DELIVER}
     * applies.
     *
     * @param completion the completion, which is valid only during the call
     * @return its fate
     */
    CompletionFate judge(WorkCompletion completion);
}
