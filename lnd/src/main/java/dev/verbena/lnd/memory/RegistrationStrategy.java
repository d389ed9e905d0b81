// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.memory;

import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.VerbsException;
import org.jspecify.annotations.Nullable;

/**
 * Grants a peer write access to the destination buffer of an RDMA transfer; some implementations also grant access to other
 * memory of the node. The source buffer needs no registration of its own, because the sender's work requests use the L_Key
 * of the node's registered memory region. Not thread-safe.
 */
public interface RegistrationStrategy {

    /**
     * Returns the maximum number of work requests, 0 to 2, that a transfer needs for its registration, in addition to
     * its RDMA WRITEs and its SEND.
     */
    default int extraRequests() {
        return 0;
    }

    /**
     * Registers memory ranges for RDMA WRITEs of the peer. Returns null if one R_Key cannot grant access to all ranges.
     *
     * @throws VerbsException {@code ENOMEM}, or the error of the device, if the memory ranges cannot be registered now
     */
    @Nullable Registration map(PieceList pieces) throws VerbsException;

    /** Releases the verbs objects that belong to a queue pair which is being destroyed. */
    default void forget(QueuePair queuePair) {}

    /** Replaces the pools of FMRs, fast registrations or windows after a failover has replaced the device. */
    default void failOver() {}

    default int pools() {
        return 0;
    }

    /** Returns the current number of memory regions, memory windows and FMRs of this object, in use or idle. */
    default int objects() {
        return 0;
    }

    int inUse();

    void close() throws VerbsException;
}
