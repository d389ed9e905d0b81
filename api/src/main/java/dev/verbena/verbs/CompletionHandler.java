package dev.verbena.verbs;

/**
 * Is told that an armed completion queue has a completion: the kernel's {@code comp_handler}.
 *
 * <p>One call per arming, without the completions themselves. Calls for one queue never overlap. The handler may poll, post
 * and arm; it may not block, and waiting on the runtime from it is refused. No lock of the provider is held during the call, which
 * is made by a thread of the runtime; under virtual time that is the thread that waits.
 *
 * <p>If handlers block all the same, a software device still makes progress: the runtime starts further threads, up to a limit. It
 * logs a warning with the stack of a handler that has not returned for a second.
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
