// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.memory;

import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.VerbsException;
import org.jspecify.annotations.Nullable;

/**
 * A way to grant a peer write access to the sink of a transfer, and to no other memory. A source needs no
 * registration, because local work requests use the key of the node's region. Not thread-safe.
 */
public interface RegistrationStrategy {

    /** Returns the most work requests of one transfer besides its RDMA WRITEs and its SEND, 0 to 2. */
    default int extraRequests() {
        return 0;
    }

    /**
     * Registers pieces of the node's memory. Returns null if the pieces cannot be registered under one key.
     *
     * @throws VerbsException {@code ENOMEM} or the device's error if no registration is available now
     */
    @Nullable Registration map(PieceList pieces) throws VerbsException;

    /** Releases the objects of a queue pair that is being destroyed. */
    default void forget(QueuePair queuePair) {}

    /** Replaces the pools after the device was replaced. */
    default void failOver() {}

    default int pools() {
        return 0;
    }

    /** Returns the number of verbs objects, in use or not. */
    default int objects() {
        return 0;
    }

    int inUse();

    void close() throws VerbsException;
}
