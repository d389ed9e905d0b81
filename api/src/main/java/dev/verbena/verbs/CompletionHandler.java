// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * Handles the completion events of an armed completion queue, as the kernel's {@code comp_handler} does.
 *
 * <p>Each arming causes one call; the handler must poll the completions itself. Calls for one completion queue never overlap.
 * The handler may poll and arm the completion queue, and may post work requests. The handler must not block:
 * {@code VerbsRuntime.await} throws an exception if a handler calls it. A thread of the runtime calls the handler and holds no
 * lock of the provider; under virtual time the waiting thread calls the handler.
 *
 * <p>If handlers block although they must not, a software device still makes progress: the runtime starts further threads, up to
 * a limit. The runtime logs a warning with the stack of a handler that has not returned for a second.
 *
 * @since 1.0
 */
@FunctionalInterface
public interface CompletionHandler {
    /**
     * Handles the event of a completion that was added after the completion queue was armed.
     *
     * @param queue the completion queue, which is no longer armed
     */
    void onCompletion(CompletionQueue queue);
}
