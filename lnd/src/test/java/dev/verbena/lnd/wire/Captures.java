package dev.verbena.lnd.wire;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/** Reads what LNet said out of captures of RoCEv2 packets: SENDs put together again, and private data of CM messages. */
public final class Captures {

    /** Where a message was found. */
    public enum Carrier {
        SEND,
        CM_REQ,
        CM_REP,
        CM_REJ
    }

    /** One message: the bytes, the sender's last address octet, and for CM REJ its reason. */
    public record Message(String file, int frame, Carrier carrier, int from, int rejectReason, byte[] bytes) {
        @Override
        public String toString() {
            return file + " frame " + frame + " " + carrier;
        }
    }

    private static final int ETHERNET = 14;
    private static final int IPV4 = 20;
    private static final int UDP = 8;
    private static final int BTH = 12;
    private static final int DETH = 8;
    private static final int ICRC = 4;
    private static final int MAD_HEADER = 24;
    private static final int RDMA_CM_HEADER = 36;

    private final String file;
    private final List<Message> messages = new ArrayList<>();
    private final Map<String, List<byte[]>> partial = new HashMap<>();
    private final Set<String> seen = new HashSet<>();
    private int frame;

    private Captures(String file) {
        this.file = file;
    }

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

    /** All messages of one file, each once however often it was sent. */
    public static List<Message> read(String file) {
        Captures reader = new Captures(file);
        ByteBuffer pcap =
                ByteBuffer.wrap(resource("/captures/lnet/" + file + ".pcap")).order(ByteOrder.LITTLE_ENDIAN);
        pcap.position(24);
        while (pcap.remaining() > 0) {
            pcap.getLong();
            int captured = pcap.getInt();
            int original = pcap.getInt();
            byte[] packet = new byte[captured];
            pcap.get(packet);
            reader.frame++;
            reader.packet(ByteBuffer.wrap(packet), captured < original);
        }
        return reader.messages;
    }

    private static byte[] resource(String name) {
        try (InputStream in = Captures.class.getResourceAsStream(name)) {
            return Objects.requireNonNull(in, name).readAllBytes();
        } catch (IOException e) {
            throw new IllegalStateException(name, e);
        }
    }

    private void packet(ByteBuffer packet, boolean cut) {
        int from = packet.get(ETHERNET + 15) & 0xff;
        int bth = ETHERNET + IPV4 + UDP;
        int opcode = packet.get(bth) & 0xff;
        int pad = packet.get(bth + 1) >> 4 & 3;
        int qp = packet.getInt(bth + 4) & 0xffffff;
        int psn = packet.getInt(bth + 8) & 0xffffff;
        byte[] payload = new byte[Math.max(0, packet.capacity() - bth - BTH - ICRC - pad)];
        packet.get(bth + BTH, payload);
        switch (opcode) {
            case 0x00, 0x01, 0x02, 0x04 -> {
                if (cut) {
                    throw new IllegalStateException(file + " frame " + frame + ": a SEND is cut");
                }
                if (seen.add("send " + from + " " + qp + " " + psn)) {
                    send(opcode, from, qp, payload);
                }
            }
            case 0x64 ->
                cm(from, ByteBuffer.wrap(payload, DETH, payload.length - DETH).slice());
            default -> {}
        }
    }

    private void send(int opcode, int from, int qp, byte[] payload) {
        List<byte[]> parts = partial.computeIfAbsent(from + " " + qp, key -> new ArrayList<>());
        parts.add(payload);
        if (opcode == 0x02 || opcode == 0x04) {
            ByteBuffer whole =
                    ByteBuffer.allocate(parts.stream().mapToInt(p -> p.length).sum());
            parts.forEach(whole::put);
            parts.clear();
            messages.add(new Message(file, frame, Carrier.SEND, from, 0, whole.array()));
        }
    }

    private void cm(int from, ByteBuffer mad) {
        int attribute = mad.getShort(16);
        if (!seen.add("cm " + from + " " + attribute + " " + mad.getLong(8) + " " + mad.getInt(MAD_HEADER))) {
            return;
        }
        switch (attribute) {
            case 0x10 -> cm(Carrier.CM_REQ, from, 0, mad, 140 + RDMA_CM_HEADER, 92 - RDMA_CM_HEADER);
            case 0x13 -> cm(Carrier.CM_REP, from, 0, mad, 36, 196);
            case 0x12 -> cm(Carrier.CM_REJ, from, mad.getShort(MAD_HEADER + 10), mad, 84, 148);
            default -> {}
        }
    }

    private void cm(Carrier carrier, int from, int reason, ByteBuffer mad, int offset, int length) {
        byte[] data = new byte[length];
        mad.get(MAD_HEADER + offset, data);
        messages.add(new Message(file, frame, carrier, from, reason, data));
    }
}
