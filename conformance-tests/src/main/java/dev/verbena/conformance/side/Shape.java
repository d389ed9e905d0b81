// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.side;

import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpType;
import java.util.Set;

/**
 * The properties of a queue pair, its memory region and its SRQ ({@link End}). Immutable.
 *
 * @param bytes the length of the registered memory in bytes
 * @param access the access rights of the registered memory
 * @param signalAll whether every request is signaled
 * @param receivesInSrq the depth of the shared receive queue, or 0 if the queue pair has no shared receive queue
 */
public record Shape(
        QpType type,
        QpCapabilities capabilities,
        long bytes,
        Set<AccessFlag> access,
        boolean signalAll,
        int receivesInSrq) {
    private static final Shape USUAL = new Shape(
            QpType.RC,
            QpCapabilities.of(16, 16),
            4096,
            Set.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ),
            false,
            0);

    /**
     * Returns the default properties: an RC queue pair, and 4 KiB of memory that a peer may read and write. Each work
     * queue has room for 16 work requests with one SGE each.
     */
    public static Shape usual() {
        return USUAL;
    }

    public Shape withType(QpType value) {
        return new Shape(value, capabilities, bytes, access, signalAll, receivesInSrq);
    }

    public Shape withCapabilities(QpCapabilities value) {
        return new Shape(type, value, bytes, access, signalAll, receivesInSrq);
    }

    public Shape withDepths(int sends, int receives) {
        return withCapabilities(capabilities.withMaxSendWr(sends).withMaxReceiveWr(receives));
    }

    public Shape withSges(int sends, int receives) {
        return withCapabilities(capabilities.withMaxSendSge(sends).withMaxReceiveSge(receives));
    }

    public Shape withBytes(long value) {
        return new Shape(type, capabilities, value, access, signalAll, receivesInSrq);
    }

    public Shape withAccess(AccessFlag... value) {
        return new Shape(type, capabilities, bytes, Set.of(value), signalAll, receivesInSrq);
    }

    public Shape withSignalAll() {
        return new Shape(type, capabilities, bytes, access, true, receivesInSrq);
    }

    public Shape withSrq(int receives) {
        return new Shape(type, capabilities, bytes, access, signalAll, receives);
    }
}
