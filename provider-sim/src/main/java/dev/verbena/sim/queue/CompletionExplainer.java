// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.queue;

import dev.verbena.verbs.Explanation;
import dev.verbena.verbs.RootCause;
import dev.verbena.verbs.WorkCompletion;
import java.util.Optional;

/** Explains completions from information beyond their entries. Thread-safe. */
public interface CompletionExplainer {
    /**
     * Explains a completion.
     *
     * @param completion the completion
     * @return the present explanation
     */
    Explanation explain(WorkCompletion completion);

    /**
     * Returns the root cause of a failed completion.
     *
     * @param completion a completion with a status other than SUCCESS
     * @return the root cause, or empty if the queue pair has been destroyed or reset
     */
    Optional<RootCause> rootCause(WorkCompletion completion);
}
