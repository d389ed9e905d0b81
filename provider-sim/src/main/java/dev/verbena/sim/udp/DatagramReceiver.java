// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.udp;

import dev.verbena.sim.fabric.PacketPool;
import dev.verbena.sim.fabric.PacketReceiver;
import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.verbs.Gid;
import dev.verbena.wire.Bth;
import dev.verbena.wire.Extension;
import dev.verbena.wire.Icrc;
import dev.verbena.wire.Ipv4Header;
import dev.verbena.wire.Ipv6Header;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.PacketDefect;
import dev.verbena.wire.Transport;
import dev.verbena.wire.UdpHeader;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Receives datagrams from the sockets of a port and converts them to packets. A socket does not return the IP and UDP
 * headers, so this class reconstructs the headers and checks the ICRC, which covers them. This class also splits GRO
 * batches ({@code UDP_GRO}) into packets. This class is not thread-safe.
 */
final class DatagramReceiver {
    /** The value of {@link #lastResponse} if no packet was a response. */
    static final int NO_RESPONSE = -1;

    /** The number of datagrams received from one socket before the next socket is polled. */
    private static final int BURST = 64;

    /**
     * The hop limit written into received packets, because a socket does not return the sender's hop limit. The ICRC excludes
     * hop limit and traffic class.
     */
    private static final int UNSEEN_HOP_LIMIT = 64;

    private static final int IPV4_START = Ipv4Header.LENGTH + UdpHeader.LENGTH;

    private static final int IPV6_START = Ipv6Header.LENGTH + UdpHeader.LENGTH;

    private final UdpFabric fabric;
    private final PacketPool pool;
    private final EndpointTable table;
    private final PacketReceiver receiver;
    private final UdpCounters counters;
    private final IpIdTracker identifications;
    private final boolean refers;
    private final @Nullable ReceiveBuffer buffer;

    /** The packets for the next call of {@link PacketReceiver#onPackets}. */
    private final @Nullable SimPacket[] arrived = new SimPacket[BURST];

    private int count;

    private final ReceiveTemplate template = new ReceiveTemplate();
    private int lastResponse = NO_RESPONSE;

    DatagramReceiver(UdpFabric fabric, PacketReceiver receiver, DatagramBatching batching) {
        this.fabric = fabric;
        pool = fabric.pool();
        table = fabric.endpoints();
        counters = fabric.counters();
        this.receiver = receiver;
        identifications = new IpIdTracker(counters);
        refers = receiver.takesFields();
        buffer = batching == DatagramBatching.NONE ? null : new ReceiveBuffer(BURST);
    }

    /**
     * Receives the datagrams that have arrived at a UDP endpoint, and passes their packets to the
     * {@link PacketReceiver}. Returns false if no datagram had arrived.
     */
    boolean take(Endpoint endpoint) throws IOException {
        ReceiveBuffer together = buffer;
        if (together != null && endpoint.socket().hasDescriptor()) {
            return takeMessages(endpoint, together);
        }
        int taken = 0;
        try {
            while (taken < BURST && tryTakeOne(endpoint)) {
                taken++;
            }
        } finally {
            deliver();
        }
        return taken > 0;
    }

    /** Returns the PSN of the last response received since the last call, or {@link #NO_RESPONSE}. */
    int lastResponse() {
        int last = lastResponse;
        lastResponse = NO_RESPONSE;
        return last;
    }

    private boolean tryTakeOne(Endpoint endpoint) throws IOException {
        try {
            return takeOne(endpoint);
        } catch (RuntimeException | Error thrown) {
            fabric.failed(thrown);
            return true;
        }
    }

    private boolean takeOne(Endpoint endpoint) throws IOException {
        SimPacket packet = pool.take();
        int start = startOf(endpoint);
        int length = -1;
        try {
            ByteBuffer bytes = packet.buffer().limit(packet.capacity()).position(start);
            InetSocketAddress sender = endpoint.socket().receive(bytes);
            if (sender == null) {
                return false;
            }
            counters.count(UdpCounter.RECEIVED);
            length = bytes.position() - start;
            if (!describe(packet, endpoint, sender, length)) {
                length = -1;
            }
        } finally {
            if (length < 0) {
                packet.release();
            }
        }
        if (length >= 0) {
            boolean checked = isIpv4Packet(packet)
                    && (identifications.isAsSent(packet, packet.buffer(), start, length, 0)
                            || identifications.isOtherwise(packet));
            add(packet, checked, length);
        }
        return true;
    }

    private boolean takeMessages(Endpoint endpoint, ReceiveBuffer from) throws IOException {
        int taken = from.take(endpoint.socket());
        try {
            for (int i = 0; i < taken; i++) {
                takeApart(endpoint, from, i);
            }
        } finally {
            for (int i = 0; i < taken; i++) {
                from.done(i);
            }
            deliver();
        }
        return taken > 0;
    }

    private void takeApart(Endpoint endpoint, ReceiveBuffer from, int message) {
        InetSocketAddress sender = from.sender(message);
        int length = from.length(message);
        int segment = from.step(message);
        int step = segment > 0 ? segment : Math.max(1, length);
        int begin = from.begin(message);
        int end = begin + length;
        int place = 0;
        do {
            int size = Math.min(step, end - begin);
            int taken = tryTakePacket(endpoint, sender, from, begin, size, place, (end - begin) / step);
            counters.add(UdpCounter.RECEIVED, taken);
            begin += taken * step;
            place += taken;
        } while (begin < end);
    }

    /** Calls {@link #takePacket}. A packet that causes an exception is dropped, and the packets after it are still received. */
    private int tryTakePacket(
            Endpoint endpoint, InetSocketAddress sender, ReceiveBuffer from, int begin, int size, int place, int most) {
        try {
            return takePacket(endpoint, sender, from, begin, size, place, most);
        } catch (Throwable thrown) {
            fabric.failed(thrown);
            return 1;
        }
    }

    /**
     * Reads one packet, or one segment batch (one {@link SimPacket} for several packets), from a datagram or GRO batch.
     * Returns the number of packets read.
     *
     * @param place the number of packets before this packet in the GRO batch
     * @param most the number of packets of the same length from this packet to the end of the GRO batch
     */
    private int takePacket(
            Endpoint endpoint, InetSocketAddress sender, ReceiveBuffer from, int begin, int size, int place, int most) {
        if (follow(endpoint, sender, from, begin, size, place)) {
            return 1;
        }
        SimPacket packet = pool.take();
        int start = startOf(endpoint);
        int headers = refers && start == IPV4_START ? borrowableHeaders(from.bytes(), begin, size) : 0;
        int room = packet.capacity() - start;
        MemorySegment.copy(
                from.segment(), begin, packet.segment(), start, headers > 0 ? headers : Math.min(room, size));
        if (!describe(packet, endpoint, sender, size)) {
            packet.release();
            return 1;
        }
        boolean fine = isIpv4Packet(packet);
        boolean asSent = fine && identifications.isAsSent(packet, from.bytes(), begin, size, place);
        if (headers > 0 && asSent && packet.payloadLength() > 0) {
            from.refer(packet, begin + headers, size);
            int taken = SegmentBatches.isBegun(packet) ? extend(packet, from.bytes(), begin, size, most) : 1;
            if (SegmentBatches.isSmall(packet)) {
                packet.decode();
                identifications.lead(packet);
                template.set(
                        packet, endpoint, sender, table.known(), from.bytes().getLong(begin));
            }
            add(packet, true, size);
            return taken;
        }
        if (headers > 0) {
            MemorySegment.copy(from.segment(), begin, packet.segment(), start, size);
        }
        add(packet, asSent || (fine && identifications.isOtherwise(packet)), size);
        return 1;
    }

    /** Reads a packet if its headers equal those of the {@link ReceiveTemplate}. Returns whether the packet was read. */
    private boolean follow(
            Endpoint endpoint, InetSocketAddress sender, ReceiveBuffer from, int begin, int size, int place) {
        if (!template.fits(endpoint, sender, table.known(), from.bytes().getLong(begin), size)
                || !identifications.isNextAsSent(from.bytes(), begin, size, place)) {
            return false;
        }
        SimPacket packet = pool.take();
        template.fill(packet, from.segment(), begin);
        from.refer(packet, begin + packet.opcode().headerLength(), size);
        put(packet);
        return true;
    }

    /**
     * Combines a received packet and the packets after it into a segment batch (one {@link SimPacket} for several packets).
     * All combined packets belong to one RDMA message (invariant "<b>One batch, one message</b>"). Each combined packet has
     * a correct ICRC (invariant "<b>Every packet is checked</b>"). Returns the number of combined packets.
     */
    private int extend(SimPacket packet, ByteBuffer bytes, int begin, int size, int most) {
        int count = 1;
        boolean asks = packet.bth().ackRequest();
        if (most > 1) {
            identifications.lead(packet);
            template.forget();
        }
        while (!asks && count < most) {
            int next = begin + count * size;
            if (!SegmentBatches.follows(bytes, begin, next, count)
                    || !identifications.isNextAsSent(bytes, next, size, count)) {
                break;
            }
            asks = SegmentBatches.asks(bytes, next);
            count++;
        }
        packet.bth().ackRequest(asks);
        packet.count(count);
        return count;
    }

    /** Returns the length of the packet's headers if the packet may have a zero-copy payload, or 0 otherwise. */
    private static int borrowableHeaders(ByteBuffer bytes, int begin, int size) {
        if (size < Bth.LENGTH + Icrc.LENGTH) {
            return 0;
        }
        Opcode opcode = Opcode.of(bytes.get(begin) & 0xff);
        if (opcode == null || opcode.transport() != Transport.RC || opcode.has(Extension.IETH)) {
            return 0;
        }
        boolean borrowable = (opcode.isSend() || opcode.isWrite()) && opcode.headerLength() + Icrc.LENGTH < size;
        return borrowable ? opcode.headerLength() : 0;
    }

    private static int startOf(Endpoint endpoint) {
        return endpoint.gid().isIpv4() ? IPV4_START : IPV6_START;
    }

    /**
     * Checks a received packet's length and IP version, and writes its IP and UDP headers, which the socket does not
     * return. Returns false if the packet must be dropped.
     */
    private boolean describe(SimPacket packet, Endpoint endpoint, InetSocketAddress sender, int length) {
        if (length >= packet.capacity() - startOf(endpoint)) {
            counters.count(UdpCounter.DROPPED_TOO_LONG);
            return false;
        }
        Gid from = endpoint.gidOf(sender, table);
        Gid to = endpoint.gid();
        if (from.isIpv4() != to.isIpv4()) {
            counters.count(UdpCounter.DROPPED_FOREIGN);
            return false;
        }
        packet.begin(from.high(), from.low(), to.high(), to.low(), sender.getPort(), 0, UNSEEN_HOP_LIMIT);
        packet.received(length);
        return true;
    }

    private static boolean isIpv4Packet(SimPacket packet) {
        return !packet.ipv6() && packet.parse(packet.length()) == PacketDefect.OK;
    }

    private void add(SimPacket packet, boolean checked, int length) {
        packet.trusted(checked);
        // A packet whose ICRC is wrong or unchecked (as for IPv6) may have an undefined opcode, or no opcode at all.
        Opcode opcode = length < Bth.LENGTH ? null : Opcode.of(packet.bth().opcode());
        if (opcode != null && !opcode.isRequest()) {
            lastResponse = packet.bth().psn();
        }
        if (!checked) {
            // If the packet is malformed or has a wrong ICRC, `SimPort.isIntact` will detect and count the error.
            packet.received(length);
        }
        put(packet);
    }

    private void put(SimPacket packet) {
        arrived[count++] = packet;
        if (count == BURST) {
            deliver();
        }
    }

    private void deliver() {
        int end = count;
        count = 0;
        if (end == 0) {
            return;
        }
        try {
            receiver.onPackets(arrived, end);
        } catch (Throwable thrown) {
            fabric.failed(thrown);
        }
        if (buffer != null) {
            buffer.recall();
        }
    }
}
