package dev.verbena.sim.qp;

import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.counters.CounterShare;
import dev.verbena.sim.fabric.Route;
import dev.verbena.sim.memory.Grant;
import dev.verbena.sim.memory.Half;
import dev.verbena.sim.queue.Ring;
import dev.verbena.sim.queue.SendWqe;
import dev.verbena.sim.queue.Slots;
import dev.verbena.sim.runtime.OwnLine;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.SendFlag;
import dev.verbena.verbs.SendOpcode;
import dev.verbena.verbs.WorkCompletionOpcode;
import dev.verbena.verbs.WorkCompletionStatus;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.Psn;
import dev.verbena.wire.RocePacket;
import org.jspecify.annotations.Nullable;

/**
 * Carries out SENDs and RDMA WRITEs of one packet at a peer in the same process, where nobody can see packets: does at once what
 * requester, packet, responder, acknowledgement and completer would bring about. Only where nothing is under way between the two
 * queue pairs, and only what succeeds; everything else is left to them, as if nobody had tried.
 *
 * <p>For who keeps both the sending half of this side and the receiving half of the other one from being stepped. From
 * {@link #begin} to {@link #end} nothing may be waited for.
 */
public abstract class DirectRequests extends OwnLine {
    /** After so many the memory is left, for the sake of who wants to change it. */
    private static final int MAX_RUN = 32;
    /** What memory has to allow to be read by its own side. */
    private static final int READ = 0;

    private final QpContext qp;
    private final Ring posted;
    private final PacketQueue responses;
    private final SendState state;
    private final QpRecord record;
    private final Grant grant;
    private final CounterShare counts;
    private final QpOutput out;
    private final boolean byTheBook;
    private final boolean signalAll;

    // The last two paths that were found to lead to each other.
    private @Nullable Route path;
    private @Nullable Route pathBack;
    private boolean ipv6;

    private @Nullable DirectArrivals peer;
    private int mostBytes;
    private int packets;
    private int untoldPackets;
    private long untoldBytes;
    private boolean answered;

    /**
     * Makes the part of one sending half.
     *
     * @param sender what it needs of that
     */
    protected DirectRequests(DirectSender sender) {
        qp = sender.qp;
        posted = qp.sendQueue.ring();
        responses = qp.responses;
        state = sender.state;
        out = sender.out;
        byTheBook = qp.isByTheBook();
        signalAll = qp.signalAll;
        record = qp.record;
        grant = new Grant(qp.memory, qp.user, Half.SENDING);
        counts = out.sendCounts();
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
            case SEND, RDMA_WRITE -> !SendWqe.has(slots, offset, SendFlag.INLINE);
            case SEND_WITH_IMMEDIATE,
                    SEND_WITH_INVALIDATE,
                    RDMA_WRITE_WITH_IMMEDIATE,
                    RDMA_READ,
                    ATOMIC_COMPARE_AND_SWAP,
                    ATOMIC_FETCH_AND_ADD,
                    ATOMIC_WRITE,
                    FLUSH,
                    BIND_MW,
                    REGISTER_MR,
                    LOCAL_INVALIDATE -> false;
        };
    }

    /**
     * Says where requests are to go, if they can. It stays so, as storing a reference has a barrier.
     *
     * @param other the other queue pair's part; null if there is none
     */
    protected final void meet(@Nullable DirectArrivals other) {
        peer = other;
        path = null;
        pathBack = null;
    }

    /**
     * Begins.
     *
     * @return false if something has to come before, or the two are not connected with each other; then it is not to be ended
     */
    protected final boolean begin() {
        DirectArrivals other = peer;
        if (other == null || !isNext(other) || !isConnectedWith(other.qp)) {
            return false;
        }
        packets = 0;
        mostBytes = Math.min(qp.pathMtu, other.qp.pathMtu);
        return true;
    }

    /** Whether there is nothing that a request posted now would have to wait for. */
    private boolean isNext(DirectArrivals other) {
        return qp.state() == QpState.RTS
                && byTheBook
                && posted.isEmpty()
                && responses.isEmpty()
                && state.isAtRest()
                && other.expects(state.psn);
    }

    @SuppressWarnings("ReferenceEquality") // A path that changed is another object.
    private boolean isConnectedWith(QpContext other) {
        Route there = qp.path();
        Route back = other.path();
        if (there != path || back != pathBack) {
            if (!back.isReverseOf(there)) {
                return false;
            }
            path = there;
            pathBack = back;
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
                || qp.state() != QpState.RTS
                || !mayBe(slots, offset)
                || !SendWqe.isOneEntry(slots, offset)
                || !grant.tryOpenLocal(
                        SendWqe.entryKey(slots, offset), READ, SendWqe.entryAddress(slots, offset), length)) {
            return false;
        }
        return SendWqe.opcode(slots, offset) == SendOpcode.SEND
                ? send(arrivals, slots, offset, length)
                : write(arrivals, slots, offset, length);
    }

    private boolean write(DirectArrivals arrivals, Slots slots, long offset, int length) {
        int bytes = RocePacket.lengthOf(ipv6, Opcode.RC_RDMA_WRITE_ONLY, length);
        if (!arrivals.write(
                grant, SendWqe.rdmaKey(slots, offset), SendWqe.remoteAddress(slots, offset), length, bytes)) {
            return false;
        }
        sent(arrivals, bytes);
        complete(arrivals, slots, offset, WorkCompletionOpcode.RDMA_WRITE);
        return true;
    }

    private boolean send(DirectArrivals arrivals, Slots slots, long offset, int length) {
        int bytes = RocePacket.lengthOf(ipv6, Opcode.RC_SEND_ONLY, length);
        if (!arrivals.fill(grant, length, bytes)) {
            return false;
        }
        if (!arrivals.completeReceive(length, SendWqe.has(slots, offset, SendFlag.SOLICITED))) {
            // It came, and will come again as it is not acknowledged.
            counts.sent(1, bytes);
            return false;
        }
        sent(arrivals, bytes);
        out.count(Counter.RDMA_SENDS);
        complete(arrivals, slots, offset, WorkCompletionOpcode.SEND);
        return true;
    }

    private void sent(DirectArrivals arrivals, int bytes) {
        packets++;
        untoldPackets++;
        untoldBytes += bytes;
        if (packets % MAX_RUN == 0) {
            grant.close();
            arrivals.leave();
        }
    }

    private void complete(DirectArrivals arrivals, Slots slots, long offset, WorkCompletionOpcode opcode) {
        boolean signaled = signalAll || SendWqe.has(slots, offset, SendFlag.SIGNALED);
        record.postedSend(signaled);
        if (signaled) {
            settle(arrivals);
            out.completeSend(SendWqe.workRequestId(slots, offset), WorkCompletionStatus.SUCCESS, opcode, 0, 0);
        }
    }

    /** Makes PSN and counters tell of all that was done, before somebody can know of it. */
    private void settle(DirectArrivals arrivals) {
        if (untoldPackets == 0) {
            return;
        }
        arrivals.settle();
        state.carriedOut(untoldPackets);
        record.lastResponsePsn = Psn.previous(state.psn);
        counts.sent(untoldPackets, untoldBytes);
        untoldPackets = 0;
        untoldBytes = 0;
        if (!answered) {
            answered = true;
            int acknowledgement = RocePacket.lengthOf(ipv6, Opcode.RC_ACKNOWLEDGE, 0);
            arrivals.acknowledge(acknowledgement);
            counts.received(1, acknowledgement);
            counts.deferred();
        }
    }

    /**
     * Tells whether a response came to this side meanwhile, which has to be looked at.
     *
     * @return false if the sending half has nothing to do for it
     */
    protected final boolean wasAnswered() {
        return responses.hasInside();
    }

    /** Ends what {@link #begin} began. */
    protected final void end() {
        DirectArrivals arrivals = peer;
        if (arrivals == null) {
            return;
        }
        grant.close();
        settle(arrivals);
        answered = false;
        arrivals.end();
    }
}
