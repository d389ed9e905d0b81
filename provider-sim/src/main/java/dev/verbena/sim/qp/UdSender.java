// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.qp;

import dev.verbena.sim.fabric.Route;
import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.sim.profile.Quirk;
import dev.verbena.sim.queue.SendWqe;
import dev.verbena.sim.queue.WqeAddress;
import dev.verbena.sim.queue.WqeState;
import dev.verbena.verbs.SendFlag;
import dev.verbena.verbs.SendOpcode;
import dev.verbena.verbs.WorkCompletionStatus;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.UdpSourcePort;

/**
 * The requester of a UD queue pair. The requester sends each request as one packet to the destination GID of the request's
 * address handle. The path MTU of a UD queue pair is the active MTU of the port. A request whose Q_Key has bit 31 set is
 * sent with the queue pair's own Q_Key, so that an application cannot forge a privileged Q_Key (InfiniBand Architecture
 * Specification volume 1, chapter 10).
 */
final class UdSender extends UnackedSender {
    private final int udpSourcePort;

    UdSender(QpContext qp, SendQueueHead front, QpMemory memory, QpOutput out) {
        super(qp, front, memory, out);
        udpSourcePort = UdpSourcePort.forQpn(qp.number);
    }

    @Override
    WorkCompletionStatus sendPacket(SendWqe wqe) {
        int length = wqe.scatter().length();
        if (length > qp.pathMtu) {
            return oversize(wqe);
        }
        WqeAddress address = wqe.address();
        if (!address.isSet()) {
            return WorkCompletionStatus.LOC_QP_OP_ERR;
        }
        SimPacket packet = out.newPacket();
        Route route = packet.ownRoute(
                address.sourceHi(),
                address.sourceLo(),
                address.destinationHi(),
                address.destinationLo(),
                udpSourcePort,
                address.trafficClass(),
                address.hopLimit());
        boolean immediate = wqe.opcode() == SendOpcode.SEND_WITH_IMM;
        packet.begin(
                route,
                immediate ? Opcode.UD_SEND_ONLY_WITH_IMMEDIATE : Opcode.UD_SEND_ONLY,
                wqe.remoteQpn(),
                psn(),
                !qp.has(Quirk.MIGREQ_ZERO));
        packet.solicitedEvent(wqe.has(SendFlag.SOLICITED));
        int wanted = wqe.remoteQkey();
        packet.datagram(wanted < 0 ? qp.queueKey : wanted, qp.number);
        packet.immediate(wqe.immediate());
        packet.carries(length);
        if (!memory.gather(wqe, packet.segment(), packet.payloadOffset(), length)) {
            packet.release();
            return WorkCompletionStatus.LOC_PROT_ERR;
        }
        takePsn();
        wqe.state(WqeState.DONE);
        out.send(packet);
        return WorkCompletionStatus.SUCCESS;
    }

    private WorkCompletionStatus oversize(SendWqe wqe) {
        if (!qp.has(Quirk.OVERSIZE_DATAGRAM_SUCCEEDS)) {
            return WorkCompletionStatus.LOC_LEN_ERR;
        }
        takePsn();
        wqe.state(WqeState.DONE);
        return WorkCompletionStatus.SUCCESS;
    }
}
