package dev.verbena.sim.qp;

import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.counters.CounterShare;
import dev.verbena.sim.fabric.Route;
import dev.verbena.sim.memory.Grant;
import dev.verbena.sim.memory.Half;
import dev.verbena.sim.queue.SendWqe;
import dev.verbena.sim.queue.Slots;
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
 * Carries out SENDs and RDMA WRITEs of at most some packets at a peer in the same process, where nobody can see packets: does at once
 * what requester, packets, responder, acknowledgement and completer would bring about. Only where nothing is under way between the two
 * queue pairs, and only what succeeds; everything else is left to them, as if nobody had tried.
 *
 * <p>For who keeps both the sending half of this side and the receiving half of the other one from being stepped. From
 * {@link #begin} or {@link #resume} to {@link #end} nothing may be waited for. What the two halves have to know before they are stepped
 * again, or asked, stays here and at the peer until {@link #settle}, as with many queue pairs their state is far away; what is counted
 * for the device is counted before each completion.
 */
public abstract class DirectRequests extends CounterShare {
    /**
     * With so many packets the memory is left before the next message, for the sake of who wants to change it. A message of more of
     * them is sent, for the sake of all who want something of the poster's thread.
     */
    private static final int MAX_RUN = 32;
    /** Before so many packets the counters are told: their bytes are an int. */
    private static final int MAX_UNTOLD = 1 << 16;
    /** After so many packets the halves are told: fewer than there are PSNs. */
    private static final int MAX_UNSETTLED = 1 << 20;
    /** What is no longer is one packet by any MTU. */
    private static final int SURELY_ONE_PACKET = PathMtu.MTU_256.bytes();
    /** What memory has to allow to be read by its own side. */
    private static final int READ = 0;

    private final Grant grant;
    private final boolean signalAll;
    private boolean ipv6;
    private boolean answered;
    private int mostBytes;
    private int inRun;
    private int untoldPackets;
    private int untoldBytes;
    private @Nullable DirectArrivals peer;

    // What the sending half has to know.
    private int unsettledPackets;
    private int unsettledSends;
    private int unsignaled;
    private boolean anySignaled;

    private final DirectSender sender;

    /**
     * Makes the part of one sending half.
     *
     * @param sender what it needs of that
     */
    protected DirectRequests(DirectSender sender) {
        this.sender = sender;
        QpContext qp = sender.qp;
        signalAll = qp.signalAll;
        grant = new Grant(qp.memory, qp.user, Half.SENDING);
    }

    /**
     * Tells whether a request is of a kind that may be carried out in this way.
     *
     * @param slots where it is
     * @param offset where it begins there
     * @return false if there is no use in trying
     */
    protected static boolean mayBe(Slots slots, long offset) {
        return switch (SendWqe.opcode(slots, offset)) {
            case SEND, RDMA_WRITE -> true;
            case SEND_WITH_IMM,
                    SEND_WITH_INV,
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
     * Tells whether somebody wants one of the two halves to be stepped, as when one of them has failed, or its link is down.
     *
     * @return true if nothing more may be carried out
     */
    protected abstract boolean isAskedFor();

    /**
     * Adds a completion to the queue of sends.
     *
     * @param workRequestId the poster's id
     * @param opcode what it was
     */
    protected abstract void completeSend(long workRequestId, WorkCompletionOpcode opcode);

    /**
     * Says where requests are to go, if they can. It stays so, as storing a reference has a barrier.
     *
     * @param other the other queue pair's part; null if there is none
     */
    protected final void meet(@Nullable DirectArrivals other) {
        peer = other;
        sender.path = null;
        sender.pathBack = null;
    }

    /**
     * Begins, when both halves are settled.
     *
     * @return false if something has to come before, or the two are not connected with each other; then it is not to be ended
     */
    protected final boolean begin() {
        DirectArrivals other = peer;
        if (other == null || !isNext(other) || !isConnectedWith(other.qp)) {
            return false;
        }
        int mtu = sender.qp.pathMtu;
        mostBytes = mtu == other.qp.pathMtu ? MAX_RUN * mtu : Math.min(mtu, other.qp.pathMtu);
        other.begin(this);
        inRun = 0;
        return true;
    }

    /**
     * Goes on where the last run ended, when neither half has been stepped since.
     *
     * @return false if it was not this that the peer's half was last kept for
     */
    protected final boolean resume() {
        DirectArrivals other = peer;
        inRun = 0;
        return other != null && other.isOf(this);
    }

    /** Whether there is nothing that a request posted now would have to wait for. */
    private boolean isNext(DirectArrivals other) {
        QpContext qp = sender.qp;
        SendState state = sender.state;
        return qp.state() == QpState.RTS
                && qp.isByTheBook()
                && qp.sendQueue.isEmpty()
                && qp.responses.isEmpty()
                && state.isAtRest()
                && other.expects(state.psn);
    }

    @SuppressWarnings("ReferenceEquality") // A path that changed is another object.
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

    /**
     * Carries out a request as it was posted, and completes it.
     *
     * @param slots where it is
     * @param offset where it begins there
     * @return false if it has to be sent
     */
    protected final boolean carryOut(Slots slots, long offset) {
        DirectArrivals arrivals = peer;
        int length = SendWqe.length(slots, offset);
        if (arrivals == null
                || length < 1
                || length > mostBytes
                || unsettledPackets + untoldPackets > MAX_UNSETTLED
                || isAskedFor()
                || !mayBe(slots, offset)
                || !open(slots, offset, length)) {
            return false;
        }
        // The MTU is far away if there are many queue pairs.
        int packets = length <= SURELY_ONE_PACKET ? 1 : 1 + (length - 1) / sender.qp.pathMtu;
        return SendWqe.opcode(slots, offset) == SendOpcode.SEND
                ? send(arrivals, slots, offset, length, packets)
                : write(arrivals, slots, offset, length, packets);
    }

    /** Opens the bytes of a request for reading, which are one entry or in the request itself; false if they are not at once there. */
    private boolean open(Slots slots, long offset, int length) {
        return SendWqe.isOneEntry(slots, offset)
                ? grant.tryOpenLocal(SendWqe.entryKey(slots, offset), READ, SendWqe.entryAddress(slots, offset), length)
                        && grant.isOnePiece(length)
                : SendWqe.entries(slots, offset) == 0;
    }

    /** Copies the bytes of a request to where its peer has opened memory for it. */
    private void copy(DirectArrivals arrivals, Slots slots, long offset, int length) {
        if (SendWqe.entries(slots, offset) == 0) {
            arrivals.put(slots.segment(), SendWqe.inlineOffset(offset), length);
        } else {
            arrivals.put(grant, length);
        }
    }

    private boolean write(DirectArrivals arrivals, Slots slots, long offset, int length, int packets) {
        int bytes = packets == 1
                ? RocePacket.lengthOf(ipv6, Opcode.RC_RDMA_WRITE_ONLY, length)
                : lengthOf(
                        Opcode.RC_RDMA_WRITE_FIRST,
                        Opcode.RC_RDMA_WRITE_MIDDLE,
                        Opcode.RC_RDMA_WRITE_LAST,
                        length,
                        packets);
        if (!arrivals.openWrite(SendWqe.rdmaKey(slots, offset), SendWqe.remoteAddress(slots, offset), length)) {
            return false;
        }
        copy(arrivals, slots, offset, length);
        arrivals.take(packets, bytes);
        count(arrivals, packets, bytes);
        complete(arrivals, slots, offset, WorkCompletionOpcode.RDMA_WRITE);
        return true;
    }

    private boolean send(DirectArrivals arrivals, Slots slots, long offset, int length, int packets) {
        int bytes = packets == 1
                ? RocePacket.lengthOf(ipv6, Opcode.RC_SEND_ONLY, length)
                : lengthOf(Opcode.RC_SEND_FIRST, Opcode.RC_SEND_MIDDLE, Opcode.RC_SEND_LAST, length, packets);
        if (!arrivals.openReceive(length)) {
            return false;
        }
        copy(arrivals, slots, offset, length);
        arrivals.take(packets, bytes);
        if (!arrivals.completeReceive(length, SendWqe.has(slots, offset, SendFlag.SOLICITED))) {
            // It came, and will come again as it is not acknowledged.
            sent(packets, bytes);
            return false;
        }
        count(arrivals, packets, bytes);
        unsettledSends++;
        sendEnded();
        complete(arrivals, slots, offset, WorkCompletionOpcode.SEND);
        return true;
    }

    /** The length of all packets of a message of several. */
    private int lengthOf(Opcode first, Opcode middle, Opcode last, int length, int packets) {
        int mtu = sender.qp.pathMtu;
        return RocePacket.lengthOf(ipv6, first, mtu)
                + (packets - 2) * RocePacket.lengthOf(ipv6, middle, mtu)
                + RocePacket.lengthOf(ipv6, last, length - (packets - 1) * mtu);
    }

    private void count(DirectArrivals arrivals, int packets, int bytes) {
        inRun += packets;
        untoldPackets += packets;
        untoldBytes += bytes;
        if (inRun >= MAX_RUN) {
            inRun = 0;
            grant.close();
            arrivals.leave();
        }
    }

    private void complete(DirectArrivals arrivals, Slots slots, long offset, WorkCompletionOpcode opcode) {
        if (signalAll || SendWqe.has(slots, offset, SendFlag.SIGNALED)) {
            anySignaled = true;
            unsignaled = 0;
            tell(arrivals);
            completeSend(SendWqe.workRequestId(slots, offset), opcode);
        } else {
            unsignaled++;
            if (untoldPackets > MAX_UNTOLD) {
                tell(arrivals);
            }
        }
    }

    /** Makes the counters tell of all that was done, before somebody can know of it. */
    private void tell(DirectArrivals arrivals) {
        int done = untoldPackets;
        if (done == 0) {
            return;
        }
        arrivals.tell();
        unsettledPackets += done;
        sent(done, untoldBytes);
        untoldPackets = 0;
        untoldBytes = 0;
        if (!answered) {
            answered = true;
            int acknowledgement = RocePacket.lengthOf(ipv6, Opcode.RC_ACKNOWLEDGE, 0);
            arrivals.acknowledge(acknowledgement);
            received(1, acknowledgement);
            deferred();
        }
    }

    /**
     * Tells whether a response came to this side meanwhile, which has to be looked at.
     *
     * @return false if the sending half has nothing to do for it
     */
    protected final boolean wasAnswered() {
        return sender.qp.responses.hasInside();
    }

    /** Ends what {@link #begin} or {@link #resume} began. */
    protected final void end() {
        DirectArrivals arrivals = peer;
        if (arrivals == null) {
            return;
        }
        grant.close();
        tell(arrivals);
        answered = false;
        arrivals.end();
        if (unsettledPackets > MAX_UNSETTLED) {
            settle();
            arrivals.settle();
        }
    }

    /** Tells the sending half of what was done, for who keeps it from being stepped. */
    public final void settle() {
        if (unsettledPackets == 0) {
            return;
        }
        SendState state = sender.state;
        state.carriedOut(unsettledPackets);
        QpRecord record = sender.qp.record;
        record.lastResponsePsn = Psn.previous(state.psn);
        record.count(Counter.RDMA_SENDS, unsettledSends);
        record.postedSends(anySignaled, unsignaled);
        unsettledPackets = 0;
        unsettledSends = 0;
        unsignaled = 0;
        anySignaled = false;
    }
}
