// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.udp;

import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.wire.Aeth;
import dev.verbena.wire.Bth;
import dev.verbena.wire.FlowIcrc;
import dev.verbena.wire.Icrc;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.Psn;
import dev.verbena.wire.RocePacket;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * RoCEv2 packets as they are sent over UDP, consecutive in memory and grouped into socket messages ({@code struct
 * mmsghdr}). The kernel accepts a socket message as a unit: one packet, or a GSO batch of packets of one length from one
 * socket to one destination. The last packet of a GSO batch may be shorter than the other packets.
 *
 * <p><b>Identification is the place.</b> When the kernel splits a GSO batch into packets, it sets the packets' IPv4
 * Identifications (IP IDs) to 0, 1, 2 and so on. The ICRC covers the IP ID. This class first chooses a packet's index in a
 * GSO batch, and then computes the packet's ICRC. This class is not thread-safe.
 */
final class SendBuffer {
    /** The maximum number of socket messages (datagrams or GSO batches) in a {@code SendBuffer}. */
    static final int MESSAGES = 64;

    /** The maximum number of packets in one GSO batch, a number that all Linux versions with GSO accept. */
    private static final int MOST_PACKETS = 64;

    /** The longest UDP payload over IPv4, in bytes. */
    private static final int MOST_BYTES = 65_507;

    /** The mask of the destination QPN in the second word of a BTH. */
    private static final int QPN_MASK = 0xff_ffff;

    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
    private static final ValueLayout.OfInt WORD = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    /** The layout of the BTH except for its last word. */
    private static final ValueLayout.OfLong START = ValueLayout.JAVA_LONG_UNALIGNED;

    private static final ValueLayout.OfInt ICRC = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final Icrc icrc = new Icrc();
    private final FlowIcrc flow = new FlowIcrc();
    private final MemorySegment bytes;
    private final ByteBuffer buffer;
    private final UdpSocket[] sockets = new UdpSocket[MESSAGES];
    private final InetSocketAddress[] destinations = new InetSocketAddress[MESSAGES];
    private final int[] trafficClasses = new int[MESSAGES];
    private final int[] starts = new int[MESSAGES];
    private final int[] lengths = new int[MESSAGES];
    private final int[] packets = new int[MESSAGES];
    private final int[] segments = new int[MESSAGES];
    private int end;
    /** Whether packets may be appended to the last socket message ({@code struct mmsghdr}) in this buffer. */
    private boolean open;

    private final SendTemplate template = new SendTemplate();

    /** The number of socket messages (datagrams or GSO batches). The field is volatile, because other threads read it. */
    private volatile int count;

    /** Makes a buffer for packets, with a capacity in bytes. */
    SendBuffer(int capacity) {
        bytes = Arena.ofAuto().allocate(capacity, Long.BYTES);
        buffer = bytes.asByteBuffer();
    }

    boolean isEmpty() {
        return count == 0;
    }

    int count() {
        return count;
    }

    UdpSocket socket(int message) {
        return sockets[message];
    }

    InetSocketAddress destination(int message) {
        return destinations[message];
    }

    int trafficClass(int message) {
        return trafficClasses[message];
    }

    /** Returns the memory address of the first packet of a socket message. */
    long address(int message) {
        return bytes.address() + starts[message];
    }

    int length(int message) {
        return lengths[message];
    }

    int packets(int message) {
        return packets[message];
    }

    /** Returns the length of each packet of a socket message except the last packet, which may be shorter. */
    int segment(int message) {
        return segments[message];
    }

    void clear() {
        end = 0;
        open = false;
        count = 0;
        buffer.clear();
    }

    /**
     * Writes a packet. Returns false if this {@code SendBuffer} has no room for the packet.
     *
     * @param index the index of the packet in the segment batch {@code packet}; 0 if {@code packet} is one packet only
     * @param joins whether the packet may be appended to the last {@code struct mmsghdr} in this buffer
     */
    boolean add(SimPacket packet, int index, UdpSocket socket, InetSocketAddress to, boolean joins) {
        int size = packet.length() - packet.bthOffset();
        int last = count - 1;
        if (joins && open && packet.trusted() && size <= segments[last]) {
            int trafficClass = trafficClass(packet);
            boolean fits = packets[last] < MOST_PACKETS
                    && lengths[last] + size <= MOST_BYTES
                    && end + size <= buffer.capacity()
                    && sockets[last] == socket
                    && destinations[last].equals(to)
                    && trafficClasses[last] == trafficClass;
            if (fits) {
                write(packet, index, socket, packets[last]);
                packets[last]++;
                lengths[last] += size;
                open = size == segments[last];
                return true;
            }
        }
        return begin(packet, index, socket, to, joins);
    }

    /**
     * Writes further packets of a segment batch (one {@code SimPacket}) after the packet that the last {@link #add} has
     * written. Computes only the PSN, the AckReq bit and the ICRC of each packet, and copies the other header fields.
     * Returns the index of the first packet for which the buffer has no room.
     *
     * @param from the index of the first packet to write
     */
    int addRest(SimPacket batch, int from) {
        int last = count - 1;
        int size = batch.length() - batch.bthOffset();
        int room = Math.min((MOST_BYTES - lengths[last]) / size, (buffer.capacity() - end) / size);
        int to = Math.min(batch.count(), from + Math.min(MOST_PACKETS - packets[last], room));
        if (!open || !batch.trusted() || to <= from) {
            return from;
        }
        flow.headers(batch);
        long start = bytes.get(START, end - size);
        int psn = batch.bth().psn();
        boolean asks = batch.bth().ackRequest();
        int payload = batch.payloadLength();
        for (int i = from; i < to; i++) {
            int begin = end;
            int at = begin + Bth.LENGTH;
            end = begin + size;
            bytes.set(START, begin, start);
            bytes.set(
                    WORD,
                    begin + Bth.ACK_REQUEST_OFFSET,
                    SegmentBatches.word(Psn.add(psn, i), asks && i == batch.count() - 1));
            MemorySegment.copy(batch.payload(), batch.payloadStart(i), bytes, at, payload);
            pad(at + payload);
            bytes.set(ICRC, end - Icrc.LENGTH, flow.compute(packets[last] + i - from, buffer, begin));
        }
        packets[last] += to - from;
        lengths[last] += (to - from) * size;
        return to;
    }

    /**
     * Writes a packet that has the length and the header fields of the last packet. The packet may differ from the last
     * packet only in PSN, AckReq bit, RETH, AETH and payload. The method also works after the last packet has been sent.
     * Returns false without writing if the packet differs from the last packet in its length or another header field, or if
     * the {@code SendBuffer} is full.
     *
     * @param joins whether the packet may be appended to the last {@code struct mmsghdr} in this buffer
     */
    boolean follow(SimPacket packet, InetSocketAddress to, boolean joins) {
        if (!template.fits(packet, to)) {
            return false;
        }
        int size = template.size();
        int last = count - 1;
        boolean joined = joins
                && open
                && size == segments[last]
                && packets[last] < MOST_PACKETS
                && lengths[last] + size <= MOST_BYTES
                && end + size <= buffer.capacity();
        if (joined) {
            writeLike(packet, packets[last]);
            packets[last]++;
            lengths[last] += size;
            return true;
        }
        UdpSocket socket = template.socket();
        if (socket == null || count == MESSAGES || end + size > buffer.capacity()) {
            return false;
        }
        begin(size, socket, to, template.trafficClass());
        open = true;
        writeLike(packet, 0);
        return true;
    }

    /** Writes a packet with the header fields that {@link #template} has stored. */
    private void writeLike(SimPacket packet, int identification) {
        int begin = end;
        end = begin + template.size();
        int at = template.write(packet, bytes, begin);
        MemorySegment.copy(packet.payload(), packet.payloadStart(), bytes, at, packet.payloadLength());
        pad(at + packet.payloadLength());
        bytes.set(ICRC, end - Icrc.LENGTH, flow.compute(identification, buffer, begin));
    }

    private void pad(int from) {
        for (int i = from; i < end - Icrc.LENGTH; i++) {
            bytes.set(BYTE, i, (byte) 0);
        }
    }

    /** Returns whether this buffer contains one packet only: a positive acknowledgement to the given queue pair. */
    boolean isOneFor(int qpn, InetSocketAddress to) {
        int begin = starts[0];
        return count == 1
                && packets[0] == 1
                && open
                && Opcode.RC_ACKNOWLEDGE == Opcode.of(bytes.get(BYTE, begin) & 0xff)
                && Aeth.kind(bytes.get(BYTE, begin + Bth.LENGTH) & 0xff) == Aeth.Kind.ACK
                && (bytes.get(WORD, begin + Bth.FECN_OFFSET) & QPN_MASK) == qpn
                && destinations[0].equals(to);
    }

    /**
     * Replaces an acknowledgement in the buffer with {@code packet} (invariant "<b>Replaced only by a later one</b>").
     * Returns false unless the buffer's only packet is an acknowledgement to the same queue pair with an earlier PSN.
     */
    boolean replace(SimPacket packet, InetSocketAddress to) {
        boolean same = template.fits(packet, to)
                && Aeth.kind(packet.syndrome()) == Aeth.Kind.ACK
                && isOneFor(packet.destinationQpn(), to);
        if (!same || !Psn.isAfter(packet.psn(), bytes.get(WORD, starts[0] + Bth.ACK_REQUEST_OFFSET) & Psn.MASK)) {
            return false;
        }
        end = starts[0];
        writeLike(packet, 0);
        return true;
    }

    private boolean begin(SimPacket packet, int index, UdpSocket socket, InetSocketAddress to, boolean joined) {
        int size = packet.length() - packet.bthOffset();
        int message = count;
        // A segment batch (one `SimPacket` for several packets) begins a new `mmsghdr` only if the buffer is empty or
        // has room for `MOST_BYTES`. A nearly full buffer would accept only a few packets of the segment batch.
        int needed = joined && packet.count() > 1 && message > 0 ? MOST_BYTES : size;
        if (message == MESSAGES || end + needed > buffer.capacity()) {
            return false;
        }
        begin(size, socket, to, trafficClass(packet));
        open = packet.trusted();
        write(packet, index, socket, 0);
        return true;
    }

    /** Begins a socket message ({@code struct mmsghdr}) for a packet that the caller writes next. */
    private void begin(int size, UdpSocket socket, InetSocketAddress to, int trafficClass) {
        int message = count;
        sockets[message] = socket;
        destinations[message] = to;
        trafficClasses[message] = trafficClass;
        starts[message] = end;
        lengths[message] = size;
        segments[message] = size;
        packets[message] = 1;
        count = message + 1;
    }

    private static int trafficClass(SimPacket packet) {
        return packet.ipv6()
                ? packet.ipv6Header().trafficClass()
                : packet.ipv4Header().trafficClass();
    }

    /**
     * Writes a packet. <b>An altered packet keeps its ICRC</b>, because with a newly computed ICRC the receiver would
     * not detect the alteration.
     */
    private void write(SimPacket packet, int index, UdpSocket socket, int identification) {
        int begin = end;
        int bth = packet.bthOffset();
        int size = packet.length() - bth;
        end = begin + size;
        template.forget();
        if (!packet.trusted()) {
            MemorySegment.copy(packet.segment(), bth, bytes, begin, size);
            return;
        }
        int headers = packet.payloadOffset() - bth;
        int payload = packet.payloadLength();
        MemorySegment.copy(packet.segment(), bth, bytes, begin, headers);
        MemorySegment.copy(packet.payload(), packet.payloadStart(index), bytes, begin + headers, payload);
        pad(begin + headers + payload);
        if (packet.count() > 1) {
            boolean asks = index == packet.count() - 1 && packet.bth().ackRequest();
            int psn = Psn.add(packet.bth().psn(), index);
            bytes.set(WORD, begin + Bth.ACK_REQUEST_OFFSET, SegmentBatches.word(psn, asks));
        }
        packet.udpHeader().sourcePort(socket.port());
        if (!packet.ipv6()) {
            packet.ipv4Header().identification(identification);
        }
        bytes.set(ICRC, end - Icrc.LENGTH, icrc.compute(packet, buffer, begin, size));
        int message = count - 1;
        boolean repeats = packet.count() == 1
                && SegmentBatches.isSmall(packet)
                && template.set(packet, bytes, begin, socket, destinations[message], trafficClasses[message]);
        if (repeats) {
            flow.headers(packet);
        }
    }

    /** Returns one packet of a socket message, with the ICRC of a separate datagram (IPv4 Identification 0). */
    ByteBuffer alone(int message, int index) {
        buffer.clear();
        int begin = starts[message] + index * segments[message];
        int size = Math.min(segments[message], starts[message] + lengths[message] - begin);
        if (index > 0 && !(destinations[message].getAddress() instanceof Inet6Address)) {
            // The packet's ICRC is for IPv4 Identification (IP ID) `index`, but a separate datagram has IP ID 0. A CRC
            // is linear, so the XOR of the ICRCs for two IP IDs does not depend on the other header fields.
            RocePacket any = new RocePacket(Arena.ofAuto());
            any.ipv4Header().initialize(0, 0, 0, 0);
            int change = icrc.compute(any, buffer, begin, size);
            any.ipv4Header().identification(index);
            change ^= icrc.compute(any, buffer, begin, size);
            int place = begin + size - Icrc.LENGTH;
            bytes.set(ICRC, place, bytes.get(ICRC, place) ^ change);
        }
        return buffer.limit(begin + size).position(begin);
    }
}
