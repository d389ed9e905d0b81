// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * Receives asynchronous events. The handler must not block. The provider holds no lock while it calls the handler. For
 * the events of one object, the provider never makes two calls at the same time.
 *
 * @since 1.0
 */
@FunctionalInterface
public interface AsyncEventHandler {
    /**
     * Handles an event.
     *
     * @param event the event
     */
    void onAsyncEvent(AsyncEvent event);
}
