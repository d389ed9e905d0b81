// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.qp;

import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.sim.queue.SendWqe;
import dev.verbena.verbs.SendFlag;
import dev.verbena.verbs.SendOpcode;
import dev.verbena.wire.Extension;
import dev.verbena.wire.Opcode;
import org.jspecify.annotations.Nullable;

/** Writes request packets of connected queue pairs: headers from the work request, payload from its buffer. */
final class RequestWriter {
    private final QpContext qp;
    private final QpMemory memory;
    private final QpOutput out;

    RequestWriter(QpContext qp, QpMemory memory, QpOutput out) {
        this.qp = qp;
        this.memory = memory;
        this.out = out;
    }

    /**
     * Writes the next packet of a request, and advances the offset in the request's buffer. If {@code most} is greater than
     * 1 and the payload needs no copy, the returned {@code SimPacket} is a segment batch. It stands for {@code most}
     * packets, each with one path MTU of payload. Returns null if an lkey does not grant access to the buffer.
     */
    @Nullable SimPacket write(SendWqe wqe, Opcode opcode, int psn, boolean askAck, int most) {
        int remaining = wqe.scatter().remaining();
        boolean full = Integer.compareUnsigned(remaining, qp.pathMtu) > 0;
        int payload = opcode.hasPayload() ? (full ? qp.pathMtu : remaining) : 0;
        SimPacket packet = out.newPacket();
        qp.begin(packet, opcode, psn);
        packet.ackRequest(askAck);
        packet.solicitedEvent(
                opcode.isEnd() && wqe.has(SendFlag.SOLICITED) && wqe.opcode().consumesReceive());
        if (opcode.has(Extension.RETH)) {
            // `done` is the length of the data that a retried READ has already received, and 0 for other requests.
            long done = Integer.toUnsignedLong(wqe.scatter().length()) - Integer.toUnsignedLong(remaining);
            packet.reth(wqe.remoteAddress() + done, wqe.rkey(), opcode.isFlush() ? wqe.flushLength() : remaining);
        }
        if (opcode.has(Extension.FETH)) {
            packet.flush(wqe.flushTarget(), wqe.flushPlacement());
        }
        if (opcode.has(Extension.ATOMIC_ETH)) {
            boolean swaps = wqe.opcode() == SendOpcode.ATOMIC_CMP_AND_SWP;
            packet.atomic(
                    wqe.remoteAddress(),
                    wqe.rkey(),
                    swaps ? wqe.swap() : wqe.compareOrAdd(),
                    swaps ? wqe.compareOrAdd() : 0);
        }
        if (opcode.has(Extension.IETH) || opcode.has(Extension.IMM_DT)) {
            packet.immediate(wqe.immediate());
        }
        packet.carries(payload);
        boolean borrowable = payload > 0 && (opcode.isSend() || opcode.isWrite()) && !opcode.has(Extension.IETH);
        if (borrowable && most > 1 && memory.borrow(wqe, packet, most * payload)) {
            packet.count(most);
            return packet;
        }
        if (borrowable && out.carriesZeroCopy() && memory.borrow(wqe, packet, payload)) {
            return packet;
        }
        if (!memory.gather(wqe, packet.segment(), packet.payloadOffset(), payload)) {
            packet.release();
            return null;
        }
        return packet;
    }

    int packets(long bytes) {
        return (int) Math.max(1, (bytes + qp.pathMtu - 1) / qp.pathMtu);
    }
}
