// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.qp;

import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.sim.profile.Quirk;
import dev.verbena.sim.queue.ScatterList;
import dev.verbena.verbs.CompletionFlag;
import dev.verbena.wire.Ipv4Header;
import dev.verbena.wire.Ipv6Header;
import java.lang.foreign.MemorySegment;

/**
 * The responder of a UD queue pair. The first 40 bytes of the receive buffer are the GRH area. The GRH area contains either
 * the packet's IPv6 header, or 20 zero bytes and then the packet's IPv4 header. The payload follows. The completion's byte
 * length includes the GRH area.
 */
final class UdReceiver extends UnackedReceiver {
    static final int GRH_LENGTH = Ipv6Header.LENGTH;

    private static final int BEFORE_IPV4 = GRH_LENGTH - Ipv4Header.LENGTH;
    private static final MemorySegment ZEROS =
            MemorySegment.ofArray(new byte[BEFORE_IPV4]).asReadOnly();

    UdReceiver(QpContext qp, QpMemory memory, ReceiveSource receives, QpOutput out) {
        super(qp, memory, receives, out);
    }

    @Override
    void onRequest(SimPacket packet) {
        if (!takeReceive()) {
            out.count(Counter.DROPPED_NO_RECEIVE);
            return;
        }
        int length = GRH_LENGTH + packet.payloadLength();
        if (length > Integer.toUnsignedLong(receives.buffer().length())) {
            if (qp.has(Quirk.SHORT_DATAGRAM_RECEIVE_STAYS)) {
                noteLength(packet, length);
                out.count(Counter.DROPPED_REFUSED);
            } else {
                refuseLength(packet, length);
            }
            return;
        }
        if (!scatterRoute(packet) || !scatter(packet.segment(), packet.payloadOffset(), packet.payloadLength())) {
            refuseMemory(packet);
            return;
        }
        complete(packet, length, packet.sourceQpn(), CompletionFlag.GRH.mask());
    }

    private boolean scatterRoute(SimPacket packet) {
        packet.encode();
        if (packet.ipv6()) {
            return scatter(packet.segment(), 0, GRH_LENGTH);
        }
        // On the in-process fabric the sender may have omitted the checksum of the IPv4 header. A reader of the GRH
        // area recognizes IPv4 by a correct checksum.
        packet.ipv4Header().headerChecksum(packet.ipv4Header().computeChecksum());
        return scatter(ZEROS, 0, BEFORE_IPV4) && scatter(packet.segment(), 0, Ipv4Header.LENGTH);
    }

    private boolean scatter(MemorySegment bytes, long offset, int length) {
        ScatterList buffer = receives.buffer();
        return memory.scatter(buffer, bytes, offset, length);
    }

    @Override
    public void start(int firstPsn) {
        receives.forget();
    }

    @Override
    public int psn() {
        return 0;
    }
}
