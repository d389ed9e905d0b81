// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.rules;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.verbena.conformance.arbitraries.Program;
import dev.verbena.conformance.arbitraries.WorkRequest;
import dev.verbena.conformance.side.Connection;
import dev.verbena.conformance.side.Event;
import dev.verbena.conformance.side.Pair;
import dev.verbena.conformance.side.Send;
import dev.verbena.conformance.side.Shape;
import dev.verbena.conformance.side.Window;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.AsyncEventType;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.WorkCompletionStatus;
import java.util.EnumSet;
import java.util.Set;

/**
 * Executes random operations on two connected queue pairs and in a model of them. The two queue pairs never write the same
 * byte of memory, and the work requests of each queue pair are executed in order. The model can therefore predict each byte
 * without knowing the timing. A request with an intended error is posted only when no other request is in flight.
 */
final class PairModel {
    private static final int WRITE = 16;
    private static final int PSN_STEP = 0x5_0000;

    private final Pair pair;
    private final Pair.Ends ends;
    private final boolean faults;
    private final ModelSide first;
    private final ModelSide second;
    private final Set<Capability> capabilities;
    private Connection connection;
    private int connections;

    PairModel(Pair pair, Connection wanted, boolean faults) {
        this.pair = pair;
        this.faults = faults;
        capabilities = EnumSet.copyOf(pair.first().facts().capabilities());
        capabilities.retainAll(pair.second().facts().capabilities());
        Set<AccessFlag> rights = EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ);
        if (capabilities.contains(Capability.ATOMICS)) {
            rights.add(AccessFlag.REMOTE_ATOMIC);
        }
        Set<AccessFlag> granted = EnumSet.copyOf(rights);
        granted.remove(AccessFlag.LOCAL_WRITE);
        connection = wanted.withAccess(granted.toArray(AccessFlag[]::new));
        if (capabilities.contains(Capability.MW_TYPE_2B)) {
            rights.add(AccessFlag.MW_BIND);
        }
        Shape shape = Shape.usual().withBytes(ModelSide.BYTES).withAccess(rights.toArray(AccessFlag[]::new));
        ends = pair.connected(shape, connection);
        first = new ModelSide("FIRST", ends.requester());
        second = new ModelSide("SECOND", ends.responder());
        first.peer(second);
        second.peer(first);
    }

    /** Executes random operations, completes all outstanding send requests, and compares the memory with the model. */
    void run(Program program) {
        int number = 0;
        for (Program.Step step : program.steps()) {
            String text = "step " + ++number + ", " + step;
            first.doing(text);
            second.doing(text);
            execute(step, step.who() == Program.Who.FIRST ? first : second);
        }
        first.doing("the end");
        second.doing("the end");
        finish();
    }

    private void execute(Program.Step step, ModelSide side) {
        switch (step) {
            case Program.Post post -> post(side, post);
            case Program.Receive receive -> {
                if (side.receivesTaken() + receive.count() > ModelSide.DEPTH) {
                    settle();
                }
                if (side.receivesTaken() + receive.count() <= ModelSide.DEPTH) {
                    side.postReceives(receive.count());
                    advance();
                }
            }
            case Program.Do thing -> execute(thing.what(), side);
        }
    }

    private void post(ModelSide side, Program.Post post) {
        int count = post.requests().size();
        if (side.sendsTaken() + count > ModelSide.DEPTH) {
            settle();
        }
        if (side.sendsTaken() + count > ModelSide.DEPTH
                || !post.requests().stream().allMatch(this::possible)) {
            return;
        }
        side.post(post.requests());
        advance();
    }

    private boolean possible(WorkRequest request) {
        return (!request.isAtomic() || capabilities.contains(Capability.ATOMICS))
                && (!request.hasImmediate() || capabilities.contains(Capability.IMMEDIATE_DATA));
    }

    private void execute(Program.What what, ModelSide side) {
        settle();
        boolean free = side.isIdle() && !side.paused;
        ModelSide peer = side.peer();
        switch (what) {
            case POLL -> {}
            case PAUSE -> {
                if (capabilities.containsAll(Set.of(Capability.SQ_DRAIN, Capability.ASYNC_EVENTS))) {
                    pause(side);
                }
            }
            case FAIL -> fail(side);
            case TRESPASS -> {
                if (free) {
                    trespass(side, peer.end.region().rkey() ^ 0x100);
                }
            }
            case BIND -> {
                if (free && !side.bound && capabilities.contains(Capability.MW_TYPE_2B)) {
                    bind(side);
                }
            }
            case WRITE_THROUGH -> {
                if (free && peer.hasWindow()) {
                    writeThrough(side);
                }
            }
            case INVALIDATE -> {
                if (free && side.bound) {
                    side.postAlone(id -> Send.localInvalidate(id, side.windowKey), "LOCAL_INV");
                    side.bound = false;
                    settle();
                }
            }
            case SEND_INVALIDATE -> {
                if (free && peer.bound && peer.hasReceive() && capabilities.contains(Capability.SEND_WITH_INV)) {
                    side.postAlone(id -> Send.sendWithInvalidate(id, peer.windowKey), "SEND");
                    peer.received("RECV 0 invalidated " + peer.windowKey);
                    peer.bound = false;
                    settle();
                }
            }
        }
    }

    private void pause(ModelSide side) {
        if (side.paused) {
            side.paused = false;
            side.end.qp().modify(QpAttributes.builder().state(QpState.RTS).build());
            advance();
        } else if (side.isIdle()) {
            side.paused = true;
            side.end
                    .qp()
                    .modify(QpAttributes.builder()
                            .state(QpState.SQD)
                            .enableSqdAsyncNotify(true)
                            .build());
            // The queue pair may return to RTS only after the event SQ_DRAINED.
            Event drained = new Event(AsyncEventType.SQ_DRAINED, side.end.qp().handle());
            while (!side.end.side().awaitEvents(1).contains(drained)) {
                // Asynchronous events other than SQ_DRAINED are ignored, because the model does not predict them.
            }
        }
    }

    private void bind(ModelSide side) {
        Window window = side.window();
        side.windowKey = window.nextRkey();
        Send.Binding part =
                window.to(side.end.region(), ModelSide.TARGET, ModelSide.TARGET_BYTES, AccessFlag.REMOTE_WRITE);
        side.postAlone(id -> Send.bind(id, side.windowKey, part), "BIND_MW");
        side.bound = true;
        settle();
    }

    private void writeThrough(ModelSide side) {
        ModelSide peer = side.peer();
        if (!peer.bound) {
            trespass(side, peer.windowKey);
            return;
        }
        side.postAlone(id -> write(side, id, peer.windowKey), "RDMA_WRITE");
        peer.put(ModelSide.TARGET, side.get(0, WRITE));
        settle();
    }

    private static Send write(ModelSide side, long id, int key) {
        long address = side.peer().end.region().address() + ModelSide.TARGET;
        return Send.write(id, address, key).from(side.end.sge(0, WRITE));
    }

    /** Posts an RDMA WRITE with an invalid rkey, checks that both queue pairs are in ERR, and connects them again. */
    private void trespass(ModelSide side, int key) {
        // The link may lose the NAK, and a queue pair in ERR does not send the NAK again.
        Set<WorkCompletionStatus> expected = faults
                ? EnumSet.of(WorkCompletionStatus.REM_ACCESS_ERR, WorkCompletionStatus.RETRY_EXC_ERR)
                : EnumSet.of(WorkCompletionStatus.REM_ACCESS_ERR);
        side.end.send(write(side, 0, key));
        WorkCompletionStatus found = side.end.sends().await(1).getFirst().status();
        assertTrue(expected.contains(found), () -> side.text() + "a WRITE that is not granted ended with " + found);
        side.end.qp().assertState(QpState.ERR);
        side.peer().end.qp().assertState(QpState.ERR);
        connectAgain();
    }

    private void fail(ModelSide side) {
        side.end.qp().modify(QpAttributes.error());
        side.peer().end.qp().modify(QpAttributes.error());
        connectAgain();
    }

    /** Polls the flush completions of both queue pairs, resets the queue pairs, and connects them with new PSNs. */
    private void connectAgain() {
        first.flush();
        second.flush();
        settle();
        // Delayed packets of the old connection must not arrive in the new connection.
        pair.first().silence();
        first.forget();
        second.forget();
        connections++;
        Connection next = connection.withPsns(
                connection.firstPsn().value() + connections * PSN_STEP & 0xFF_FFFF,
                connection.secondPsn().value() + connections * PSN_STEP & 0xFF_FFFF);
        pair.connect(ends, next);
    }

    /**
     * Executes the outstanding send requests of each queue pair in the model, in posting order. A queue pair in SQD
     * executes no send request. A send request that consumes a receive request waits until the peer has posted one.
     */
    private void advance() {
        boolean progress = true;
        while (progress) {
            progress = first.advance();
            progress |= second.advance();
        }
    }

    private void settle() {
        first.settle();
        second.settle();
    }

    private void finish() {
        for (ModelSide side : new ModelSide[] {first, second}) {
            if (side.paused) {
                pause(side);
            }
        }
        settle();
        while (!first.isIdle() || !second.isIdle()) {
            for (ModelSide side : new ModelSide[] {first, second}) {
                if (!side.isIdle() && !side.peer().hasReceive()) {
                    side.peer().postReceives(1);
                }
            }
            advance();
            settle();
        }
        // The arrival of a queue pair's final SEND proves that its earlier RDMA WRITEs were executed.
        for (ModelSide side : new ModelSide[] {first, second}) {
            if (!side.peer().hasReceive()) {
                side.peer().postReceives(1);
            }
            side.postAlone(Send::send, "SEND");
            side.peer().received("RECV 0");
        }
        settle();
        first.assertMemory();
        second.assertMemory();
        ends.assertQuiet();
    }
}
