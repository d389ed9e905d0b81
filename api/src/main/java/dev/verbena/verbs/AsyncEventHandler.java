// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * Receives asynchronous events. The handler must not block. The provider holds no lock while it calls the handler. The
 * provider never calls the handler concurrently for two events of one object.
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
