// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

/**
 * The receiver of the events of a node, except those for a {@link LnetEventQueue}. A sink is called under the lock of
 * the node's owner, so it must not call handlers.
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
     * {@return whether to create events of a memory descriptor; the default is true}
     *
     * @param md the memory descriptor
     */
    default boolean wants(MemoryDescriptor md) {
        return true;
    }
}
