// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

/**
 * The receiver of a node's events, except the events for a {@link LnetEventQueue}. LNet adds an event to the sink under
 * a lock of the node, so the sink must not call the program's event handlers.
 */
@FunctionalInterface
public interface LnetEventSink {

    /**
     * Adds an event.
     *
     * @param event the event
     */
    void accept(LnetEvent event);

    /**
     * {@return whether LNet should create events of a memory descriptor; the default is true}
     *
     * @param md the memory descriptor
     */
    default boolean wants(MemoryDescriptor md) {
        return true;
    }
}
