package dev.verbena.sim.rc;

import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.sim.rc.ModelMemory.Piece;
import dev.verbena.sim.rc.Program.Op;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.PostRefusal;
import dev.verbena.verbs.ReceiveWorkRequest;
import dev.verbena.verbs.SendWorkRequest;
import dev.verbena.verbs.VerbsRuntime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One side of a connection that carries out its part of a program: posts what fits, and keeps what completes. */
final class Side {
    private final Endpoint endpoint;
    private final List<Op> ops;
    private final ModelMemory towardsPeer;
    private final List<String> sends = new ArrayList<>();
    private final List<String> receives = new ArrayList<>();
    private int posted;

    Side(Endpoint endpoint, List<Op> ops, ModelMemory towardsPeer) {
        this.endpoint = endpoint;
        this.ops = ops;
        this.towardsPeer = towardsPeer;
    }

    /** Lets the receives that the peer's requests need come one after the other. */
    void scheduleReceives(VerbsRuntime runtime, List<Op> peerOps, ModelMemory fromPeer) {
        Duration when = Duration.ZERO;
        for (int i = 0; i < peerOps.size(); i++) {
            if (peerOps.get(i).opcode().consumesReceive()) {
                int index = i;
                when = when.plus(peerOps.get(i).receiveDelay());
                runtime.schedule(when, () -> postReceive(index, fromPeer));
            }
        }
    }

    private void postReceive(int index, ModelMemory fromPeer) {
        PostRefusal refusal = endpoint.receive(wr -> fill(wr.id(index), fromPeer.bufferOf(index)));
        if (refusal != PostRefusal.NONE) {
            throw new IllegalStateException("receive " + index + " was refused: " + refusal);
        }
    }

    private void fill(ReceiveWorkRequest request, List<Piece> pieces) {
        for (Piece piece : pieces) {
            request.sge(endpoint.node().region(), piece.offset(), piece.length());
        }
    }

    /** Takes completions and posts what fits; true when the last request has completed. */
    boolean step(MemoryRegion peer) {
        receives.addAll(endpoint.receives());
        sends.addAll(endpoint.sends());
        while (posted < ops.size() && post(posted, peer)) {
            posted++;
        }
        return ops.isEmpty() || (!sends.isEmpty() && sends.getLast().endsWith(" " + (ops.size() - 1)));
    }

    private boolean post(int index, MemoryRegion peer) {
        PostRefusal refusal = endpoint.post(wr -> fill(wr, index, peer));
        if (refusal != PostRefusal.NONE && refusal != PostRefusal.QUEUE_FULL) {
            throw new IllegalStateException("request " + index + " was refused: " + refusal);
        }
        return refusal == PostRefusal.NONE;
    }

    private void fill(SendWorkRequest request, int index, MemoryRegion peer) {
        Op op = ops.get(index);
        long target = peer.address() + towardsPeer.targetOf(index);
        switch (op.opcode()) {
            case SEND -> request.send();
            case SEND_WITH_IMMEDIATE -> request.sendWithImmediate(immediate(index));
            case RDMA_WRITE -> request.rdmaWrite(target, peer.rkey());
            case RDMA_WRITE_WITH_IMMEDIATE -> request.rdmaWriteWithImmediate(target, peer.rkey(), immediate(index));
            default -> throw new IllegalStateException("programs have no " + op.opcode());
        }
        request.id(index);
        // The last one, so that the end can be seen.
        if (op.signaled() || index == ops.size() - 1) {
            request.signaled();
        }
        if (op.solicited()) {
            request.solicited();
        }
        if (op.goesInline()) {
            request.inline();
        }
        for (Piece piece : towardsPeer.sourceOf(index)) {
            request.sge(endpoint.node().region(), piece.offset(), piece.length());
        }
    }

    static int immediate(int index) {
        return 0xA0000000 + index;
    }

    Endpoint endpoint() {
        return endpoint;
    }

    List<String> sends() {
        return sends;
    }

    List<String> receives() {
        return receives;
    }
}
