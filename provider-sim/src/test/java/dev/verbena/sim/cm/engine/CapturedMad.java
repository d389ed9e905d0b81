// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm.engine;

import dev.verbena.sim.fixture.CapturedPackets;
import dev.verbena.verbs.Gid;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.RocePacket;
import dev.verbena.wire.mad.MadHeader;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;

/**
 * A MAD in a capture of two Linux hosts.
 *
 * @param source the sender
 * @param destination the receiver
 * @param bytes the 256 bytes of the MAD
 */
record CapturedMad(Gid source, Gid destination, List<Byte> bytes) {
    private static final ValueLayout.OfInt NUMBER = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    /** Reads the MADs of a capture. */
    static List<CapturedMad> read(String name) {
        return CapturedPackets.all(name).stream()
                .map(CapturedPackets.Captured::packet)
                .filter(packet ->
                        packet.opcode() == Opcode.UD_SEND_ONLY && packet.bth().destinationQpn() == MadHeader.GSI_QPN)
                .map(packet -> new CapturedMad(
                        CapturedPackets.source(packet),
                        CapturedPackets.destination(packet),
                        Bytes.list(payload(packet))))
                .toList();
    }

    private static byte[] payload(RocePacket packet) {
        return packet.segment()
                .asSlice(packet.payloadOffset(), MadHeader.MAD_LENGTH)
                .toArray(ValueLayout.JAVA_BYTE);
    }

    MemorySegment segment() {
        return Bytes.segment(bytes);
    }

    /** Returns the first number of a message: the sender's communication id, or the id of a query. */
    int firstNumber() {
        return segment().get(NUMBER, MadHeader.LENGTH);
    }

    /** Returns the second number: the receiver's communication id, if the message has one. */
    int secondNumber() {
        return segment().get(NUMBER, MadHeader.LENGTH + Integer.BYTES);
    }

    MadHeader header() {
        return new MadHeader().wrap(segment(), 0);
    }
}
