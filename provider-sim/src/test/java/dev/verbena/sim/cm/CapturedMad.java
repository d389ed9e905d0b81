package dev.verbena.sim.cm;

import dev.verbena.verbs.Gid;
import dev.verbena.wire.mad.MadHeader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * A MAD in a capture of two Linux hosts.
 *
 * @param source the sender
 * @param destination the receiver
 * @param bytes the 256 bytes of the MAD
 */
record CapturedMad(Gid source, Gid destination, List<Byte> bytes) {
    private static final int PCAP_HEADER = 24;
    private static final int RECORD_HEADER = 16;
    private static final int CAPTURED_LENGTH = 8;
    private static final int ETHERNET = 14;
    private static final int UDP = 8;
    private static final int BTH_AND_DETH = 20;
    private static final int UD_SEND_ONLY = 0x64;

    /** Reads the MADs of a classic pcap file of Ethernet frames. */
    static List<CapturedMad> read(String name) {
        byte[] file;
        try (InputStream in = CapturedMad.class.getResourceAsStream("/captures/cm/" + name + ".pcap")) {
            file = Objects.requireNonNull(in, name).readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        ByteBuffer little = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        List<CapturedMad> mads = new ArrayList<>();
        int at = PCAP_HEADER;
        while (at < file.length) {
            int length = little.getInt(at + CAPTURED_LENGTH);
            byte[] frame = Arrays.copyOfRange(file, at + RECORD_HEADER, at + RECORD_HEADER + length);
            at += RECORD_HEADER + length;
            boolean ipv4 = frame[ETHERNET] >> 4 == 4;
            int transport = ETHERNET + (ipv4 ? 20 : 40) + UDP;
            if (frame[transport] == UD_SEND_ONLY) {
                int addresses = ETHERNET + (ipv4 ? 12 : 8);
                int each = ipv4 ? 4 : 16;
                int mad = transport + BTH_AND_DETH;
                mads.add(new CapturedMad(
                        gid(frame, addresses, each),
                        gid(frame, addresses + each, each),
                        Bytes.list(Arrays.copyOfRange(frame, mad, mad + MadHeader.MAD_LENGTH))));
            }
        }
        return mads;
    }

    private static Gid gid(byte[] frame, int at, int length) {
        byte[] gid = new byte[Gid.BYTES];
        if (length < Gid.BYTES) {
            gid[10] = gid[11] = (byte) 0xFF;
        }
        System.arraycopy(frame, at, gid, Gid.BYTES - length, length);
        return Gid.of(gid);
    }

    MemorySegment segment() {
        return Bytes.segment(bytes);
    }

    MadHeader header() {
        return new MadHeader().wrap(segment(), 0);
    }
}
