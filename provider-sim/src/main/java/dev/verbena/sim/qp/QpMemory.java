// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.qp;

import dev.verbena.sim.explain.KeyRefusal;
import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.sim.memory.GrantedRange;
import dev.verbena.sim.memory.KeyDefect;
import dev.verbena.sim.memory.QpRole;
import dev.verbena.sim.queue.ScatterList;
import dev.verbena.sim.queue.SendWqe;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.SendFlag;
import dev.verbena.verbs.WorkCompletionStatus;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/**
 * The memory accesses of a queue pair's requester or responder. This class gathers and scatters the buffers of work
 * requests, accesses memory for RDMA and atomics, and executes BIND_MW, REG_MR and LOCAL_INV. Each access passes the access
 * check of the memory table ({@code copy_data} and {@code rxe_mr_copy} of rxe).
 *
 * <p>After a packet, a memory access may stay in progress for the next packet ({@link GrantedRange#retain}). {@link
 * #endRun} ends each memory access that is still in progress after a packet. Before the calling thread changes a memory
 * registration or waits for such a change, {@code QpMemory} calls {@code endRun}.
 */
final class QpMemory {
    private static final int READ = 0;
    private static final int WRITE = AccessFlag.LOCAL_WRITE.mask();
    private static final int REMOTE_WRITE = AccessFlag.REMOTE_WRITE.mask();
    private static final int REMOTE_READ = AccessFlag.REMOTE_READ.mask();
    private static final int REMOTE_ATOMIC = AccessFlag.REMOTE_ATOMIC.mask();

    enum AtomicOutcome {
        DONE,
        REFUSED,
        /** The address of the operand is not a multiple of eight, so a processor cannot change the bytes atomically. */
        MISALIGNED
    }

    private final QpContext qp;
    private final GrantedRange grant;
    private final ZeroCopyPayload borrowed;
    private final @Nullable DelayedWrites late;
    private boolean inRun;
    private @Nullable SimPacket served;
    final KeyRefusal refusal = new KeyRefusal();

    private long original;

    QpMemory(QpContext qp) {
        this(qp, QpRole.REQUESTER, null);
    }

    /** If {@code late} is null, received bytes are written to memory immediately; otherwise {@code late} delays them. */
    QpMemory(QpContext qp, @Nullable DelayedWrites late) {
        this(qp, QpRole.RESPONDER, late);
    }

    private QpMemory(QpContext qp, QpRole role, @Nullable DelayedWrites late) {
        this.qp = qp;
        this.late = late;
        grant = new GrantedRange(qp.memory, qp.user, role, this::closeBeforeWaiting);
        borrowed = new ZeroCopyPayload(qp, role, this::closeBeforeWaiting);
    }

    /**
     * A responder calls this method before it processes a packet (not a segment batch), and {@link #served()} afterwards.
     */
    void serve(SimPacket packet) {
        served = packet;
        if (late != null) {
            packet.copyOut();
        }
    }

    void served() {
        served = null;
    }

    /**
     * Begins the sending or processing of several packets. Until {@link #endRun}, a memory access for one packet may stay
     * in progress for the next packet.
     */
    void beginRun() {
        inRun = true;
    }

    void endRun() {
        inRun = false;
        grant.close();
        borrowed.close();
    }

    /**
     * <b>Close before waiting.</b> Before this thread waits for a change of a memory registration, this method ends the
     * memory accesses of this thread. If an access stayed in progress, this thread and the thread that changes the
     * registration could wait for each other.
     */
    private void closeBeforeWaiting() {
        takePayload();
        endRun();
    }

    private void takePayload() {
        SimPacket packet = served;
        if (packet != null) {
            packet.copyOut();
        }
    }

    /** Ends an access. Between {@link #beginRun} and {@link #endRun}, it stays in progress for the next packet instead. */
    private void endAccess() {
        if (inRun) {
            grant.retain();
        } else {
            grant.close();
        }
    }

    boolean showsAtOnce() {
        return late == null;
    }

    void flushDelayed() {
        if (late != null) {
            late.flushDelayed();
        }
    }

    private boolean openLocal(int key, int access, long address, long bytes) {
        return grant.openLocal(key, access, address, bytes) || refused(false, key, access, address, bytes);
    }

    private boolean openRemote(int key, int access, long address, long bytes) {
        return grant.openRemote(key, access, address, bytes) || refused(true, key, access, address, bytes);
    }

    private boolean refused(boolean remote, int key, int access, long address, long bytes) {
        takePayload();
        refusal.set(qp.memory.defect(qp.user, remote, key, access, address, bytes), key, access, address, bytes);
        return false;
    }

    /**
     * Ends the access and records the error {@link KeyDefect#VANISHED}: the memory was freed, or its file truncated, before
     * the memory region was closed. The access check does not detect freed memory. Always returns false.
     */
    private boolean vanished(int key, int access, long address, long bytes) {
        grant.close();
        takePayload();
        refusal.set(KeyDefect.VANISHED, key, access, address, bytes);
        return false;
    }

    /**
     * Makes a packet refer to the next bytes of a request (zero-copy payload). Returns false if the bytes are inline data, are
     * not contiguous in memory, or fail the access check.
     */
    boolean borrow(SendWqe wqe, SimPacket packet, int bytes) {
        ScatterList list = wqe.scatter();
        if (wqe.has(SendFlag.INLINE) || list.step(bytes) != bytes) {
            return false;
        }
        if (!borrowed.borrow(packet, list.currentKey(), READ, list.currentAddress(), bytes)) {
            return false;
        }
        // If several packets share a payload, the borrowed memory is released as soon as the payload is copied.
        borrowed.retained(inRun && bytes == packet.payloadLength());
        list.advance(bytes);
        return true;
    }

    /**
     * Copies the next bytes of a request's buffer into a packet. Returns false if the local key of a scatter/gather
     * entry does not grant access to the entry's bytes.
     */
    boolean gather(SendWqe wqe, MemorySegment packet, long offset, int bytes) {
        // The code that receives this packet may deregister memory to which an earlier zero-copy payload refers. A
        // deregistration waits until this thread ends its access to the memory (invariant "Close before waiting").
        borrowed.close();
        ScatterList list = wqe.scatter();
        if (wqe.has(SendFlag.INLINE)) {
            long from = wqe.inlineOffset() + list.length() - list.remaining();
            MemorySegment.copy(wqe.slots().segment(), from, packet, offset, bytes);
            list.advanceInline(bytes);
            return true;
        }
        for (int done = 0; done < bytes; ) {
            int step = list.step(bytes - done);
            // The key of an empty scatter/gather entry is not checked.
            if (step > 0) {
                if (!openLocal(list.currentKey(), READ, list.currentAddress(), step)) {
                    return false;
                }
                if (!grant.copyTo(packet, offset + done, step)) {
                    return vanished(list.currentKey(), READ, list.currentAddress(), step);
                }
                grant.close();
            }
            list.advance(step);
            done += step;
        }
        return true;
    }

    /**
     * Copies bytes of a packet to the next bytes of a scatter/gather list. Returns false if the local key of a
     * scatter/gather entry does not grant access to the entry's bytes.
     */
    boolean scatter(ScatterList list, MemorySegment packet, long offset, int bytes) {
        for (int done = 0; done < bytes; ) {
            int step = list.step(bytes - done);
            if (step > 0) {
                int key = list.currentKey();
                long address = list.currentAddress();
                if (!openLocal(key, WRITE, address, step)) {
                    return false;
                }
                if (!put(false, key, WRITE, address, packet, offset + done, step)) {
                    return false;
                }
            }
            list.advance(step);
            done += step;
        }
        return true;
    }

    /**
     * Copies the payload of a packet to the next bytes of a scatter/gather list. Returns false if the local key of a
     * scatter/gather entry does not grant access to the entry's bytes.
     */
    boolean scatter(ScatterList list, SimPacket packet) {
        int bytes = packet.payloadLength();
        if (bytes == 0 || list.step(bytes) < bytes) {
            packet.copyOut();
            return scatter(list, packet.segment(), packet.payloadOffset(), bytes);
        }
        int key = list.currentKey();
        long address = list.currentAddress();
        if (!openLocal(key, WRITE, address, bytes)) {
            return false;
        }
        // `openLocal` may copy a zero-copy payload into the packet, so the payload's offset is read afterwards.
        if (!put(false, key, WRITE, address, packet.payload(), packet.payloadStart(), bytes)) {
            return false;
        }
        list.advance(bytes);
        return true;
    }

    void skip(SendWqe wqe, int bytes) {
        ScatterList list = wqe.scatter();
        if (wqe.has(SendFlag.INLINE)) {
            list.advanceInline(bytes);
            return;
        }
        int left = bytes;
        while (left > 0) {
            int step = list.step(left);
            list.advance(step);
            left -= step;
        }
    }

    /**
     * Copies the payload of a packet to the target of an RDMA WRITE. Returns false if the key does not grant access to the
     * target.
     */
    boolean place(int rkey, long address, SimPacket packet) {
        int bytes = packet.payloadLength();
        if (!openRemote(rkey, REMOTE_WRITE, address, bytes)) {
            return false;
        }
        return put(true, rkey, REMOTE_WRITE, address, packet.payload(), packet.payloadStart(), bytes);
    }

    /**
     * Copies the payloads of a segment batch (one {@link SimPacket} for several packets) to the target of an RDMA WRITE.
     * Returns false if {@link DelayedWrites} delays received bytes, the access check fails, the access would have to wait,
     * or the memory was freed. If {@code placeSegmentBatch} returns false, the caller must process the individual packets.
     */
    boolean placeSegmentBatch(int rkey, long address, SimPacket batch) {
        int each = batch.payloadLength();
        int bytes = batch.count() * each;
        if (late != null || !grant.tryOpenRemote(rkey, REMOTE_WRITE, address, bytes)) {
            return false;
        }
        boolean placed = true;
        if (batch.payloadStart(1) == batch.payloadStart() + each) {
            placed = grant.copyFrom(batch.payload(), batch.payloadStart(), bytes);
        } else {
            for (int i = 0; i < batch.count() && placed; i++) {
                placed = grant.copyFrom(batch.payload(), batch.payloadStart(i), (long) i * each, each);
            }
        }
        // If the target memory was freed, `placed` is false. The caller then splits the batch into packets, and `place`
        // returns false for the first packet.
        grant.close();
        return placed;
    }

    private boolean put(
            boolean forPeer, int key, int access, long address, MemorySegment packet, long offset, int bytes) {
        if (late != null && !grant.isGuarded()) {
            grant.close();
            late.delay(forPeer, key, access, address, packet, offset, bytes);
            return true;
        }
        if (!grant.copyFrom(packet, offset, bytes)) {
            return vanished(key, access, address, bytes);
        }
        endAccess();
        return true;
    }

    boolean fetch(int rkey, long address, MemorySegment packet, long offset, int bytes) {
        if (!openRemote(rkey, REMOTE_READ, address, bytes)) {
            return false;
        }
        if (!grant.copyTo(packet, offset, bytes)) {
            return vanished(rkey, REMOTE_READ, address, bytes);
        }
        grant.close();
        return true;
    }

    boolean isGranted(int rkey, int access, long address, long bytes) {
        boolean granted = openRemote(rkey, access, address, bytes);
        grant.close();
        return granted;
    }

    boolean isGranted(int rkey, int access) {
        boolean granted = grant.isGrantedSomewhere(rkey, access);
        if (!granted) {
            refused(true, rkey, access, 0, 0);
        }
        return granted;
    }

    /** Adds a value to a 64-bit integer in memory; afterwards {@link #original()} returns the bytes' previous value. */
    AtomicOutcome fetchAndAdd(int rkey, long address, long add) {
        AtomicOutcome outcome = openEight(rkey, REMOTE_ATOMIC, address);
        try {
            if (outcome == AtomicOutcome.DONE) {
                original = grant.getAndAdd(add);
            }
        } catch (IllegalStateException | InternalError gone) {
            outcome = vanishedEight(rkey, REMOTE_ATOMIC, address);
        }
        grant.close();
        return outcome;
    }

    /**
     * Replaces eight bytes of memory if the eight bytes have an expected value. After the call, {@link #original()} returns
     * the former value of the eight bytes.
     */
    AtomicOutcome compareAndSwap(int rkey, long address, long compare, long swap) {
        AtomicOutcome outcome = openEight(rkey, REMOTE_ATOMIC, address);
        try {
            if (outcome == AtomicOutcome.DONE) {
                original = grant.compareAndExchange(compare, swap);
            }
        } catch (IllegalStateException | InternalError gone) {
            outcome = vanishedEight(rkey, REMOTE_ATOMIC, address);
        }
        grant.close();
        return outcome;
    }

    /** Writes eight bytes of a packet atomically, without a change of byte order. */
    AtomicOutcome placeAtomically(int rkey, long address, MemorySegment packet, long offset) {
        AtomicOutcome outcome = openEight(rkey, REMOTE_WRITE, address);
        try {
            if (outcome == AtomicOutcome.DONE) {
                grant.set(packet.get(ValueLayout.JAVA_LONG_UNALIGNED, offset));
            }
        } catch (IllegalStateException | InternalError gone) {
            outcome = vanishedEight(rkey, REMOTE_WRITE, address);
        }
        grant.close();
        return outcome;
    }

    private AtomicOutcome vanishedEight(int rkey, int access, long address) {
        vanished(rkey, access, address, Long.BYTES);
        return AtomicOutcome.REFUSED;
    }

    /** Returns true if the address is a multiple of eight and the key grants access to the eight bytes at the address. */
    boolean isAligned(int rkey, int access, long address) {
        AtomicOutcome outcome = openEight(rkey, access, address);
        grant.close();
        return outcome == AtomicOutcome.DONE;
    }

    private AtomicOutcome openEight(int rkey, int access, long address) {
        if (!openRemote(rkey, access, address, Long.BYTES)) {
            return AtomicOutcome.REFUSED;
        }
        return grant.isAtomic() ? AtomicOutcome.DONE : AtomicOutcome.MISALIGNED;
    }

    long original() {
        return original;
    }

    /** Executes BIND_MW, REG_MR or LOCAL_INV. Returns the status with which the operation completes. */
    WorkCompletionStatus execute(SendWqe wqe) {
        closeBeforeWaiting();
        return switch (wqe.opcode()) {
            case BIND_MW ->
                qp.memory.bind(
                                qp.user,
                                wqe.bindRkey(),
                                wqe.bindNewRkey(),
                                wqe.bindLkey(),
                                wqe.bindAddress(),
                                wqe.bindLength(),
                                wqe.bindAccess())
                        ? WorkCompletionStatus.SUCCESS
                        : WorkCompletionStatus.MW_BIND_ERR;
            case REG_MR ->
                done(qp.memory.fastRegister(
                        qp.user, wqe.registerPresentKey(), wqe.registerNewKey(), wqe.registerAccess()));
            case LOCAL_INV -> done(qp.memory.invalidate(qp.user, wqe.immediate(), false));
            case SEND,
                    SEND_WITH_IMM,
                    SEND_WITH_INV,
                    RDMA_WRITE,
                    RDMA_WRITE_WITH_IMM,
                    RDMA_READ,
                    ATOMIC_CMP_AND_SWP,
                    ATOMIC_FETCH_AND_ADD,
                    ATOMIC_WRITE,
                    FLUSH -> throw new IllegalArgumentException(wqe.opcode() + " is not an operation on local memory");
        };
    }

    private static WorkCompletionStatus done(boolean success) {
        return success ? WorkCompletionStatus.SUCCESS : WorkCompletionStatus.LOC_QP_OP_ERR;
    }

    /** Invalidates a key for a SEND with invalidate. Returns false if the peer may not invalidate the key. */
    boolean invalidate(int rkey) {
        closeBeforeWaiting();
        flushDelayed();
        return qp.memory.invalidate(qp.user, rkey, true);
    }
}
