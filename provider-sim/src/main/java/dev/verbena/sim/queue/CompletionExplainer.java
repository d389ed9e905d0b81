// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.queue;

import dev.verbena.verbs.Explanation;
import dev.verbena.verbs.RootCause;
import dev.verbena.verbs.WorkCompletion;
import java.util.Optional;

/**
 * Diagnoses completions with facts that the CQE does not contain, such as the state of the queue pair. Implementations are
 * thread-safe.
 */
public interface CompletionExplainer {
    Explanation explain(WorkCompletion completion);

    /** Returns the root cause of a failed completion; empty if its queue pair has been destroyed or reset. */
    Optional<RootCause> rootCause(WorkCompletion completion);
}
