package dev.verbena.sim.cm;

import dev.verbena.sim.fixture.CapturedPackets;
import dev.verbena.verbs.Gid;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.RocePacket;
import dev.verbena.wire.mad.MadHeader;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/**
 * A MAD in a capture of two Linux hosts.
 *
 * @param source the sender
 * @param destination the receiver
 * @param bytes the 256 bytes of the MAD
 */
record CapturedMad(Gid source, Gid destination, List<Byte> bytes) {
    /** Reads the MADs of a capture. */
    static List<CapturedMad> read(String name) {
        return CapturedPackets.all(name).stream()
                .map(CapturedPackets.Captured::packet)
                .filter(packet -> packet.opcode() == Opcode.UD_SEND_ONLY)
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

    MadHeader header() {
        return new MadHeader().wrap(segment(), 0);
    }
}
