// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.udp;

import dev.verbena.sim.fabric.Route;
import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.wire.Aeth;
import dev.verbena.wire.Bth;
import dev.verbena.wire.Extension;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.Reth;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * The header fields that consecutive small packets have in common. The template stores copies of the header fields, and
 * keeps the copies after the packet has been sent. This class is not thread-safe.
 */
final class SendTemplate {
    private static final ValueLayout.OfInt WORD = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    /** The layout of the BTH except for its last word. */
    private static final ValueLayout.OfLong START = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    /** The {@link Route} of the packet whose header fields are stored; null if no fields are stored. */
    private @Nullable Route route;

    private @Nullable UdpSocket socket;
    private @Nullable InetSocketAddress destination;
    private int trafficClass;
    private int size;
    private long start;
    private final Reth reth = new Reth();
    private final Aeth aeth = new Aeth();

    /**
     * Stores the header fields of a packet. The memory segment {@code bytes} contains the packet's BTH at the offset {@code
     * begin}. Returns false if the packet belongs to no connection.
     */
    boolean set(
            SimPacket packet, MemorySegment bytes, int begin, UdpSocket from, InetSocketAddress to, int packetClass) {
        route = packet.lastingRoute();
        if (route == null) {
            return false;
        }
        socket = from;
        destination = to;
        trafficClass = packetClass;
        size = packet.length() - packet.bthOffset();
        start = bytes.get(START, begin);
        return true;
    }

    /** Discards the stored header fields, so that {@link #fits} returns false. */
    void forget() {
        route = null;
    }

    /** Returns whether a packet has the stored {@link Route}, destination, length and first eight bytes of the BTH. */
    @SuppressWarnings("ReferenceEquality") // The compared objects are immutable.
    boolean fits(SimPacket packet, InetSocketAddress to) {
        return route != null
                && route == packet.lastingRoute()
                && destination == to
                && packet.trusted()
                && packet.count() == 1
                && packet.length() - packet.bthOffset() == size
                && packet.bthStart() == start;
    }

    /** Returns the socket for packets with the stored header fields; null before the first call of {@link #set}. */
    @Nullable UdpSocket socket() {
        return socket;
    }

    int trafficClass() {
        return trafficClass;
    }

    /** Returns the packet's length from the BTH on. */
    int size() {
        return size;
    }

    /** Writes the headers of a packet from the BTH on. Returns the offset of the payload. */
    int write(SimPacket packet, MemorySegment bytes, int begin) {
        bytes.set(START, begin, start);
        bytes.set(WORD, begin + Bth.ACK_REQUEST_OFFSET, SegmentBatches.word(packet.psn(), packet.ackRequest()));
        Opcode opcode = packet.opcode();
        if (opcode.has(Extension.RETH)) {
            reth.wrap(bytes, begin + opcode.offset(Extension.RETH))
                    .virtualAddress(packet.remoteAddress())
                    .remoteKey(packet.remoteKey())
                    .dmaLength(packet.dmaLength());
        } else if (opcode.has(Extension.AETH)) {
            aeth.wrap(bytes, begin + opcode.offset(Extension.AETH)).initialize(packet.syndrome(), packet.msn());
        }
        return begin + opcode.headerLength();
    }
}
