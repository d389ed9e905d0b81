// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.qp;

import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.sim.profile.Quirk;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.wire.Feth;
import dev.verbena.wire.Opcode;

/**
 * Executes the requests that need a response other than a plain ACK: READ, atomic, ATOMIC_WRITE and FLUSH. If {@link
 * ResponderResources} does not contain the original request, a duplicate is dropped ({@code duplicate_request} of rxe).
 * Otherwise a duplicate READ is executed again from memory, and a duplicate atomic gets the stored result. A duplicate
 * ATOMIC_WRITE or FLUSH gets its response again without being executed.
 */
final class ReadAtomicRequests {
    private static final int REMOTE_READ = AccessFlag.REMOTE_READ.mask();
    private static final int REMOTE_WRITE = AccessFlag.REMOTE_WRITE.mask();
    private static final int REMOTE_ATOMIC = AccessFlag.REMOTE_ATOMIC.mask();

    enum Check {
        FINE,
        INVALID,
        NOT_GRANTED
    }

    private final QpContext qp;
    private final QpMemory memory;
    private final ResponseWriter writer;
    private final ReceiveState state;
    private final ReadReply reading;
    private final ResponderResources resources = new ResponderResources();

    ReadAtomicRequests(QpContext qp, QpMemory memory, ResponseWriter writer, ReceiveState state) {
        this.qp = qp;
        this.memory = memory;
        this.writer = writer;
        this.state = state;
        reading = new ReadReply(qp, memory, writer, state);
    }

    static boolean isOne(Opcode opcode) {
        return opcode.isReadRequest() || opcode.isAtomic() || opcode.isAtomicWrite() || opcode.isFlush();
    }

    static int accessNeeded(SimPacket packet) {
        Opcode opcode = packet.opcode();
        if (opcode.isReadRequest()) {
            return REMOTE_READ;
        }
        if (opcode.isAtomic()) {
            return REMOTE_ATOMIC;
        }
        if (opcode.isAtomicWrite()) {
            return REMOTE_WRITE;
        }
        return opcode.isFlush() ? flushAccess(packet.flushPlacement()) : 0;
    }

    private static int flushAccess(int placement) {
        int access = (placement & Feth.GLOBAL_VISIBILITY) != 0 ? AccessFlag.FLUSH_GLOBAL.mask() : 0;
        return (placement & Feth.PERSISTENCE) != 0 ? access | AccessFlag.FLUSH_PERSISTENT.mask() : access;
    }

    void forget() {
        reading.stop();
        resources.clear(qp.responderDepth);
    }

    /** Sends the next packet of a READ response. Returns false if the rkey no longer grants access to the memory. */
    boolean stepRead(int msn) {
        return reading.step(msn);
    }

    int readPsn() {
        return reading.psn();
    }

    Check check(SimPacket packet) {
        if (resources.depth() != qp.responderDepth) {
            resources.resize(qp.responderDepth);
        }
        Opcode opcode = packet.opcode();
        if (resources.depth() == 0) {
            return Check.INVALID;
        }
        if (opcode.isAtomic()) {
            return checkEightBytes(packet.remoteKey(), REMOTE_ATOMIC, packet.remoteAddress());
        }
        long length = Integer.toUnsignedLong(packet.dmaLength());
        if (opcode.isAtomicWrite()) {
            boolean eight = length == Long.BYTES && packet.payloadLength() == Long.BYTES;
            return eight ? checkEightBytes(packet.remoteKey(), REMOTE_WRITE, packet.remoteAddress()) : Check.INVALID;
        }
        int access = accessNeeded(packet);
        if (opcode.isFlush()) {
            boolean whole = packet.flushSelectivity() == Feth.WHOLE_REGION;
            if (access == 0) {
                return Check.INVALID;
            }
            return grants(
                    whole
                            ? memory.isGranted(packet.remoteKey(), access)
                            : memory.isGranted(packet.remoteKey(), access, packet.remoteAddress(), length));
        }
        if (length > Responder.MAX_MESSAGE) {
            return Check.INVALID;
        }
        return grants(length == 0 || memory.isGranted(packet.remoteKey(), access, packet.remoteAddress(), length));
    }

    private Check checkEightBytes(int key, int access, long address) {
        if (!memory.isGranted(key, access, address, Long.BYTES)) {
            return Check.NOT_GRANTED;
        }
        return address % Long.BYTES == 0 && memory.isAligned(key, access, address) ? Check.FINE : Check.INVALID;
    }

    private static Check grants(boolean granted) {
        return granted ? Check.FINE : Check.NOT_GRANTED;
    }

    int packetsOf(SimPacket packet) {
        if (!packet.opcode().isReadRequest()) {
            return 1;
        }
        long bytes = Integer.toUnsignedLong(packet.dmaLength());
        return (int) Math.max(1, (bytes + qp.pathMtu - 1) / qp.pathMtu);
    }

    /** Executes a new request and sends or begins its response. Returns false if the rkey no longer grants access. */
    boolean execute(SimPacket packet, int msn) {
        memory.flushDelayed();
        Opcode opcode = packet.opcode();
        int psn = packet.psn();
        if (opcode.isAtomic()) {
            return executeAtomic(packet, psn, msn);
        }
        int key = packet.remoteKey();
        long address = packet.remoteAddress();
        if (opcode.isReadRequest()) {
            long bytes = Integer.toUnsignedLong(packet.dmaLength());
            resources.add(opcode, state.place(), packetsOf(packet), key, address, bytes, 0);
            reading.start(key, address, bytes, psn, false);
            return true;
        }
        if (opcode.isAtomicWrite()
                && memory.placeAtomically(key, address, packet.segment(), packet.payloadOffset())
                        != QpMemory.AtomicOutcome.DONE) {
            return false;
        }
        // A FLUSH needs no action: earlier writes are already visible in the memory of this process.
        resources.add(opcode, state.place(), 1, key, address, 0, 0);
        writer.done(psn, msn);
        return true;
    }

    private boolean executeAtomic(SimPacket packet, int psn, int msn) {
        int key = packet.remoteKey();
        long address = packet.remoteAddress();
        QpMemory.AtomicOutcome outcome = packet.opcode() == Opcode.RC_FETCH_ADD
                ? memory.fetchAndAdd(key, address, packet.swapOrAdd())
                : memory.compareAndSwap(key, address, packet.compare(), packet.swapOrAdd());
        if (outcome != QpMemory.AtomicOutcome.DONE) {
            return false;
        }
        resources.add(packet.opcode(), state.place(), 1, key, address, packet.swapOrAdd(), memory.original());
        writer.atomic(psn, msn, memory.original());
        return true;
    }

    void repeat(SimPacket packet, int msn) {
        Opcode opcode = packet.opcode();
        int psn = packet.psn();
        int found = resources.find(opcode, state.placeOf(psn), packet.remoteKey());
        if (opcode.isAtomic()) {
            if (found != ResponderResources.NONE
                    && resources.repeats(found, packet.remoteAddress(), packet.swapOrAdd())) {
                writer.atomic(psn, msn, resources.result(found));
            }
            return;
        }
        if (found == ResponderResources.NONE) {
            return;
        }
        if (opcode.isReadRequest()) {
            repeatRead(found, packet);
        } else if (!opcode.isFlush() || !qp.has(Quirk.REPEATED_FLUSH_DROPPED)) {
            writer.done(psn, msn);
        }
    }

    private void repeatRead(int found, SimPacket packet) {
        int psn = packet.psn();
        long address = packet.remoteAddress();
        long bytes = Integer.toUnsignedLong(packet.dmaLength());
        if (!resources.covers(found, address, bytes)) {
            return;
        }
        boolean continues = qp.has(Quirk.REPEATED_READ_CONTINUES) && state.placeOf(psn) != resources.firstPlace(found);
        if (qp.has(Quirk.REPEATED_READ_NARROWS)) {
            resources.narrow(found, address);
        }
        reading.start(packet.remoteKey(), address, bytes, psn, continues);
    }
}
