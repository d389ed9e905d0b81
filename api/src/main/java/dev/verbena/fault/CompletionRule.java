package dev.verbena.fault;

import dev.verbena.verbs.WorkCompletion;

/**
 * Decides what happens to completions that a program polls. Asked by whichever thread polls, several at once.
 *
 * @since 1.0
 */
@FunctionalInterface
public interface CompletionRule {
    /**
     * Judges a completion; the first fate other than {@link CompletionFate#DELIVER} counts.
     *
     * @param completion the completion, valid during the call
     * @return what is to happen
     */
    CompletionFate judge(WorkCompletion completion);
}
