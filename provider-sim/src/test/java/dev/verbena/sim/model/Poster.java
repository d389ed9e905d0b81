// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.model;

import dev.verbena.sim.model.Action.Blemish;
import dev.verbena.sim.model.Action.Room;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.FlushPlacement;
import dev.verbena.verbs.FlushTarget;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.PostRefusal;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.ReceiveRequests;
import dev.verbena.verbs.ReceiveWorkRequest;
import dev.verbena.verbs.SendOpcode;
import dev.verbena.verbs.SendWorkRequest;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletionStatus;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Posts the requests of a program, and records their possible outcomes. */
final class Poster {
    /**
     * The length of the longest datagram, which is the port's MTU, and in the next field the bytes before it in the
     * receive.
     */
    static final int LONGEST_DATAGRAM = 4096;

    static final int GRH = 40;

    private static final int EIGHT = Long.BYTES;
    private static final int SHORT = 24;

    private final World world;
    private final Targets targets;
    private final EventCounts tally;
    private long serial = 1;

    Poster(World world, EventCounts tally) {
        this.world = world;
        this.tally = tally;
        targets = new Targets(world);
    }

    long nextId() {
        return 2 * serial++;
    }

    /** Posts a request to the peer. */
    void send(End end, Action.Send action, long step) throws VerbsException {
        SendOpcode opcode = targets.operation(end, action.opcode());
        Request request = new Request(end.requests.size(), nextId(), opcode, step);
        request.signaled = action.signaled();
        request.fenced = action.fenced();
        request.solicited = action.solicited() && opcode.consumesReceive();
        request.length = targets.length(opcode, action, end);
        if (opcode.hasRemoteAddress() && !targets.aim(end, request, action)) {
            return;
        }
        MemoryRange local = local(end, request, action);
        if (local == null) {
            return;
        }
        MemoryRegion region = region(end, request, action.blemish(), local);
        boolean inline = action.inline() && opcode.allowsInline() && request.length <= Setting.INLINE;
        SendWorkRequest slot = end.sendBatch().get(0);
        fill(slot, end, request, action);
        slot.id(request.id);
        if (request.signaled) {
            slot.signaled();
        }
        if (request.fenced) {
            slot.fence();
        }
        if (request.solicited) {
            slot.solicited();
        }
        if (inline) {
            slot.inline();
        }
        boolean ownRegion = action.blemish() == Blemish.CLOSED_REGION && local.length() > 0;
        int base = ownRegion ? local.offset() : 0;
        for (MemoryRange piece : local.cut(action.cuts())) {
            slot.sge(region, piece.offset() - base, piece.length());
        }
        boolean closedBefore = ownRegion && !inline && action.place() % 2 == 0;
        if (closedBefore) {
            region.close();
            request.mustFail.add(WorkCompletionStatus.LOC_PROT_ERR);
        }
        PostRefusal refusal = post(end);
        if (ownRegion && !closedBefore) {
            region.close();
            if (!inline) {
                request.mayFail.add(WorkCompletionStatus.LOC_PROT_ERR);
            }
        }
        posted(end, request, refusal, action);
    }

    private void posted(End end, Request request, PostRefusal refusal, Action.Send action) {
        boolean wrong = action.blemish() == Blemish.WRONG;
        if (refusal == PostRefusal.NONE) {
            add(end, request);
        } else if (refusal != PostRefusal.QUEUE_FULL && !(wrong && refusal == PostRefusal.BAD_ATOMIC)) {
            throw new AssertionError(request + " of " + end + " was refused: " + refusal);
        } else {
            tally.count(EventCounts.refused(refusal));
        }
    }

    /** Records a posted request. */
    void add(End end, Request request) {
        end.requests.add(request);
        request.taken = true;
        Grant ended = request.ends;
        if (ended != null) {
            ended.ends(request, request.posted);
        }
        tally.count(EventCounts.posted(end.type(), request.opcode));
        tally.operation();
    }

    /** Posts the prepared request. */
    PostRefusal post(End end) {
        end.qp().postSend(end.sendBatch(), 1);
        return end.sendBatch().refusal();
    }

    /** Returns the bytes that are sent, or that get the answer; null if there are none left. */
    private @Nullable MemoryRange local(End end, Request request, Action.Send action) {
        boolean answered = request.opcode == SendOpcode.RDMA_READ || request.opcode.isAtomic();
        if (!answered) {
            int length = request.opcode == SendOpcode.FLUSH ? 0 : request.length;
            MemoryRange piece = new MemoryRange(MemoryRange.share(action.place(), Host.SOURCE - length), length);
            request.payload = end.host().expected(piece);
            return piece;
        }
        boolean readOnly = action.blemish() == Blemish.READ_ONLY_REGION;
        MemoryRange piece =
                readOnly ? new MemoryRange(0, request.length) : end.host().allocate(request.length);
        if (piece != null) {
            request.sink = piece.offset();
            if (readOnly && request.length > 0) {
                request.mustFail.add(WorkCompletionStatus.LOC_PROT_ERR);
            }
        }
        return piece;
    }

    private MemoryRegion region(End end, Request request, Blemish blemish, MemoryRange local) throws VerbsException {
        Host host = end.host();
        return switch (blemish) {
            case CLOSED_REGION ->
                local.length() == 0 ? host.node().region() : host.register(local, Set.of(AccessFlag.LOCAL_WRITE));
            case READ_ONLY_REGION ->
                request.opcode == SendOpcode.RDMA_READ || request.opcode.isAtomic()
                        ? host.source()
                        : host.node().region();
            case NONE, BEYOND, WRONG -> host.node().region();
        };
    }

    private void fill(SendWorkRequest slot, End end, Request request, Action.Send action) throws VerbsException {
        Grant grant = request.grant;
        int key = grant == null ? 0 : grant.key();
        long address = grant == null ? 0 : end.peer().host().address(grant.kind(), request.remote);
        request.immediate = (int) (0xA000_0000L + request.id);
        switch (request.opcode) {
            case SEND -> slot.send();
            case SEND_WITH_IMM -> slot.sendWithImmediate(request.immediate);
            case SEND_WITH_INV -> slot.sendWithInvalidate(targets.victim(end, request, action));
            case RDMA_WRITE -> slot.rdmaWrite(address, key);
            case RDMA_WRITE_WITH_IMM -> slot.rdmaWriteWithImmediate(address, key, request.immediate);
            case RDMA_READ -> slot.rdmaRead(address, key);
            case ATOMIC_CMP_AND_SWP -> slot.compareAndSwap(address, key, request.compare, request.operand);
            case ATOMIC_FETCH_AND_ADD -> slot.fetchAndAdd(address, key, request.operand);
            case ATOMIC_WRITE -> slot.atomicWrite(address, key);
            case FLUSH -> slot.flush(address, key, request.length, FlushTarget.RANGE, FlushPlacement.GLOBAL);
            case LOCAL_INV, BIND_MW, REG_MR -> throw new IllegalStateException(request.opcode + " goes to no peer");
        }
        if (end.type() == QpType.UD) {
            targets.address(slot, end, request, action);
        }
    }

    /** Posts receives for the messages of a queue pair. */
    void receive(End sender, Action.Receive action, long step) throws VerbsException {
        End end = sender.isConnected() ? sender.peer() : sender;
        for (int i = 0; i < action.count(); i++) {
            receive(end, action.room(), action.cuts(), step);
        }
    }

    /** Posts one receive; false if the memory is used up. */
    boolean receive(End end, Room room, List<Integer> cuts, long step) throws VerbsException {
        Host host = end.host();
        MemoryRange buffer = host.allocate(lengthOf(end, room));
        if (buffer == null) {
            return false;
        }
        boolean broken = room == Room.BROKEN;
        MemoryRegion region = broken
                ? host.register(buffer, Set.of(AccessFlag.LOCAL_WRITE))
                : host.node().region();
        Slot slot = new Slot(nextId() + 1, buffer, broken, step);
        ReceiveRequests batch = end.receiveBatch();
        ReceiveWorkRequest request = batch.get(0).clear().id(slot.id());
        for (MemoryRange piece : buffer.cut(cuts)) {
            request.sge(region, piece.offset() - (broken ? buffer.offset() : 0), piece.length());
        }
        SharedReceiveQueue srq = host.srq();
        if (end.usesSrq() && srq != null) {
            srq.postReceive(batch, 0, 1);
        } else {
            end.qp().postReceive(batch, 1);
        }
        if (broken) {
            region.close();
        }
        if (batch.refusal() == PostRefusal.NONE) {
            host.posted(slot, end.usesSrq());
            if (!end.usesSrq()) {
                end.slots.add(slot);
            }
            tally.count(EventCounts.postedReceive(end.type(), end.usesSrq()));
        } else if (batch.refusal() != PostRefusal.QUEUE_FULL) {
            throw new AssertionError("a receive of " + end + " was refused: " + batch.refusal());
        }
        return true;
    }

    private int lengthOf(End end, Room room) {
        int most = end.type() == QpType.UD
                ? LONGEST_DATAGRAM + GRH
                : world.setting().maxMessage();
        return switch (room) {
            case AMPLE -> most;
            case SHORT -> SHORT;
            case BROKEN -> end.type() == QpType.UD ? most : EIGHT;
            case EXACT -> {
                if (!end.isConnected() || end.usesSrq()) {
                    yield most;
                }
                List<Request> messages = end.peer().messages();
                int index = end.slots.size();
                yield index < messages.size() ? messages.get(index).length : most;
            }
        };
    }
}
