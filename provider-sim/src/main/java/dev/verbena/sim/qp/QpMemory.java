package dev.verbena.sim.qp;

import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.sim.memory.Grant;
import dev.verbena.sim.memory.Half;
import dev.verbena.sim.memory.KeyDefect;
import dev.verbena.sim.queue.ScatterList;
import dev.verbena.sim.queue.SendWqe;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.SendFlag;
import dev.verbena.verbs.WorkCompletionStatus;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/**
 * The memory as one half of a queue pair may use it: moves bytes between packets and the buffers of work requests, and does to
 * registered memory what requests ask for, always through the checks of the memory table.
 *
 * <p>In a run of packets that follow each other at once the memory is left when the run ends, or before anything waits or might
 * be waited for: in a run this side's and the peer's half are in one thread.
 */
final class QpMemory {
    private static final int READ = 0;
    private static final int WRITE = AccessFlag.LOCAL_WRITE.mask();
    private static final int REMOTE_WRITE = AccessFlag.REMOTE_WRITE.mask();
    private static final int REMOTE_READ = AccessFlag.REMOTE_READ.mask();
    private static final int REMOTE_ATOMIC = AccessFlag.REMOTE_ATOMIC.mask();

    /** How an operation on eight bytes ended. */
    enum AtomicOutcome {
        DONE,
        /** The key does not grant it. */
        REFUSED,
        /** The bytes are not where a processor can change them at once. */
        MISALIGNED
    }

    private final QpContext qp;
    private final Grant grant;
    private final LentPayload lent;
    private final @Nullable LateWrites late;
    private final Runnable endOfRun;
    private boolean inRun;
    /** The packet that is being carried out. */
    private @Nullable SimPacket served;
    /** The last refusal of a key. */
    final KeyRefusal refusal = new KeyRefusal();

    private long original;

    /** Memory for a sending half, which ends its run before it waits. */
    QpMemory(QpContext qp, QpOutput out) {
        this(qp, Half.SENDING, null, out::endRun);
    }

    /** Memory for a receiving half, in which bytes that arrive are visible late, or at once without {@code late}. */
    QpMemory(QpContext qp, @Nullable LateWrites late) {
        this(qp, Half.RECEIVING, late, () -> {});
    }

    private QpMemory(QpContext qp, Half half, @Nullable LateWrites late, Runnable endOfRun) {
        this.qp = qp;
        this.late = late;
        this.endOfRun = endOfRun;
        grant = new Grant(qp.memory, qp.user, half, this::leave);
        lent = new LentPayload(qp, half, this::leave);
    }

    /** From here to {@link #served()} everything is done for a packet, which may refer to its payload. */
    void serve(SimPacket packet) {
        served = packet;
        if (late != null) {
            packet.own();
        }
    }

    /** Ends what {@link #serve} began. */
    void served() {
        served = null;
    }

    /** From here to {@link #endRun} memory need not be left after each packet. */
    void beginRun() {
        inRun = true;
    }

    /** Leaves what was not left in a run. */
    void endRun() {
        inRun = false;
        grant.close();
        lent.close();
    }

    /** Before anything may wait for memory to be changed: whoever changes it may wait for what this thread is in. */
    private void leave() {
        takePayload();
        endRun();
        endOfRun.run();
    }

    private void takePayload() {
        SimPacket packet = served;
        if (packet != null) {
            packet.own();
        }
    }

    /** After the use of memory that may be used again at once. */
    private void leaveLater() {
        if (inRun) {
            grant.rest();
        } else {
            grant.close();
        }
    }

    /** Whether what arrives is visible from the moment on in which it is put. */
    boolean showsAtOnce() {
        return late == null;
    }

    /** Makes visible what has arrived. */
    void settle() {
        if (late != null) {
            late.settle();
        }
    }

    private boolean openLocal(int key, int access, long address, long bytes) {
        return grant.openLocal(key, access, address, bytes) || refused(false, key, access, address, bytes);
    }

    private boolean openRemote(int key, int access, long address, long bytes) {
        return grant.openRemote(key, access, address, bytes) || refused(true, key, access, address, bytes);
    }

    /** Remembers why; false. */
    private boolean refused(boolean remote, int key, int access, long address, long bytes) {
        takePayload();
        refusal.set(qp.memory.defect(qp.user, remote, key, access, address, bytes), key, access, address, bytes);
        return false;
    }

    /** Remembers that granted memory was gone when it was accessed, and leaves it; false. */
    private boolean vanished(int key, int access, long address, long bytes) {
        grant.close();
        takePayload();
        refusal.set(KeyDefect.VANISHED, key, access, address, bytes);
        return false;
    }

    /** Lets a packet refer to the next bytes of a request; false if they are not in one piece of granted memory. */
    boolean lend(SendWqe wqe, SimPacket packet, int bytes) {
        ScatterList list = wqe.scatter();
        if (wqe.has(SendFlag.INLINE) || list.step(bytes) != bytes) {
            return false;
        }
        if (!lent.lend(packet, list.currentKey(), READ, list.currentAddress(), bytes)) {
            return false;
        }
        // A train keeps whoever wants the memory waiting for long enough.
        lent.rests(inRun && bytes == packet.payloadLength());
        list.advance(bytes);
        return true;
    }

    /** Copies the next bytes of a request into a packet; false if an entry is not covered by a region that allows it. */
    boolean gather(SendWqe wqe, MemorySegment packet, long offset, int bytes) {
        // What a packet does not refer to must not keep the receiver of the packet waiting.
        lent.close();
        ScatterList list = wqe.scatter();
        if (wqe.has(SendFlag.INLINE)) {
            long from = wqe.inlineOffset() + list.length() - list.remaining();
            MemorySegment.copy(wqe.slots().segment(), from, packet, offset, bytes);
            list.advanceInline(bytes);
            return true;
        }
        for (int done = 0; done < bytes; ) {
            int step = list.step(bytes - done);
            // The key of an empty entry is not looked at.
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

    /** Copies bytes of a packet to the next bytes of a list; false if an entry is not covered by a region that allows it. */
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

    /** Copies the payload of a packet to the next bytes of a list; false if an entry is not covered as it has to be. */
    boolean scatter(ScatterList list, SimPacket packet) {
        int bytes = packet.payloadLength();
        if (bytes == 0 || list.step(bytes) < bytes) {
            packet.own();
            return scatter(list, packet.segment(), packet.payloadOffset(), bytes);
        }
        int key = list.currentKey();
        long address = list.currentAddress();
        if (!openLocal(key, WRITE, address, bytes)) {
            return false;
        }
        // Only now, as the payload may have moved.
        if (!put(false, key, WRITE, address, packet.payload(), packet.payloadStart(), bytes)) {
            return false;
        }
        list.advance(bytes);
        return true;
    }

    /** Skips bytes that need not be sent again. */
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

    /** Copies the payload of a packet to where the peer wants it; false if the key does not grant it. */
    boolean place(int rkey, long address, SimPacket packet) {
        int bytes = packet.payloadLength();
        if (!openRemote(rkey, REMOTE_WRITE, address, bytes)) {
            return false;
        }
        return put(true, rkey, REMOTE_WRITE, address, packet.payload(), packet.payloadStart(), bytes);
    }

    /** Copies the payload of a train to where the peer wants it, if that can be done at once; false if nothing was done. */
    boolean placeTrain(int rkey, long address, SimPacket train) {
        int each = train.payloadLength();
        int bytes = train.count() * each;
        if (late != null || !grant.tryOpenRemote(rkey, REMOTE_WRITE, address, bytes)) {
            return false;
        }
        boolean placed = true;
        if (train.payloadStart(1) == train.payloadStart() + each) {
            placed = grant.copyFrom(train.payload(), train.payloadStart(), bytes);
        } else {
            for (int i = 0; i < train.count() && placed; i++) {
                placed = grant.copyFrom(train.payload(), train.payloadStart(i), (long) i * each, each);
            }
        }
        // Memory that is gone is refused to the first packet, which is carried out next.
        grant.close();
        return placed;
    }

    /** Writes what has been granted, now or later; false if the memory is gone. */
    private boolean put(
            boolean forPeer, int key, int access, long address, MemorySegment packet, long offset, int bytes) {
        if (late != null && !grant.isGuarded()) {
            grant.close();
            late.keep(forPeer, key, access, address, packet, offset, bytes);
            return true;
        }
        if (!grant.copyFrom(packet, offset, bytes)) {
            return vanished(key, access, address, bytes);
        }
        leaveLater();
        return true;
    }

    /** Copies what the peer wants to read into a packet; false if the key does not grant it. */
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

    /** Tells whether a key grants the peer a range at this moment. */
    boolean isGranted(int rkey, int access, long address, long bytes) {
        boolean granted = openRemote(rkey, access, address, bytes);
        grant.close();
        return granted;
    }

    /** Tells whether a key grants the peer something at this moment, wherever that is. */
    boolean isGranted(int rkey, int access) {
        boolean granted = grant.isGrantedSomewhere(rkey, access);
        if (!granted) {
            refused(true, rkey, access, 0, 0);
        }
        return granted;
    }

    /** Adds to eight bytes; {@link #original()} has what they were. */
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

    /** Replaces eight bytes if they hold a value; {@link #original()} has what they were. */
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

    /** Writes eight bytes at once, as they lie in a packet. */
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

    /** Tells whether eight bytes that a key grants are where a processor can change them at once. */
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

    /** {@return what the last atomic found} */
    long original() {
        return original;
    }

    /** Carries out BIND_MW, REG_MR or LOCAL_INV; {@return the status of its completion} */
    WorkCompletionStatus execute(SendWqe wqe) {
        leave();
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
                    FLUSH -> throw new IllegalArgumentException(wqe.opcode() + " is no operation on local memory");
        };
    }

    private static WorkCompletionStatus done(boolean success) {
        return success ? WorkCompletionStatus.SUCCESS : WorkCompletionStatus.LOC_QP_OP_ERR;
    }

    /** Takes a key out of use because the peer asks for it; false if it may not. */
    boolean invalidate(int rkey) {
        leave();
        settle();
        return qp.memory.invalidate(qp.user, rkey, true);
    }
}
