// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

/**
 * The handler for the events of the memory descriptors that were built with it.
 *
 * <p>Calls of one node never overlap, and no lock is held during a call. A handler may start operations, and attach or
 * unlink memory descriptors, but must not block.
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
