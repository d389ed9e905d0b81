// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.qp;

import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.Psn;

/**
 * The response to one READ ({@code read_reply} of rxe). The payload of each response packet is read from memory when
 * this packet is sent.
 */
final class ReadReply {
    private final QpContext qp;
    private final QpMemory memory;
    private final ResponseWriter writer;
    private final ReceiveState state;

    private boolean begun;
    private int key;
    private long address;
    private long remaining;
    private int psn;

    ReadReply(QpContext qp, QpMemory memory, ResponseWriter writer, ReceiveState state) {
        this.qp = qp;
        this.memory = memory;
        this.writer = writer;
        this.state = state;
    }

    void start(int rkey, long from, long bytes, int firstPsn, boolean continued) {
        state.readAnswered = true;
        begun = continued;
        key = rkey;
        address = from;
        remaining = bytes;
        psn = firstPsn;
    }

    void stop() {
        state.readAnswered = false;
    }

    int psn() {
        return psn;
    }

    /** Sends the next packet. Returns false if the rkey no longer grants access to the memory. */
    boolean step(int msn) {
        boolean last = remaining <= qp.pathMtu;
        int payload = (int) Math.min(remaining, qp.pathMtu);
        SimPacket packet = writer.beginRead(opcode(last), psn, msn);
        packet.carries(payload);
        if (payload > 0 && !memory.fetch(key, address, packet.segment(), packet.payloadOffset(), payload)) {
            packet.release();
            state.readAnswered = false;
            return false;
        }
        address += payload;
        remaining -= payload;
        psn = Psn.next(psn);
        begun = true;
        state.readAnswered = !last;
        writer.send(packet);
        return true;
    }

    private Opcode opcode(boolean last) {
        if (begun) {
            return last ? Opcode.RC_RDMA_READ_RESPONSE_LAST : Opcode.RC_RDMA_READ_RESPONSE_MIDDLE;
        }
        return last ? Opcode.RC_RDMA_READ_RESPONSE_ONLY : Opcode.RC_RDMA_READ_RESPONSE_FIRST;
    }
}
