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
 * The receiving half of a datagram queue pair. The payload comes behind 40 bytes for a global routing header, which hold the IP
 * header of the packet: an IPv6 header, or zeros and an IPv4 header in the last 20. The completion counts these bytes, too.
 */
final class UdReceiveHalf extends UnackedReceiveHalf {
    /** Bytes before the payload. */
    static final int GRH_LENGTH = Ipv6Header.LENGTH;

    private static final int BEFORE_IPV4 = GRH_LENGTH - Ipv4Header.LENGTH;
    private static final MemorySegment ZEROS =
            MemorySegment.ofArray(new byte[BEFORE_IPV4]).asReadOnly();

    UdReceiveHalf(QpContext qp, QpMemory memory, ReceiveSource receives, QpOutput out) {
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
        // Within a process nobody may have computed it yet, and it is what tells readers that this is IPv4.
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

    /** {@return 0, as datagrams come in any order} */
    @Override
    public int psn() {
        return 0;
    }
}
