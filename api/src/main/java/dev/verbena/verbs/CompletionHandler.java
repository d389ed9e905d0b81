// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * Handles the announcement that an armed completion queue has a completion, as the kernel's {@code comp_handler} does.
 *
 * <p>Each arming causes one call; the handler must poll the completions itself. Calls for one queue never overlap. The handler
 * may poll, post and arm. The handler must not block: {@code VerbsRuntime.await} throws an exception if a handler calls it. A
 * thread of the runtime calls the handler without a lock of the provider; under virtual time the thread that waits calls it.
 *
 * <p>If handlers block although they must not, a software device still makes progress: the runtime starts further threads, up to
 * a limit. The runtime logs a warning with the stack of a handler that has not returned for a second.
 *
 * @since 1.0
 */
@FunctionalInterface
public interface CompletionHandler {
    /**
     * Handles the announcement of a completion that was added after the queue was armed.
     *
     * @param queue the completion queue, which is no longer armed
     */
    void onCompletion(CompletionQueue queue);
}
