// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

/**
 * A handler of events, called for the memory descriptors that were built with the handler.
 *
 * <p>The calls for one node never overlap, and no lock is held during a call. A handler may start operations, and may
 * attach and unlink memory descriptors, but must not block.
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
