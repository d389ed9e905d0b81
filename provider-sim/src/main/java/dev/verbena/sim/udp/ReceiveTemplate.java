// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.udp;

import dev.verbena.sim.fabric.PacketPool;
import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.wire.Bth;
import dev.verbena.wire.Extension;
import dev.verbena.wire.Reth;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** The header fields that consecutive small received packets have in common. This class is not thread-safe. */
final class ReceiveTemplate {
    /** A value of {@link #size} that is never the length of a datagram. */
    private static final int NONE = -1;

    /** A packet object that stores the common header fields and is never returned to its pool. */
    private final SimPacket fields = new PacketPool(Arena.ofAuto()).take();

    /** The length of the datagram whose header fields are stored, or {@link #NONE}. */
    private int size = NONE;

    private long start;
    private @Nullable Endpoint endpoint;
    private @Nullable InetSocketAddress sender;
    private EndpointTable.@Nullable Known known;
    private final Bth bth = new Bth();
    private final Reth reth = new Reth();

    /**
     * Stores the header fields of a decoded packet with valid headers.
     *
     * @param firstWords the BTH without its last word
     */
    void set(
            SimPacket packet,
            Endpoint at,
            InetSocketAddress from,
            EndpointTable.@Nullable Known endpoints,
            long firstWords) {
        fields.copyFields(packet);
        size = packet.length() - packet.bthOffset();
        start = firstWords;
        endpoint = at;
        sender = from;
        known = endpoints;
    }

    /** Discards the stored header fields, so that {@link #fits} returns false. */
    void forget() {
        size = NONE;
    }

    /** Returns whether a received datagram has the stored header fields, so that {@link #fill} may copy the fields. */
    @SuppressWarnings("ReferenceEquality") // Endpoint tables and cached socket addresses are compared by identity.
    boolean fits(
            Endpoint at, InetSocketAddress from, EndpointTable.@Nullable Known endpoints, long firstWords, int length) {
        return length == size && firstWords == start && from == sender && at == endpoint && endpoints == known;
    }

    /** Copies the common header fields to a received packet, and reads the other fields from its bytes. */
    void fill(SimPacket packet, MemorySegment bytes, int begin) {
        packet.copyFields(fields);
        bth.wrap(bytes, begin);
        packet.psn(bth.psn());
        packet.ackRequest(bth.ackRequest());
        if (packet.opcode().has(Extension.RETH)) {
            reth.wrap(bytes, begin + packet.opcode().offset(Extension.RETH));
            packet.reth(reth.virtualAddress(), reth.remoteKey(), reth.dmaLength());
        }
    }
}
