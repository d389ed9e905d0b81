// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm.engine;

import dev.verbena.sim.runtime.DeadlineHeap;
import dev.verbena.verbs.Gid;
import dev.verbena.wire.mad.CmAttribute;
import java.lang.foreign.MemorySegment;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Sends the MADs of a {@link CmEngine}, and handles the timeout of each {@link CmExchange}, as the kernel's {@code
 * ib_mad_agent} does for ib_cm.
 */
final class MadAgent {
    private final CmMessages messages;
    private final CmOutput output;
    private final CmCounters counters;
    private final DeadlineHeap<CmExchange> deadlines = new DeadlineHeap<>();
    private int lastId;
    private long announced = CmOutput.NEVER;

    MadAgent(CmMessages messages, int lastId, CmOutput output, CmCounters counters) {
        this.messages = messages;
        this.lastId = lastId;
        this.output = output;
        this.counters = counters;
    }

    CmMessages messages() {
        return messages;
    }

    CmOutput output() {
        return output;
    }

    CmCounters counters() {
        return counters;
    }

    int newId(IntPredicate inUse) {
        do {
            lastId++;
        } while (lastId == 0 || inUse.test(Integer.reverseBytes(lastId)));
        // Messages have the communication ID in the byte order of a little-endian Linux: the lowest byte comes first.
        return Integer.reverseBytes(lastId);
    }

    void send(Gid own, Gid peer, CmAttribute message, MemorySegment mad) {
        counters.sent(message);
        output.send(own, peer, mad);
    }

    /** Sets the deadline of a {@link CmExchange}; {@link CmOutput#NEVER} removes the deadline. */
    void schedule(CmExchange exchange, long deadline) {
        if (deadline == CmOutput.NEVER) {
            deadlines.remove(exchange);
        } else {
            deadlines.put(exchange, deadline);
        }
        announce();
    }

    /**
     * Handles the deadlines that are due. If handling a deadline throws an exception, the next deadline is set nevertheless, so
     * that the remaining deadlines are handled later.
     */
    void onTime(long now) {
        announced = CmOutput.NEVER;
        try {
            for (CmExchange due = deadlines.peek(); due != null && due.deadline() <= now; due = deadlines.peek()) {
                due.onDeadline(now);
            }
        } finally {
            announce();
        }
    }

    private void announce() {
        @Nullable CmExchange first = deadlines.peek();
        long next = first == null ? CmOutput.NEVER : first.deadline();
        if (next != announced) {
            announced = next;
            output.wakeAt(next);
        }
    }
}
