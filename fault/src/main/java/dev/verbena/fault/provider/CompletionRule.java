// SPDX-License-Identifier: Apache-2.0
package dev.verbena.fault.provider;

import dev.verbena.verbs.WorkCompletion;

/**
 * A fault rule that decides whether a polled completion is delivered, changed, delayed or removed. The thread that polls a
 * completion calls {@link #judge}, so several threads may call {@link #judge} at the same time.
 *
 * @since 1.0
 */
@FunctionalInterface
public interface CompletionRule {
    /**
     * Decides on a completion. If a {@link FaultyProvider} has several fault rules for completions, the first decision that
     * is not {@link CompletionFate#DELIVER} applies.
     *
     * @param completion the completion, which is valid only until this method returns
     * @return the decision on the completion
     */
    CompletionFate judge(WorkCompletion completion);
}
