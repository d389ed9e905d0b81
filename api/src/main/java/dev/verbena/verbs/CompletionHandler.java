// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * Handles the completion events of an armed completion queue, as the kernel's {@code comp_handler} does.
 *
 * <p>Each arming of the queue causes at most one call of the handler. The handler must poll the completions itself. Two
 * calls of the handler for the same completion queue never overlap. A completion handler may poll and arm the completion
 * queue, and may post work requests. A completion handler must not block: {@code VerbsRuntime.await} throws an exception if
 * a handler calls it. A thread of the device's {@code VerbsRuntime} calls the handler. Under virtual time, the thread that
 * waits in {@code VerbsRuntime.await} calls the handler. A thread that calls the handler holds no lock of the provider.
 *
 * <p>Even if handlers block, a software device makes progress, because the device's {@code VerbsRuntime} starts further
 * threads, up to a limit. If a {@code CompletionHandler} has not returned after one second, the software device's {@code
 * VerbsRuntime} logs a warning with the handler's stack trace.
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
