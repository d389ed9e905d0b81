package dev.verbena.sim.queue;

import dev.verbena.verbs.Explanation;
import dev.verbena.verbs.RootCause;
import dev.verbena.verbs.WorkCompletion;
import java.util.Optional;

/** Knows more about a completion than its entry holds. May be asked by any thread. */
public interface CompletionExplainer {
    /**
     * Explains a completion.
     *
     * @param completion the completion
     * @return what is known now
     */
    Explanation explain(WorkCompletion completion);

    /**
     * Tells what is behind a failed completion.
     *
     * @param completion a completion with a status other than SUCCESS
     * @return the first cause, or empty if its queue pair is gone or began anew
     */
    Optional<RootCause> rootCause(WorkCompletion completion);
}
