// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.SendOpcode;
import dev.verbena.verbs.WorkCompletionOpcode;
import dev.verbena.verbs.WorkCompletionStatus;
import java.util.List;

/**
 * Compares one direction of a reliable connection with a device that executes requests one after the other: every
 * message consumes the next receive, once and unaltered.
 */
final class RcVerdict {
    private final End end;
    private final End peer;
    private final World world;
    private final Sends sends;
    private final EventCounts tally;

    RcVerdict(End end, World world, EventCounts tally) {
        this.end = end;
        peer = end.peer();
        this.world = world;
        this.tally = tally;
        sends = new Sends(end, world);
    }

    void check() {
        sends.check();
        int messages = receives();
        sends.checkReasons();
        new RcMemory(end, sends, messages, world.setting()).check();
        tally.countSent(end);
        tally.countReceived(peer);
    }

    /** Returns the number of messages that arrived. */
    private int receives() {
        List<Request> messages = end.messages();
        int arrived = 0;
        boolean over = false;
        for (int i = 0; i < peer.received.size(); i++) {
            PolledCompletion done = peer.received.get(i);
            Slot slot = peer.host().slot(done.id());
            if (!peer.usesSrq()) {
                assertThat(slot).as("receive %d of %s", i, peer).isEqualTo(peer.slots.get(i));
            }
            if (done.isFlushed()) {
                leaveOver(slot, messages, arrived);
                over = true;
                continue;
            }
            assertThat(over).as("%s after an error", done).isFalse();
            assertThat(arrived).as("messages that can have met %s", done).isLessThan(messages.size());
            Request message = messages.get(arrived);
            if (done.isGood()) {
                checkMessage(message, slot, done);
                arrived++;
            } else {
                checkFailure(message, slot, done);
                leaveOver(slot, messages, arrived);
                over = true;
            }
        }
        if (!peer.usesSrq()) {
            assertThat(peer.received).as("completions of receives of %s", peer).hasSameSizeAs(peer.slots);
        }
        int needed = (int) messages.stream()
                .filter(message -> message.index < sends.succeeded())
                .count();
        assertThat(arrived).as("messages from %s that arrived", end).isGreaterThanOrEqualTo(needed);
        return arrived;
    }

    private void checkMessage(Request message, Slot slot, PolledCompletion done) {
        boolean send = message.opcode.isSend();
        WorkCompletionOpcode opcode = send ? WorkCompletionOpcode.RECV : WorkCompletionOpcode.RECV_RDMA_WITH_IMM;
        assertThat(done.opcode()).as("opcode of %s", message).isEqualTo(opcode);
        assertThat(done.bytes()).as("bytes of %s", message).isEqualTo(message.length);
        assertThat(done.hasImmediate()).as("immediate data of %s", message).isEqualTo(message.opcode.hasImmediate());
        if (done.hasImmediate()) {
            assertThat(done.immediate()).as("immediate data of %s", message).isEqualTo(message.immediate);
        }
        boolean invalidates = message.opcode == SendOpcode.SEND_WITH_INV;
        assertThat(done.hasInvalidated()).as("key of %s", message).isEqualTo(invalidates);
        Grant victim = message.ends;
        if (invalidates && victim != null) {
            assertThat(done.invalidated()).as("key of %s", message).isEqualTo(victim.key());
        }
        if (send) {
            assertThat(slot.buffer().length()).as("room for %s", message).isGreaterThanOrEqualTo(message.length);
            assertThat(slot.broken() && message.length > 0)
                    .as("%s arrived in a closed region", message)
                    .isFalse();
            peer.host().put(slot.buffer().offset(), message.payload, 0, message.length);
        }
    }

    private void checkFailure(Request message, Slot slot, PolledCompletion done) {
        WorkCompletionStatus status = done.status();
        boolean send = message.opcode.isSend();
        boolean explained = switch (status) {
            case LOC_LEN_ERR -> send && message.length > slot.buffer().length();
            case LOC_PROT_ERR -> send && message.length > 0 && slot.broken();
            case LOC_ACCESS_ERR -> message.opcode == SendOpcode.RDMA_WRITE_WITH_IMM;
            case LOC_QP_OP_ERR -> message.opcode == SendOpcode.SEND_WITH_INV;
            case REM_ACCESS_ERR -> send && sends.readRefusedBefore(message);
            default -> false;
        };
        assertThat(explained)
                .as("%s met %s and ended with %s", message, slot, done)
                .isTrue();
    }

    /** Accepts the first bytes of a message in the failed receive that it consumed. */
    private void leaveOver(Slot slot, List<Request> messages, int index) {
        if (index < messages.size() && messages.get(index).opcode.isSend()) {
            byte[] payload = messages.get(index).payload;
            peer.host()
                    .adopt(
                            slot.buffer().offset(),
                            payload,
                            Math.min(payload.length, slot.buffer().length()));
        }
    }
}
