// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Moves packets in and out of {@link RocePacket}s. */
public final class Packets {
    private Packets() {}

    /** Puts a datagram into a packet and parses it. */
    public static PacketDefect load(RocePacket packet, byte[] datagram) {
        return load(packet, datagram, datagram.length);
    }

    /** Copies a datagram into a packet and parses the given received length. */
    public static PacketDefect load(RocePacket packet, byte[] datagram, int received) {
        MemorySegment.copy(datagram, 0, packet.segment(), ValueLayout.JAVA_BYTE, 0, datagram.length);
        return packet.parse(received);
    }

    /** {@return a copy of the datagram in a packet} */
    public static byte[] bytes(RocePacket packet) {
        byte[] datagram = new byte[packet.length()];
        packet.buffer().get(datagram);
        return datagram;
    }

    /** Writes a payload, its length, and seals. */
    public static void payload(RocePacket packet, byte[] payload) {
        MemorySegment.copy(payload, 0, packet.segment(), ValueLayout.JAVA_BYTE, packet.payloadOffset(), payload.length);
        packet.payloadLength(payload.length).seal();
    }

    /** {@return a copy of the payload} */
    public static byte[] payload(RocePacket packet) {
        byte[] payload = new byte[packet.payloadLength()];
        MemorySegment.copy(packet.segment(), ValueLayout.JAVA_BYTE, packet.payloadOffset(), payload, 0, payload.length);
        return payload;
    }
}
