// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

/**
 * Receives the events of the memory descriptors that name it.
 *
 * <p>Calls of one node never overlap, and no lock is held during a call. A handler may start operations and attach or
 * unlink descriptors, and must not block.
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
