package dev.verbena.sim.unacked;

import dev.verbena.wire.PacketDefect;
import dev.verbena.wire.RocePacket;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** The packets of a capture of two Linux hosts. */
final class CapturedPackets {
    private static final int PCAP_HEADER = 24;
    private static final int RECORD_HEADER = 16;
    private static final int CAPTURED_LENGTH = 8;
    private static final int ETHERNET = 14;

    private CapturedPackets() {}

    /** The packets in a classic pcap file of Ethernet frames that come from the given address. */
    static List<RocePacket> of(String name, long sourceLo) {
        byte[] file;
        try (InputStream in = CapturedPackets.class.getResourceAsStream("/captures/unacked/" + name + ".pcap")) {
            file = Objects.requireNonNull(in, name).readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        ByteBuffer little = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        List<RocePacket> packets = new ArrayList<>();
        int at = PCAP_HEADER;
        while (at < file.length) {
            int length = little.getInt(at + CAPTURED_LENGTH) - ETHERNET;
            RocePacket packet = new RocePacket(Arena.ofAuto());
            MemorySegment.copy(MemorySegment.ofArray(file), at + RECORD_HEADER + ETHERNET, packet.segment(), 0, length);
            if (packet.parse(length) != PacketDefect.OK) {
                throw new IllegalStateException(name + " has a packet that is none");
            }
            at += RECORD_HEADER + ETHERNET + length;
            if (packet.sourceLo() == sourceLo) {
                packets.add(packet);
            }
        }
        return packets;
    }
}
