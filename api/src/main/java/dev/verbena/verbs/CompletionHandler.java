// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * Handles the announcement that an armed completion queue has a completion: the kernel's {@code comp_handler}.
 *
 * <p>Each arming causes one call, without the completions themselves. Calls for one queue never overlap. The handler
 * may poll, post and arm. A handler may not block; its waits on the runtime fail. A thread of the runtime calls the
 * handler and holds no lock of the provider; under virtual time it is the thread that waits.
 *
 * <p>If handlers block all the same, a software device still makes progress: the runtime starts further threads, up to
 * a limit. The runtime logs a warning with the stack of a handler that has not returned for a second.
 *
 * @since 1.0
 */
@FunctionalInterface
public interface CompletionHandler {
    /**
     * A completion was added after the queue was armed.
     *
     * @param queue the queue, now unarmed
     */
    void onCompletion(CompletionQueue queue);
}
