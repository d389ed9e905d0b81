// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.qp;

import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.counters.TaskCounters;
import dev.verbena.sim.explain.QpRecord;
import dev.verbena.sim.fabric.Route;
import dev.verbena.sim.memory.GrantedRange;
import dev.verbena.sim.memory.QpRole;
import dev.verbena.sim.queue.SendWqe;
import dev.verbena.sim.queue.Slots;
import dev.verbena.verbs.CompletionFlag;
import dev.verbena.verbs.PathMtu;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.SendFlag;
import dev.verbena.verbs.SendOpcode;
import dev.verbena.verbs.WorkCompletionOpcode;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.Psn;
import dev.verbena.wire.RocePacket;
import org.jspecify.annotations.Nullable;

/**
 * The requester of the loopback path. This class executes SENDs and RDMA WRITEs directly at a remote queue pair of the same
 * process. The loopback path is not used if a capture or a fault rule applies to the packets. One call of {@link #execute}
 * has the same effects as the requester, the packets, the responder, the acknowledgement and the completer together. The
 * loopback path executes a request only if nothing is in flight between the two queue pairs and the request completes
 * without error. A request that the loopback path does not execute is sent as packets.
 *
 * <p>docs/fast-paths.md explains the invariants that the comments cite, such as "<b>Own both tasks</b>", "<b>Wait for
 * nothing</b>", "<b>All or nothing</b>", "<b>Flush before reading</b>" and "<b>Counted before completed</b>".
 */
public abstract class LoopbackRequester extends TaskCounters {
    /**
     * After {@code MAX_RUN} packets, the loopback path releases the memory, so that a waiting deregistration can proceed.
     */
    private static final int MAX_RUN = 32;
    /**
     * After copying {@code SLICE} bytes, the loopback path releases the memory, so that a waiting deregistration can
     * proceed.
     */
    private static final int SLICE = MAX_RUN * PathMtu.MTU_4096.bytes();
    /**
     * The number of packets after which the device counters are updated. With a larger value of {@code MAX_UNTOLD}, the
     * {@code int} field {@code uncountedBytes} could overflow. A message of more than {@code MAX_UNTOLD} packets is not
     * executed on the loopback path.
     */
    private static final int MAX_UNTOLD = 1 << 16;
    /**
     * After this number of packets, {@code flushDeferred} of requester and responder writes the PSNs back to both queue
     * pairs. The limit ensures that a stored PSN is less than 2^23 packets behind the current PSN (invariant "<b>Limited
     * deferral</b>").
     */
    private static final int MAX_DEFERRED = 1 << 20;
    /** Messages up to this length fit in one packet at every path MTU. */
    private static final int SURELY_ONE_PACKET = PathMtu.MTU_256.bytes();
    /** The access mask of a local read. Every region grants local reads. */
    private static final int READ = 0;

    private final GrantedRange grant;
    private final boolean signalAll;
    private boolean ipv6;
    private boolean answered;
    private int mostBytes;
    private int inRun;
    private int uncountedPackets;
    private int uncountedBytes;
    private @Nullable LoopbackResponder peer;

    // The method flushDeferred has not yet written the values of the following four fields back to the send state.
    private int deferredPackets;
    private int deferredSends;
    private int unsignaled;
    private boolean anySignaled;

    private final LoopbackSendState sender;

    protected LoopbackRequester(LoopbackSendState sender) {
        this.sender = sender;
        QpContext qp = sender.qp;
        signalAll = qp.signalAll;
        grant = new GrantedRange(qp.memory, qp.user, QpRole.REQUESTER);
    }

    /** Returns whether the loopback path supports the opcode of the send WQE at {@code offset}. */
    protected static boolean mayBe(Slots slots, long offset) {
        return switch (SendWqe.opcode(slots, offset)) {
            case SEND, SEND_WITH_IMM, RDMA_WRITE -> true;
            case SEND_WITH_INV,
                    RDMA_WRITE_WITH_IMM,
                    RDMA_READ,
                    ATOMIC_CMP_AND_SWP,
                    ATOMIC_FETCH_AND_ADD,
                    ATOMIC_WRITE,
                    FLUSH,
                    BIND_MW,
                    REG_MR,
                    LOCAL_INV -> false;
        };
    }

    /**
     * Returns whether an execution of the send task or of the peer's receive task has been requested. When a queue pair
     * fails or the port's link goes down, the device schedules the tasks of the queue pair. While {@code isRunRequested}
     * returns true, requests must be sent as packets, not executed on the loopback path.
     */
    protected abstract boolean isRunRequested();

    protected abstract void completeSend(long workRequestId, WorkCompletionOpcode opcode);

    protected final Route path() {
        return sender.qp.path();
    }

    protected final int destinationQpn() {
        return sender.qp.destinationQpn;
    }

    /**
     * Sets the peer's {@link LoopbackResponder}, or null if the peer has no loopback path. Call only to set a different
     * value, because a store of a reference also writes the garbage collector's card table.
     */
    protected final void meet(@Nullable LoopbackResponder other) {
        peer = other;
        sender.path = null;
        sender.pathBack = null;
    }

    /**
     * Begins the execution of a batch. Call {@code begin} only after {@code flushDeferred} has updated both queue pairs.
     * Returns false if the requester or the responder has an unfinished request, or if the two queue pairs are not
     * connected. If {@code begin} returns false, the caller must not call {@link #end}.
     */
    protected final boolean begin() {
        LoopbackResponder other = peer;
        if (other == null || !isNext(other) || !isConnectedWith(other.qp)) {
            return false;
        }
        int mtu = sender.qp.pathMtu;
        mostBytes = mtu == other.qp.pathMtu ? MAX_UNTOLD * mtu : Math.min(mtu, other.qp.pathMtu);
        other.begin(this);
        inRun = 0;
        return true;
    }

    /**
     * Begins the execution of a batch without a call of {@link #flushDeferred} after the previous batch. The caller has
     * checked that neither the send task nor the peer's receive task has run since the previous batch of requests. Returns
     * false if another {@code LoopbackRequester} has used the peer's {@link LoopbackResponder} since the previous batch.
     */
    protected final boolean resume() {
        LoopbackResponder other = peer;
        inRun = 0;
        return other != null && other.isOf(this);
    }

    /**
     * Returns whether a request posted now would be executed next, because the requester and the responder have finished
     * all earlier requests (invariant "<b>At rest before loopback</b>").
     */
    private boolean isNext(LoopbackResponder other) {
        QpContext qp = sender.qp;
        SendState state = sender.state;
        return qp.state() == QpState.RTS
                && qp.isByTheBook()
                && qp.sendQueue.isEmpty()
                && qp.responses.isEmpty()
                && state.isAtRest()
                && other.expects(state.psn);
    }

    @SuppressWarnings("ReferenceEquality") // Each change of the address vector creates a new Route.
    private boolean isConnectedWith(QpContext other) {
        QpContext qp = sender.qp;
        Route there = qp.path();
        Route back = other.path();
        if (there != sender.path || back != sender.pathBack) {
            if (!back.isReverseOf(there)) {
                return false;
            }
            sender.path = there;
            sender.pathBack = back;
            ipv6 = there.isIpv6();
        }
        return qp.destinationQpn == other.number && other.destinationQpn == qp.number;
    }

    /** Executes and completes a request. Returns false if the request must take the packet path instead. */
    protected final boolean execute(Slots slots, long offset) {
        LoopbackResponder responder = peer;
        int length = SendWqe.length(slots, offset);
        if (responder == null
                || length < 1
                || length > mostBytes
                || deferredPackets + uncountedPackets > MAX_DEFERRED
                || isRunRequested()
                || !mayBe(slots, offset)
                || !copy(responder, slots, offset, length)) {
            return false;
        }
        // For a short message the path MTU is not read: with many queue pairs, this read would be a cache miss.
        int packets = length <= SURELY_ONE_PACKET ? 1 : 1 + (length - 1) / sender.qp.pathMtu;
        return SendWqe.opcode(slots, offset) == SendOpcode.RDMA_WRITE
                ? write(responder, slots, offset, length, packets)
                : send(responder, slots, offset, length, packets);
    }

    /**
     * Copies the payload of a request to the target memory. Returns false if an access check fails, an access would
     * have to wait for another thread, a local range is not contiguous, or the memory of a region has been freed.
     */
    private boolean copy(LoopbackResponder responder, Slots slots, long offset, int length) {
        if (SendWqe.isOneEntry(slots, offset) && length <= SLICE) {
            return copySlice(responder, slots, offset, 0, 0, 0, length);
        }
        if (SendWqe.entries(slots, offset) > 0) {
            return copySlices(responder, slots, offset, length);
        }
        return openTarget(responder, slots, offset, 0, length)
                && responder.put(slots.segment(), SendWqe.inlineOffset(offset), length);
    }

    /**
     * Copies a payload of several scatter/gather entries or more than {@link #SLICE} bytes range by range. After each
     * {@link #SLICE} bytes, requester and responder end their memory accesses. If an access check fails after some ranges
     * were copied, the copied bytes stay in the target memory, and the request is sent as packets.
     */
    private boolean copySlices(LoopbackResponder responder, Slots slots, long offset, int length) {
        int entries = SendWqe.entries(slots, offset);
        for (int i = 0; i < entries; i++) {
            if (!open(slots, offset, i, 0, SendWqe.entryLength(slots, offset, i))) {
                return false;
            }
        }
        if (!openTarget(responder, slots, offset, 0, length)) {
            return false;
        }
        int done = 0;
        int inSlice = 0;
        for (int i = 0; i < entries; i++) {
            int bytes = SendWqe.entryLength(slots, offset, i);
            for (int from = 0; from < bytes; ) {
                if (inSlice == SLICE) {
                    inSlice = 0;
                    closeGrants(responder);
                    if (isRunRequested()) {
                        return false;
                    }
                }
                int step = Math.min(bytes - from, SLICE - inSlice);
                if (!copySlice(responder, slots, offset, i, from, done, step)) {
                    return false;
                }
                from += step;
                done += step;
                inSlice += step;
            }
        }
        return true;
    }

    private boolean copySlice(
            LoopbackResponder responder, Slots slots, long offset, int entry, int from, int to, int bytes) {
        return open(slots, offset, entry, from, bytes)
                && openTarget(responder, slots, offset, to, bytes)
                && responder.put(grant, bytes);
    }

    /**
     * Begins read access to bytes of a local scatter/gather entry. Returns false if the access check fails, if the bytes
     * are not contiguous in memory, or if the access would have to wait for another thread.
     */
    private boolean open(Slots slots, long offset, int entry, int from, int bytes) {
        // The key of an empty scatter/gather entry is not checked.
        return bytes == 0
                || grant.tryOpenLocal(
                                SendWqe.entryKey(slots, offset, entry),
                                READ,
                                SendWqe.entryAddress(slots, offset, entry) + from,
                                bytes)
                        && grant.isOnePiece(bytes);
    }

    private static boolean openTarget(LoopbackResponder responder, Slots slots, long offset, int to, int bytes) {
        return SendWqe.opcode(slots, offset) == SendOpcode.RDMA_WRITE
                ? responder.openWrite(SendWqe.rdmaKey(slots, offset), SendWqe.remoteAddress(slots, offset) + to, bytes)
                : responder.openReceive(to, bytes);
    }

    private boolean write(LoopbackResponder responder, Slots slots, long offset, int length, int packets) {
        int bytes = packets == 1
                ? RocePacket.lengthOf(ipv6, Opcode.RC_RDMA_WRITE_ONLY, length)
                : lengthOf(
                        Opcode.RC_RDMA_WRITE_FIRST,
                        Opcode.RC_RDMA_WRITE_MIDDLE,
                        Opcode.RC_RDMA_WRITE_LAST,
                        length,
                        packets);
        responder.take(packets, bytes);
        count(responder, packets, bytes);
        complete(responder, slots, offset, WorkCompletionOpcode.RDMA_WRITE);
        return true;
    }

    private boolean send(LoopbackResponder responder, Slots slots, long offset, int length, int packets) {
        boolean hasImmediate = SendWqe.opcode(slots, offset) == SendOpcode.SEND_WITH_IMM;
        int bytes = packets == 1
                ? RocePacket.lengthOf(
                        ipv6, hasImmediate ? Opcode.RC_SEND_ONLY_WITH_IMMEDIATE : Opcode.RC_SEND_ONLY, length)
                : lengthOf(
                        Opcode.RC_SEND_FIRST,
                        Opcode.RC_SEND_MIDDLE,
                        hasImmediate ? Opcode.RC_SEND_LAST_WITH_IMMEDIATE : Opcode.RC_SEND_LAST,
                        length,
                        packets);
        responder.take(packets, bytes);
        // On the loopback path the receive completes before the SEND.
        if (!responder.completeReceive(
                length,
                hasImmediate ? CompletionFlag.WITH_IMM.mask() : 0,
                hasImmediate ? SendWqe.immediate(slots, offset) : 0,
                SendWqe.has(slots, offset, SendFlag.SOLICITED))) {
            // If the receive CQ is full, `execute` consumes the receive request and returns false (exception to the
            // invariant "All or nothing").
            sent(packets, bytes);
            return false;
        }
        count(responder, packets, bytes);
        deferredSends++;
        sendEnded();
        complete(responder, slots, offset, WorkCompletionOpcode.SEND);
        return true;
    }

    private int lengthOf(Opcode first, Opcode middle, Opcode last, int length, int packets) {
        int mtu = sender.qp.pathMtu;
        return RocePacket.lengthOf(ipv6, first, mtu)
                + (packets - 2) * RocePacket.lengthOf(ipv6, middle, mtu)
                + RocePacket.lengthOf(ipv6, last, length - (packets - 1) * mtu);
    }

    private void count(LoopbackResponder responder, int packets, int bytes) {
        inRun += packets;
        uncountedPackets += packets;
        uncountedBytes += bytes;
        if (inRun >= MAX_RUN) {
            inRun = 0;
            closeGrants(responder);
        }
    }

    /** Ends the memory accesses of requester and responder, so that a waiting deregistration can proceed. */
    private void closeGrants(LoopbackResponder responder) {
        grant.close();
        responder.closeGrant();
    }

    private void complete(LoopbackResponder responder, Slots slots, long offset, WorkCompletionOpcode opcode) {
        if (signalAll || SendWqe.has(slots, offset, SendFlag.SIGNALED)) {
            anySignaled = true;
            unsignaled = 0;
            tell(responder);
            completeSend(SendWqe.workRequestId(slots, offset), opcode);
        } else {
            unsignaled++;
            if (uncountedPackets > MAX_UNTOLD) {
                tell(responder);
            }
        }
    }

    /** Adds the packets of executed requests to the device counters (invariant "<b>Counted before completed</b>"). */
    private void tell(LoopbackResponder responder) {
        int done = uncountedPackets;
        if (done == 0) {
            return;
        }
        responder.tell();
        deferredPackets += done;
        sent(done, uncountedBytes);
        uncountedPackets = 0;
        uncountedBytes = 0;
        if (!answered) {
            answered = true;
            int acknowledgement = RocePacket.lengthOf(ipv6, Opcode.RC_ACKNOWLEDGE, 0);
            responder.acknowledge(acknowledgement);
            received(1, acknowledgement);
            deferred();
        }
    }

    /** Returns whether the calling thread has queued a response packet that the completer must handle. */
    protected final boolean wasAnswered() {
        return sender.qp.responses.hasOwnerPackets();
    }

    protected final void end() {
        LoopbackResponder responder = peer;
        if (responder == null) {
            return;
        }
        grant.close();
        tell(responder);
        answered = false;
        responder.end();
        if (deferredPackets > MAX_DEFERRED) {
            flushDeferred();
            responder.flushDeferred();
        }
    }

    /** Updates the {@link SendState} after requests on the loopback path. The calling thread must own the send task. */
    public final void flushDeferred() {
        if (deferredPackets == 0) {
            return;
        }
        SendState state = sender.state;
        state.carriedOut(deferredPackets);
        QpRecord record = sender.qp.record;
        record.answered(Psn.previous(state.psn));
        record.count(Counter.RDMA_SENDS, deferredSends);
        record.postedSends(anySignaled, unsignaled);
        deferredPackets = 0;
        deferredSends = 0;
        unsignaled = 0;
        anySignaled = false;
    }
}
