package dev.verbena.sim.qp;

import dev.verbena.verbs.SendOpcode;
import dev.verbena.wire.Opcode;
import org.jspecify.annotations.Nullable;

/** Which packet carries which part of a request: reference table of (operation, first part?, last part?). RC. */
final class RequestOpcodes {
    private static final int POSITIONS = 4;
    private static final @Nullable Opcode[] TABLE = new Opcode[SendOpcode.values().length * POSITIONS];

    static {
        put(SendOpcode.SEND, Opcode.RC_SEND_MIDDLE, Opcode.RC_SEND_LAST, Opcode.RC_SEND_FIRST, Opcode.RC_SEND_ONLY);
        put(
                SendOpcode.SEND_WITH_IMMEDIATE,
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
                SendOpcode.RDMA_WRITE_WITH_IMMEDIATE,
                Opcode.RC_RDMA_WRITE_MIDDLE,
                Opcode.RC_RDMA_WRITE_LAST_WITH_IMMEDIATE,
                Opcode.RC_RDMA_WRITE_FIRST,
                Opcode.RC_RDMA_WRITE_ONLY_WITH_IMMEDIATE);
    }

    private RequestOpcodes() {}

    /** The packet for a part of a request, or null if the device has no packets for the operation. */
    static @Nullable Opcode of(SendOpcode operation, boolean first, boolean last) {
        return TABLE[index(operation, first, last)];
    }

    private static void put(SendOpcode operation, Opcode middle, Opcode last, Opcode first, Opcode only) {
        TABLE[index(operation, false, false)] = middle;
        TABLE[index(operation, false, true)] = last;
        TABLE[index(operation, true, false)] = first;
        TABLE[index(operation, true, true)] = only;
    }

    private static int index(SendOpcode operation, boolean first, boolean last) {
        return operation.ordinal() * POSITIONS + (first ? 2 : 0) + (last ? 1 : 0);
    }
}
