// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cm;

/**
 * Receives the events of a channel when they occur, as the kernel's {@code rdma_cm_event_handler} does. The events of
 * one channel are handled one after another, never concurrently. The provider holds no lock while it calls a
 * {@code CmEventHandler}. The handler may call any non-blocking method and close the id of the event.
 *
 * @since 1.0
 */
@FunctionalInterface
public interface CmEventHandler {
    /**
     * Handles an event, which is acknowledged when this method returns.
     *
     * @param event the event
     */
    void onCmEvent(CmEvent event);
}
