// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.qp;

import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.wire.Aeth;
import dev.verbena.wire.Extension;
import dev.verbena.wire.Opcode;

final class ResponseWriter {
    private final QpContext qp;
    private final QpMemory memory;
    private final QpOutput out;

    ResponseWriter(QpContext qp, QpMemory memory, QpOutput out) {
        this.qp = qp;
        this.memory = memory;
        this.out = out;
    }

    void acknowledge(int syndrome, int psn, int msn) {
        SimPacket packet = out.newPacket();
        qp.begin(packet, Opcode.RC_ACKNOWLEDGE, psn);
        packet.acknowledge(syndrome, msn);
        send(packet);
    }

    void atomic(int psn, int msn, long original) {
        SimPacket packet = out.newPacket();
        qp.begin(packet, Opcode.RC_ATOMIC_ACKNOWLEDGE, psn);
        packet.acknowledge(Aeth.SYNDROME_ACK_UNLIMITED, msn);
        packet.originalValue(original);
        send(packet);
    }

    void done(int psn, int msn) {
        send(beginRead(Opcode.RC_RDMA_READ_RESPONSE_ONLY, psn, msn));
    }

    /**
     * Ends the responder's memory accesses, then sends a response. Sending may run the peer's code in this thread, and a
     * deregistration in this code waits until no access is in progress (invariant "<b>Close before waiting</b>").
     */
    void send(SimPacket packet) {
        memory.endRun();
        out.send(packet);
    }

    SimPacket beginRead(Opcode opcode, int psn, int msn) {
        SimPacket packet = out.newPacket();
        qp.begin(packet, opcode, psn);
        if (opcode.has(Extension.AETH)) {
            packet.acknowledge(Aeth.SYNDROME_ACK_UNLIMITED, msn);
        }
        return packet;
    }
}
