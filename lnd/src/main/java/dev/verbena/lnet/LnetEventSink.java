// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

/** Takes the events of a node, but those that wait in a {@link LnetEventQueue}. Called under the lock of the node's owner, so that it must not call handlers itself. */
@FunctionalInterface
public interface LnetEventSink {

    /**
     * Takes an event.
     *
     * @param event the event
     */
    void accept(LnetEvent event);

    /**
     * Returns whether the events of a descriptor are wanted, so that unwanted ones need not be made.
     *
     * @param md the descriptor
     * @return true, unless this takes the events of some descriptors only
     */
    default boolean wants(MemoryDescriptor md) {
        return true;
    }
}
