// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.wire;

import dev.verbena.lnd.wire.Captures.Carrier;
import dev.verbena.lnd.wire.Captures.Message;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes messages from RoCEv2 packets over IPv4 in the order of the wire. SENDs and RDMA writes are reassembled. Each
 * message of connection management appears once, even if it was sent several times. A host is named by the last octet
 * of its address, a connection by the order of its request.
 */
public final class CaptureReader {

    /** A connection that began before the first packet. */
    public static final int UNKNOWN = -1;

    private static final int IPV4 = 20;
    private static final int UDP = 8;
    private static final int BTH = 12;
    private static final int RETH = 16;
    private static final int DETH = 8;
    private static final int ICRC = 4;
    private static final int MAD_HEADER = 24;
    private static final int RDMA_CM_HEADER = 36;
    private static final byte[] NOTHING = {};
    private static final int PSN_MASK = 0xffffff;

    private final String file;
    private final List<Message> messages = new ArrayList<>();
    private final Map<String, Flow> flows = new HashMap<>();
    private final Map<String, Integer> queuePairs = new HashMap<>();
    private final Map<String, Integer> communications = new HashMap<>();
    private final Set<String> seen = new HashSet<>();
    private int connections;
    private int frame;

    /** The packets that one host sends over one connection. */
    private static final class Flow {
        private final int connection;
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private int psn;
        private boolean cut;
        private long address;
        private int key;
        private int length;

        Flow(int connection, int psn) {
            this.connection = connection;
            this.psn = psn;
        }
    }

    /** Makes a reader for a file; the messages carry its name. */
    public CaptureReader(String file) {
        this.file = file;
    }

    public List<Message> messages() {
        return messages;
    }

    /** Reads a packet from its IPv4 header on. A cut packet has fewer bytes than it had on the wire. */
    public void packet(ByteBuffer packet, boolean cut) {
        frame++;
        int from = packet.get(15) & 0xff;
        int to = packet.get(19) & 0xff;
        int bth = IPV4 + UDP;
        int opcode = packet.get(bth) & 0xff;
        int pad = packet.get(bth + 1) >> 4 & 3;
        int end = packet.limit() - (cut ? 0 : ICRC + pad);
        ByteBuffer body = packet.slice(bth + BTH, end - bth - BTH);
        switch (opcode) {
            case 0x00, 0x01, 0x02, 0x04, 0x06, 0x07, 0x08, 0x0a -> {
                @Nullable Integer connection = queuePairs.get(to + " " + (packet.getInt(bth + 4) & PSN_MASK));
                @Nullable Flow flow = flows.get(from + " " + connection);
                if (flow != null && flow.psn == (packet.getInt(bth + 8) & PSN_MASK)) {
                    flow.psn = flow.psn + 1 & PSN_MASK;
                    data(flow, opcode, from, body, cut);
                }
            }
            case 0x64 -> cm(from, to, body.slice(DETH, body.limit() - DETH));
            default -> {}
        }
    }

    private void data(Flow flow, int opcode, int from, ByteBuffer body, boolean cut) {
        boolean write = opcode >= 0x06;
        if (cut && !write) {
            throw new IllegalStateException(file + " frame " + frame + ": a SEND is cut");
        }
        if (opcode == 0x06 || opcode == 0x0a) {
            flow.address = body.getLong(0);
            flow.key = body.getInt(8);
            flow.length = body.getInt(12);
            body.position(RETH);
        }
        flow.cut |= cut;
        byte[] payload = new byte[body.remaining()];
        body.get(payload);
        flow.bytes.writeBytes(payload);
        if (opcode == 0x02 || opcode == 0x04) {
            add(Carrier.SEND, from, flow.connection, 0, flow.bytes.toByteArray(), NOTHING, null);
        } else if (opcode == 0x08 || opcode == 0x0a) {
            Captures.Write where = new Captures.Write(flow.address, flow.key, flow.length);
            byte[] content = flow.cut ? NOTHING : flow.bytes.toByteArray();
            add(Carrier.WRITE, from, flow.connection, 0, content, NOTHING, where);
        } else {
            return;
        }
        flow.bytes.reset();
        flow.cut = false;
    }

    private void add(
            Carrier carrier,
            int from,
            int connection,
            int reason,
            byte[] bytes,
            byte[] terms,
            Captures.@Nullable Write where) {
        messages.add(new Message(file, frame, carrier, from, connection, reason, bytes, terms, where));
    }

    private void cm(int from, int to, ByteBuffer mad) {
        int attribute = mad.getShort(16);
        if (!seen.add(from + " " + attribute + " " + mad.getLong(8) + " " + mad.getInt(MAD_HEADER))) {
            return;
        }
        int own = mad.getInt(MAD_HEADER);
        int others = mad.getInt(MAD_HEADER + 4);
        switch (attribute) {
            case 0x10 -> {
                communications.put(from + " " + own, connections);
                flow(from, to, connections, mad.getInt(MAD_HEADER + 32) >>> 8, mad.getInt(MAD_HEADER + 44) >>> 8);
                byte[] terms =
                        pick(mad, 8, 16, 35, 36, 39, 40, 43, 44, 47, 48, 51, 52, 56, 88, 140, 140 + RDMA_CM_HEADER);
                cm(Carrier.CM_REQ, from, connections, mad, 140 + RDMA_CM_HEADER, 92 - RDMA_CM_HEADER, terms);
                connections++;
            }
            case 0x13 -> {
                int connection = connection(to, others);
                communications.put(from + " " + own, connection);
                flow(from, to, connection, mad.getInt(MAD_HEADER + 12) >>> 8, mad.getInt(MAD_HEADER + 20) >>> 8);
                cm(Carrier.CM_REP, from, connection, mad, 36, 196, pick(mad, 24, 28));
            }
            case 0x12 -> {
                int asked = connection(to, others);
                cm(Carrier.CM_REJ, from, asked == UNKNOWN ? connection(from, own) : asked, mad, 84, 148, NOTHING);
            }
            case 0x15 -> cm(Carrier.CM_DREQ, from, connection(from, own), mad, 12, 220, NOTHING);
            default -> {}
        }
    }

    /** A host sent its QP number, and the first PSN of the other host. */
    private void flow(int from, int to, int connection, int qp, int psn) {
        queuePairs.put(from + " " + qp, connection);
        flows.put(to + " " + connection, new Flow(connection, psn));
    }

    private int connection(int host, int communication) {
        return communications.getOrDefault(host + " " + communication, UNKNOWN);
    }

    /** Ranges of a message, each from one offset to another. */
    private static byte[] pick(ByteBuffer mad, int... ranges) {
        ByteArrayOutputStream picked = new ByteArrayOutputStream();
        for (int i = 0; i < ranges.length; i += 2) {
            byte[] range = new byte[ranges[i + 1] - ranges[i]];
            mad.get(MAD_HEADER + ranges[i], range);
            picked.writeBytes(range);
        }
        return picked.toByteArray();
    }

    private void cm(Carrier carrier, int from, int connection, ByteBuffer mad, int offset, int length, byte[] terms) {
        byte[] data = new byte[length];
        mad.get(MAD_HEADER + offset, data);
        int reason = carrier == Carrier.CM_REJ ? mad.getShort(MAD_HEADER + 10) : 0;
        add(carrier, from, connection, reason, data, terms, null);
    }
}
