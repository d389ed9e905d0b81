// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.qp;

import dev.verbena.verbs.SendOpcode;
import dev.verbena.wire.Opcode;
import org.jspecify.annotations.Nullable;

/**
 * A table of the packet opcodes on RC. The table corresponds to {@code next_opcode} of rxe. The opcode depends on the
 * operation, on whether the packet is the first of its request, and on whether it is the last.
 */
final class RequestOpcodes {
    private static final int POSITIONS = 4;
    private static final @Nullable Opcode[] TABLE = new Opcode[SendOpcode.values().length * POSITIONS];

    static {
        put(SendOpcode.SEND, Opcode.RC_SEND_MIDDLE, Opcode.RC_SEND_LAST, Opcode.RC_SEND_FIRST, Opcode.RC_SEND_ONLY);
        put(
                SendOpcode.SEND_WITH_IMM,
                Opcode.RC_SEND_MIDDLE,
                Opcode.RC_SEND_LAST_WITH_IMMEDIATE,
                Opcode.RC_SEND_FIRST,
                Opcode.RC_SEND_ONLY_WITH_IMMEDIATE);
        put(
                SendOpcode.RDMA_WRITE,
                Opcode.RC_RDMA_WRITE_MIDDLE,
                Opcode.RC_RDMA_WRITE_LAST,
                Opcode.RC_RDMA_WRITE_FIRST,
                Opcode.RC_RDMA_WRITE_ONLY);
        put(
                SendOpcode.RDMA_WRITE_WITH_IMM,
                Opcode.RC_RDMA_WRITE_MIDDLE,
                Opcode.RC_RDMA_WRITE_LAST_WITH_IMMEDIATE,
                Opcode.RC_RDMA_WRITE_FIRST,
                Opcode.RC_RDMA_WRITE_ONLY_WITH_IMMEDIATE);
        put(
                SendOpcode.SEND_WITH_INV,
                Opcode.RC_SEND_MIDDLE,
                Opcode.RC_SEND_LAST_WITH_INVALIDATE,
                Opcode.RC_SEND_FIRST,
                Opcode.RC_SEND_ONLY_WITH_INVALIDATE);
        putOnly(SendOpcode.RDMA_READ, Opcode.RC_RDMA_READ_REQUEST);
        putOnly(SendOpcode.ATOMIC_CMP_AND_SWP, Opcode.RC_COMPARE_SWAP);
        putOnly(SendOpcode.ATOMIC_FETCH_AND_ADD, Opcode.RC_FETCH_ADD);
        putOnly(SendOpcode.ATOMIC_WRITE, Opcode.RC_ATOMIC_WRITE);
        putOnly(SendOpcode.FLUSH, Opcode.RC_FLUSH);
    }

    private RequestOpcodes() {}

    /** Returns the opcode of a request's first, middle, last or only packet, or null if RC has no such packet. */
    static @Nullable Opcode of(SendOpcode operation, boolean first, boolean last) {
        return TABLE[index(operation, first, last)];
    }

    /**
     * Returns the packet opcode on UC. Each UC opcode is the corresponding RC opcode plus a constant; some RC opcodes
     * have no UC opcode.
     */
    static @Nullable Opcode unacked(SendOpcode operation, boolean first, boolean last) {
        Opcode reliable = of(operation, first, last);
        return reliable == null ? null : Opcode.of(reliable.code() + Opcode.UC_SEND_FIRST.code());
    }

    /** Returns whether an operation completes only with its own response and counts against max_rd_atomic. */
    static boolean isAnswered(SendOpcode operation) {
        return operation == SendOpcode.RDMA_READ
                || operation.isAtomic()
                || operation == SendOpcode.ATOMIC_WRITE
                || operation == SendOpcode.FLUSH;
    }

    private static void put(SendOpcode operation, Opcode middle, Opcode last, Opcode first, Opcode only) {
        TABLE[index(operation, false, false)] = middle;
        TABLE[index(operation, false, true)] = last;
        TABLE[index(operation, true, false)] = first;
        TABLE[index(operation, true, true)] = only;
    }

    private static void putOnly(SendOpcode operation, Opcode only) {
        TABLE[index(operation, true, true)] = only;
    }

    private static int index(SendOpcode operation, boolean first, boolean last) {
        return operation.ordinal() * POSITIONS + (first ? 2 : 0) + (last ? 1 : 0);
    }
}
