// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.wire;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Captures of real LNet nodes: their messages, reassembled from RoCEv2 packets. */
public final class Captures {

    /** Where a message was found. */
    public enum Carrier {
        SEND,
        WRITE,
        CM_REQ,
        CM_REP,
        CM_REJ,
        CM_DREQ
    }

    /** The target of an RDMA write. */
    public record Write(long address, int key, int length) {}

    /**
     * One message: its frame, the last octet of the sender's address, its connection, the reason of a CM REJ, the bytes
     * or private data, and the target of a write. A cut write has no bytes. The terms of CM REQ and REP describe the
     * connection: service, resources, flow control, timeouts and retries, and in a REQ the addresses and the port. Ids,
     * numbers and MTUs are not part of the terms.
     */
    public record Message(
            String file,
            int frame,
            Carrier carrier,
            int from,
            int connection,
            int rejectReason,
            byte[] bytes,
            byte[] terms,
            @Nullable Write write) {
        @Override
        public String toString() {
            return file + " frame " + frame + " " + carrier;
        }
    }

    private static final int ETHERNET = 14;
    private static final int ENHANCED_PACKET = 6;

    private Captures() {}

    /** Names of the files in the resources, with the messages that an independent decoder counted in each. */
    public static Map<String, Map<String, Integer>> expected() {
        Map<String, Map<String, Integer>> files = new TreeMap<>();
        for (String line : new String(resource("/expected.txt"), StandardCharsets.UTF_8)
                .lines()
                .toList()) {
            String[] parts = line.split(" ");
            Map<String, Integer> counts = new TreeMap<>();
            for (int i = 1; i < parts.length; i++) {
                String[] count = parts[i].split("=");
                counts.put(count[0], Integer.parseInt(count[1]));
            }
            files.put(parts[0], counts);
        }
        return files;
    }

    /** The LNet messages of one file, and all rejections. */
    public static List<Message> read(String file) {
        return readAll(file).stream()
                .filter(message -> message.carrier() != Carrier.WRITE && message.carrier() != Carrier.CM_DREQ)
                .toList();
    }

    public static List<Message> readAll(String file) {
        CaptureReader reader = new CaptureReader(file);
        ByteBuffer pcap =
                ByteBuffer.wrap(resource("/captures/lnet/" + file + ".pcap")).order(ByteOrder.LITTLE_ENDIAN);
        pcap.position(24);
        while (pcap.remaining() > 0) {
            pcap.getLong();
            int captured = pcap.getInt();
            int original = pcap.getInt();
            reader.packet(pcap.slice(pcap.position() + ETHERNET, captured - ETHERNET), captured < original);
            pcap.position(pcap.position() + captured);
        }
        return reader.messages();
    }

    /** All messages of a pcapng file of packets without Ethernet header, as our own taps write it. */
    public static List<Message> readAll(Path file) throws IOException {
        CaptureReader reader = new CaptureReader(file.getFileName().toString());
        ByteBuffer pcapng = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        while (pcapng.hasRemaining()) {
            int start = pcapng.position();
            int type = pcapng.getInt();
            int length = pcapng.getInt();
            if (type == ENHANCED_PACKET) {
                int captured = pcapng.getInt(start + 20);
                int original = pcapng.getInt(start + 24);
                reader.packet(pcapng.slice(start + 28, captured), captured < original);
            }
            pcapng.position(start + length);
        }
        return reader.messages();
    }

    private static byte[] resource(String name) {
        try (InputStream in = Captures.class.getResourceAsStream(name)) {
            return Objects.requireNonNull(in, name).readAllBytes();
        } catch (IOException e) {
            throw new IllegalStateException(name, e);
        }
    }
}
