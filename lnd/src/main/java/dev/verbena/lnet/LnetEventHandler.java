// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

/**
 * A handler of events, called for the memory descriptors that were built with the handler.
 *
 * <p>LNet never calls the handlers of one node at the same time, and holds no lock while it calls a handler. A handler
 * may start operations, and may attach and unlink memory descriptors, but must not block.
 */
@FunctionalInterface
public interface LnetEventHandler {

    /**
     * Handles one event.
     *
     * @param event the event
     */
    void onEvent(LnetEvent event);
}
