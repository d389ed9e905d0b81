package dev.verbena.verbs;

/**
 * Is told of asynchronous events. It may not block; no lock of the provider is held during the call; calls for one object
 * never overlap.
 *
 * @since 1.0
 */
@FunctionalInterface
public interface AsyncEventHandler {
    /**
     * An event happened.
     *
     * @param event the event
     */
    void onAsyncEvent(AsyncEvent event);
}
