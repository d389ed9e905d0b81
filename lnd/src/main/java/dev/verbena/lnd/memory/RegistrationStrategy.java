// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.memory;

import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.VerbsException;
import org.jspecify.annotations.Nullable;

/**
 * A way to grant a peer write access to the sink of a transfer, and to nothing else. Sources need none, as local work
 * requests name the node's region. Not thread-safe.
 */
public interface RegistrationStrategy {

    /** {@return the work requests that one transfer may need besides its writes and its message, 0 to 2} */
    default int extraRequests() {
        return 0;
    }

    /**
     * Makes memory known.
     *
     * @param pieces pieces of the node's memory, at least one; read during this call only
     * @return the registration, or null if this way cannot take such a list under one key
     * @throws VerbsException {@code ENOMEM} or the device's error if no registration is available now
     */
    @Nullable Registration map(PieceList pieces) throws VerbsException;

    /**
     * Releases the records of a queue pair that is being destroyed.
     *
     * @param queuePair the queue pair
     */
    default void forget(QueuePair queuePair) {}

    /** Replaces the pools, as after the device was replaced. */
    default void failOver() {}

    /** {@return the pools there are; 0 for a way without pools} */
    default int pools() {
        return 0;
    }

    /** {@return the objects of the device that this way holds, in use or not} */
    default int objects() {
        return 0;
    }

    /** {@return the registrations in use; 0 at rest} */
    int inUse();

    /**
     * Destroys all objects of the device.
     *
     * @throws VerbsException if the device refuses
     */
    void close() throws VerbsException;
}
