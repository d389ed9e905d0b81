// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.WorkCompletionOpcode;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Compares one direction of an unreliable connection with its guarantees: whole messages or none, in order. */
final class UcVerdict {
    private final End end;
    private final End peer;
    private final World world;
    private final Sends sends;
    private final EventCounts tally;
    private final List<Request> messages;
    private final Map<Request, Integer> arrived = new HashMap<>();

    /** Whether no packet was duplicated or delayed, so that messages arrive in order and once. */
    private final boolean orderly;

    private int next;

    UcVerdict(End end, World world, EventCounts tally) {
        this.end = end;
        peer = end.peer();
        this.world = world;
        this.tally = tally;
        sends = new Sends(end, world);
        messages = end.messages();
        orderly = world.faults().areOrderly();
    }

    void check() {
        sends.check();
        sends.checkReasons();
        receives();
        for (Request request : end.requests) {
            if (request.opcode.isRdmaWrite()) {
                checkWrite(request);
            }
        }
        tally.countSent(end);
        tally.countReceived(peer);
    }

    private void receives() {
        for (int i = 0; i < peer.received.size(); i++) {
            PolledCompletion done = peer.received.get(i);
            Slot slot = peer.host().slot(done.id());
            if (!peer.usesSrq()) {
                assertThat(slot).as("receive %d of %s", i, peer).isEqualTo(peer.slots.get(i));
            }
            Request message = null;
            if (done.isGood()) {
                message = orderly ? next(slot, done) : any(slot, done);
            } else {
                assertThat(isExplained(done, slot))
                        .as("%s of %s ended with %s", slot, peer, done)
                        .isTrue();
            }
            leaveOver(slot);
            if (message != null && message.opcode.isSend()) {
                peer.host().put(slot.buffer().offset(), message.payload, 0, message.length);
            }
        }
        if (!peer.usesSrq()) {
            assertThat(peer.received).as("completions of receives of %s", peer).hasSameSizeAs(peer.slots);
        }
    }

    private Request next(Slot slot, PolledCompletion done) {
        while (next < messages.size()) {
            Request message = messages.get(next++);
            if (isSame(message, slot, done)) {
                arrived.put(message, 1);
                return message;
            }
        }
        throw new AssertionError("no message of " + end + " after those that arrived is " + done + " in " + slot);
    }

    /** Finds a message for a receive. If packets were duplicated or delayed, messages of one packet may be, too. */
    private Request any(Slot slot, PolledCompletion done) {
        Request best = null;
        for (Request message : messages) {
            boolean rarer = best == null || arrived.getOrDefault(message, 0) < arrived.getOrDefault(best, 0);
            if (rarer && isSame(message, slot, done)) {
                best = message;
            }
        }
        if (best == null) {
            throw new AssertionError("no message of " + end + " is " + done + " in " + slot);
        }
        assertThat(arrived.merge(best, 1, Integer::sum))
                .as("how often %s arrived at %s", best, peer)
                .isLessThanOrEqualTo(1 + world.faults().copies());
        return best;
    }

    private boolean isExplained(PolledCompletion done, Slot slot) {
        return switch (done.status()) {
            case WR_FLUSH_ERR -> true;
            case LOC_LEN_ERR ->
                messages.stream()
                        .anyMatch(message -> message.opcode.isSend()
                                && message.length > slot.buffer().length());
            case LOC_PROT_ERR -> slot.broken();
            default -> false;
        };
    }

    private boolean isSame(Request message, Slot slot, PolledCompletion done) {
        boolean send = message.opcode.isSend();
        MemoryRange buffer = slot.buffer();
        return done.opcode() == (send ? WorkCompletionOpcode.RECV : WorkCompletionOpcode.RECV_RDMA_WITH_IMM)
                && done.bytes() == message.length
                && done.hasImmediate() == message.opcode.hasImmediate()
                && (!done.hasImmediate() || done.immediate() == message.immediate)
                && message.succeeded
                && (!send
                        || (message.length <= buffer.length()
                                && Arrays.equals(
                                        peer.host().actual(new MemoryRange(buffer.offset(), message.length)),
                                        message.payload)));
    }

    /** Accepts bytes of a message that was lost in part, in the receive that the next message consumed. */
    private void leaveOver(Slot slot) {
        for (Request message : messages) {
            if (message.opcode.isSend() && !(orderly && arrived.containsKey(message))) {
                int length = Math.min(message.length, slot.buffer().length());
                peer.host().adopt(slot.buffer().offset(), message.payload, length);
            }
        }
    }

    /** Checks the bytes of a WRITE: its first packets, or all of them if the peer got a completion. */
    private void checkWrite(Request request) {
        if (request.overreaches || request.length == 0) {
            return;
        }
        MemoryRange piece = new MemoryRange(request.remote, request.length);
        byte[] actual = peer.host().actual(piece);
        byte[] before = peer.host().expected(piece);
        boolean whole = arrived.containsKey(request);
        int mtu = world.setting().mtu().bytes();
        for (int bytes = request.length; bytes >= 0; bytes = bytes == 0 ? -1 : (bytes - 1) / mtu * mtu) {
            boolean explains = Arrays.equals(actual, 0, bytes, request.payload, 0, bytes)
                    && Arrays.equals(actual, bytes, actual.length, before, bytes, actual.length);
            if (explains) {
                peer.host().put(piece.offset(), request.payload, 0, bytes);
                return;
            }
            assertThat(whole)
                    .as("%s is whole, as its completion arrived", request)
                    .isFalse();
        }
        throw new AssertionError(request + " of " + end + " left something else than its first packets");
    }
}
