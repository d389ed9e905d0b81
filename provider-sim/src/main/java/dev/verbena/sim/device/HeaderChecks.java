// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.sim.qp.QpContext;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.Transport;
import org.jspecify.annotations.Nullable;

/** Checks the headers of a received packet against the attributes of its queue pair. */
final class HeaderChecks {
    private HeaderChecks() {}

    /**
     * Returns the drop counter for the first check that the packet fails, or null if the packet passes all checks.
     * Records the failure in {@code qp}.
     */
    static @Nullable Counter check(SimPacket packet, QpContext qp) {
        Counter reason = refusal(packet, qp);
        if (reason != null) {
            qp.record().countDropped(reason, offending(packet, reason));
        }
        return reason;
    }

    private static @Nullable Counter refusal(SimPacket packet, QpContext qp) {
        Opcode opcode = packet.opcode();
        if (opcode == Opcode.CNP) {
            return Counter.DROPPED_CNP;
        }
        QpType type = qp.type();
        if (opcode.transport() != transportOf(type)) {
            return Counter.DROPPED_WRONG_TRANSPORT;
        }
        QpState state = qp.state();
        boolean ready = opcode.isRequest() ? state.compareTo(QpState.RTR) >= 0 : state.compareTo(QpState.RTS) >= 0;
        if (!ready) {
            return Counter.DROPPED_QP_STATE;
        }
        if (type != QpType.UD && !qp.isFromPeer(packet)) {
            return Counter.DROPPED_ADDRESS;
        }
        if (!hasDefaultPkey(packet)) {
            return Counter.DROPPED_PKEY;
        }
        return type == QpType.UD && packet.queueKey() != qp.queueKey() ? Counter.DROPPED_QKEY : null;
    }

    private static int offending(SimPacket packet, Counter reason) {
        return switch (reason) {
            case DROPPED_QKEY -> packet.queueKey();
            case DROPPED_PKEY -> packet.partitionKey();
            default -> packet.opcode().code();
        };
    }

    private static Transport transportOf(QpType type) {
        return switch (type) {
            case RC -> Transport.RC;
            case UC -> Transport.UC;
            case UD -> Transport.UD;
        };
    }

    static boolean hasDefaultPkey(SimPacket packet) {
        return (packet.partitionKey() & 0x7FFF) == 0x7FFF;
    }
}
