package dev.verbena.sim.qp;

import dev.verbena.sim.counters.CounterShare;
import dev.verbena.sim.memory.Grant;
import dev.verbena.sim.memory.Half;
import dev.verbena.sim.queue.ScatterList;
import dev.verbena.sim.runtime.OwnLine;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.WorkCompletionOpcode;
import dev.verbena.verbs.WorkCompletionStatus;
import dev.verbena.wire.Psn;

/** Takes the requests of {@link DirectRequests}, each of one packet that is not sent: the responder's part of them. */
public final class DirectArrivals extends OwnLine {
    private static final int REMOTE_WRITE = AccessFlag.REMOTE_WRITE.mask();
    private static final int LOCAL_WRITE = AccessFlag.LOCAL_WRITE.mask();

    // What each request needs is here and not behind other objects: with many queue pairs each is far away.
    final QpContext qp;
    private final ReceiveState state;
    private final QpRecord record;
    private final Grant grant;
    private final CounterShare counts;
    private final ReceiveSource receives;
    private final QpOutput out;
    private final boolean byTheBook;
    private int untoldPackets;
    private long untoldBytes;
    private boolean answered;

    DirectArrivals(QpContext qp, ReceiveState state, ReceiveSource receives, QpOutput out) {
        this.qp = qp;
        this.state = state;
        this.receives = receives;
        this.out = out;
        byTheBook = qp.isByTheBook();
        record = qp.record;
        grant = new Grant(qp.memory, qp.user, Half.RECEIVING);
        counts = out.receiveCounts();
    }

    /**
     * Whether a request with a PSN is what comes next here. Packets that wait have no part in that: a peer that has nothing under way
     * waits for the answer to none of them.
     */
    boolean expects(int psn) {
        return isReady()
                && state.psn == psn
                && state.inside == ReceiveState.Inside.NOTHING
                && !state.readAnswered
                && !state.owesAck
                && byTheBook;
    }

    private boolean isReady() {
        return switch (qp.state()) {
            case RTS, SQD, SQE -> true;
            // In RTR the first request of a peer is an event.
            case RESET, INIT, RTR, ERR -> false;
        };
    }

    /** Carries out an RDMA WRITE; false if that is not possible at once, and nothing was done. */
    boolean write(Grant from, int rkey, long address, int bytes, int packetBytes) {
        boolean done = isReady()
                && (qp.accessMask & REMOTE_WRITE) != 0
                && grant.tryOpenRemote(rkey, REMOTE_WRITE, address, bytes)
                && grant.copyFrom(from, bytes);
        if (done) {
            take(packetBytes);
        }
        return done;
    }

    /**
     * Fills a receive with a SEND; false if that is not possible at once. Then it can still be sent, and gets the receive that it
     * would have got.
     */
    boolean fill(Grant from, int bytes, int packetBytes) {
        boolean done = isReady()
                // First of all, as a receive that is taken is gone from its queue.
                && from.isOnePiece(bytes)
                && receives.reserve()
                && Integer.compareUnsigned(bytes, receives.buffer().remaining()) <= 0
                && openAtOnce(receives.buffer(), bytes)
                && grant.copyFrom(from, bytes);
        if (done) {
            record.receiving.tookReceive = true;
            take(packetBytes);
        }
        return done;
    }

    private boolean openAtOnce(ScatterList buffer, int bytes) {
        return buffer.step(bytes) == bytes
                && grant.tryOpenLocal(buffer.currentKey(), LOCAL_WRITE, buffer.currentAddress(), bytes);
    }

    /** Completes the receive that was filled; false if that cannot be told, and so must not be acknowledged. */
    boolean completeReceive(int bytes, boolean solicited) {
        settle();
        boolean told = out.completeReceive(
                receives.finish(),
                WorkCompletionStatus.SUCCESS,
                WorkCompletionOpcode.RECEIVE,
                bytes,
                0,
                0,
                0,
                solicited);
        if (!told) {
            record.overran();
            qp.fail();
            out.failed();
        }
        return told;
    }

    private void take(int packetBytes) {
        untoldPackets++;
        untoldBytes += packetBytes;
    }

    /** Makes PSN and counters tell of all that came, before somebody can know of it. */
    void settle() {
        int packets = untoldPackets;
        if (packets == 0) {
            return;
        }
        state.gapReported = false;
        state.psn = Psn.add(state.psn, packets);
        state.ackPsn = state.psn;
        state.msn = Psn.add(state.msn, packets);
        record.receiving.lastRequestPsn = Psn.previous(state.psn);
        counts.received(packets, untoldBytes);
        untoldPackets = 0;
        untoldBytes = 0;
    }

    /** Counts the one acknowledgement of all, in the same way. */
    void acknowledge(int packetBytes) {
        if (!answered) {
            answered = true;
            counts.sent(1, packetBytes);
        }
    }

    /** Leaves the memory that is used again and again. */
    void leave() {
        grant.close();
    }

    /** Nothing more will come. */
    void end() {
        leave();
        answered = false;
    }
}
