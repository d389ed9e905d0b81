package dev.verbena.sim.qp;

import dev.verbena.verbs.WorkCompletionOpcode;
import dev.verbena.verbs.WorkCompletionStatus;

/** A completion queue, for who counts by itself what it completes, and completes nothing that fails. */
@FunctionalInterface
public interface CompletionTarget {
    /**
     * Adds a completion and announces it if that was asked for.
     *
     * @param workRequestId the poster's id
     * @param status how it ended
     * @param opcode what it was
     * @param byteLength bytes moved
     * @param qpNumber the local queue pair
     * @param sourceQpn the sender of a datagram
     * @param flags a mask of {@link dev.verbena.verbs.CompletionFlag}
     * @param immediate immediate data or invalidated key
     * @param solicited whether the sender asked for an announcement
     * @return false if there was no room
     */
    boolean add(
            long workRequestId,
            WorkCompletionStatus status,
            WorkCompletionOpcode opcode,
            long byteLength,
            int qpNumber,
            int sourceQpn,
            int flags,
            int immediate,
            boolean solicited);
}
