// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

/**
 * The consumer of a node's LNet events, except the events for a {@link LnetEventQueue}. LNet passes events to the consumer
 * under LNet's lock, so the consumer must not call the application's event handlers.
 */
@FunctionalInterface
public interface LnetEventSink {

    /**
     * Consumes an event.
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
