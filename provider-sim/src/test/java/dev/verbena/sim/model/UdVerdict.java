// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.WorkCompletionOpcode;
import dev.verbena.verbs.WorkCompletionStatus;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Compares received datagrams with sent ones: each arrives whole, and at most once for each duplicate. */
final class UdVerdict {
    private static final int IPV4_SOURCE = 32;
    private static final int IPV4_BYTES = 4;

    private final List<End> ends;
    private final World world;
    private final EventCounts tally;

    UdVerdict(List<End> ends, World world, EventCounts tally) {
        this.ends = ends;
        this.world = world;
        this.tally = tally;
    }

    void check() {
        for (End end : ends) {
            Sends sends = new Sends(end, world).check();
            sends.checkReasons();
            tally.countSent(end);
            tally.countReceived(end);
        }
        ends.forEach(this::receives);
    }

    private void receives(End end) {
        Map<Request, Integer> arrived = new HashMap<>();
        for (int i = 0; i < end.received.size(); i++) {
            PolledCompletion done = end.received.get(i);
            Slot slot = end.host().slot(done.id());
            if (!end.usesSrq()) {
                assertThat(slot).as("receive %d of %s", i, end).isEqualTo(end.slots.get(i));
            }
            if (done.isGood()) {
                accept(end, done, slot, arrived);
            } else if (done.status() == WorkCompletionStatus.LOC_LEN_ERR) {
                assertThat(slot.buffer().length())
                        .as("room of %s, which was too short", slot)
                        .isLessThan(Poster.LONGEST_DATAGRAM + Poster.GRH);
                end.host().adopt(slot.buffer());
            } else {
                boolean broken = slot.broken() && done.status() == WorkCompletionStatus.LOC_PROT_ERR;
                assertThat(done.isFlushed() || broken)
                        .as("%s of %s ended with %s", slot, end, done)
                        .isTrue();
            }
        }
        if (!end.usesSrq()) {
            assertThat(end.received).as("completions of receives of %s", end).hasSameSizeAs(end.slots);
        }
    }

    private void accept(End end, PolledCompletion done, Slot slot, Map<Request, Integer> arrived) {
        MemoryRange buffer = slot.buffer();
        int length = (int) done.bytes() - Poster.GRH;
        byte[] route = end.host().actual(new MemoryRange(buffer.offset(), Poster.GRH));
        byte[] payload = end.host().actual(new MemoryRange(buffer.offset() + Poster.GRH, length));
        assertThat(done.opcode()).as("opcode of %s", done).isEqualTo(WorkCompletionOpcode.RECV);
        Request best = null;
        for (End sender : ends) {
            if (sender.number() != done.sourceQp() || !cameFrom(sender, route)) {
                continue;
            }
            for (Request message : sender.requests) {
                boolean same = isFor(message, end) && isSame(message, done, payload);
                if (same && (best == null || arrived.getOrDefault(message, 0) < arrived.getOrDefault(best, 0))) {
                    best = message;
                }
            }
        }
        assertThat(best)
                .as("the datagram of %d bytes to %s that is %s", length, end, done)
                .isNotNull();
        assertThat(arrived.merge(best, 1, Integer::sum))
                .as("how often %s arrived at %s", best, end)
                .isLessThanOrEqualTo(1 + world.faults().copies());
        end.host().adopt(new MemoryRange(buffer.offset(), Poster.GRH));
        end.host().put(buffer.offset() + Poster.GRH, payload, 0, length);
    }

    private static boolean cameFrom(End sender, byte[] route) {
        int address = (int) sender.host().node().address().low();
        for (int i = 0; i < IPV4_BYTES; i++) {
            if (route[IPV4_SOURCE + i] != (byte) (address >> Byte.SIZE * (IPV4_BYTES - 1 - i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isFor(Request message, End end) {
        return message.audience != null && message.audience.contains(end);
    }

    private static boolean isSame(Request message, PolledCompletion done, byte[] payload) {
        return message.succeeded
                && message.opcode.hasImmediate() == done.hasImmediate()
                && (!done.hasImmediate() || message.immediate == done.immediate())
                && Arrays.equals(message.payload, payload);
    }
}
