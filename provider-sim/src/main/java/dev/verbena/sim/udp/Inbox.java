package dev.verbena.sim.udp;

import dev.verbena.sim.fabric.PacketPool;
import dev.verbena.sim.fabric.PacketReceiver;
import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.verbs.Gid;
import dev.verbena.wire.Bth;
import dev.verbena.wire.Icrc;
import dev.verbena.wire.Ipv4Header;
import dev.verbena.wire.Ipv6Header;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.PacketDefect;
import dev.verbena.wire.Reth;
import dev.verbena.wire.Transport;
import dev.verbena.wire.UdpHeader;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Takes datagrams from the sockets of a port and makes packets of them: writes the headers that a socket does not show, and
 * checks what only here can be checked. Datagrams that arrived as one (UDP_GRO) are taken apart. For one thread at a time.
 */
final class Inbox {
    /** In place of a PSN. */
    static final int NO_RESPONSE = -1;

    /** How many datagrams of one socket are taken before it is the next one's turn. */
    private static final int BURST = 64;

    /** What a sender's hop limit and traffic class were is not to be seen; the ICRC leaves them out. */
    private static final int UNSEEN_HOP_LIMIT = 64;

    /** Where the BTH begins. */
    private static final int IPV4_START = Ipv4Header.LENGTH + UdpHeader.LENGTH;

    private static final int IPV6_START = Ipv6Header.LENGTH + UdpHeader.LENGTH;

    /** No datagram is as long. */
    private static final int NO_MODEL = -1;

    private final UdpFabric fabric;
    private final PacketPool pool;
    private final EndpointTable table;
    private final PacketReceiver receiver;
    private final UdpCounters counters;
    private final PeerIdentifications identifications;
    private final boolean refers;
    private final @Nullable ReceiveBuffer buffer;

    /** Packets that go to the receiver together. */
    private final @Nullable SimPacket[] arrived = new SimPacket[BURST];

    private int count;

    /** What the small packets that come are like: the fields of one, of a pool of its own as it is never given back. */
    private final SimPacket model = new PacketPool(Arena.ofAuto()).take();

    /** The length of the datagram that {@link #model} is made of, or {@link #NO_MODEL}. */
    private int modelSize = NO_MODEL;

    private long modelStart;
    private @Nullable Endpoint modelEndpoint;
    private @Nullable InetSocketAddress modelSender;
    private EndpointTable.@Nullable Known modelKnown;
    private final Bth bth = new Bth();
    private final Reth reth = new Reth();

    private int lastResponse = NO_RESPONSE;

    Inbox(UdpFabric fabric, PacketReceiver receiver, DatagramBatching batching) {
        this.fabric = fabric;
        pool = fabric.pool();
        table = fabric.endpoints();
        counters = fabric.counters();
        this.receiver = receiver;
        identifications = new PeerIdentifications(counters);
        refers = receiver.takesFields();
        buffer = batching == DatagramBatching.NONE ? null : new ReceiveBuffer(BURST);
    }

    /** Takes what has come to an endpoint, and hands it on; false if nothing had. */
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

    /** The PSN of the last response among what was taken since the last call, or {@link #NO_RESPONSE}. */
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

    /** As {@link #takePacket}; a packet that makes it throw is dropped, and those after it are taken. */
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
     * Takes a packet out of a message, or a train.
     *
     * @param place how many packets of the message came before it
     * @param most how many packets of this length there are
     * @return how many were taken
     */
    private int takePacket(
            Endpoint endpoint, InetSocketAddress sender, ReceiveBuffer from, int begin, int size, int place, int most) {
        if (follow(endpoint, sender, from, begin, size, place)) {
            return 1;
        }
        SimPacket packet = pool.take();
        int start = startOf(endpoint);
        int headers = refers && start == IPV4_START ? lendableFrom(from.bytes(), begin, size) : 0;
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
            int taken = Trains.isBegun(packet) ? extend(packet, from.bytes(), begin, size, most) : 1;
            if (Trains.isSmall(packet)) {
                beLike(packet, endpoint, sender, from.bytes().getLong(begin));
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

    /** Lets packets follow on one whose headers are good. */
    private void beLike(SimPacket packet, Endpoint endpoint, InetSocketAddress sender, long start) {
        packet.decode();
        identifications.lead(packet);
        model.copyFields(packet);
        modelSize = packet.length() - packet.bthOffset();
        modelStart = start;
        modelEndpoint = endpoint;
        modelSender = sender;
        modelKnown = table.known();
    }

    /** Takes a packet that is like one before it, whose headers are good; false if it is not. */
    @SuppressWarnings(
            "ReferenceEquality") // What is known of addresses is what it is by identity; so are addresses lately read.
    private boolean follow(
            Endpoint endpoint, InetSocketAddress sender, ReceiveBuffer from, int begin, int size, int place) {
        if (size != modelSize
                || from.bytes().getLong(begin) != modelStart
                || sender != modelSender
                || endpoint != modelEndpoint
                || table.known() != modelKnown
                || !identifications.isNextAsSent(from.bytes(), begin, size, place)) {
            return false;
        }
        SimPacket packet = pool.take();
        packet.copyFields(model);
        bth.wrap(from.segment(), begin);
        packet.psn(bth.psn());
        packet.ackRequest(bth.ackRequest());
        int headers = packet.opcode().headerLength();
        if (packet.opcode().hasReth()) {
            reth.wrap(from.segment(), begin + Bth.LENGTH);
            packet.reth(reth.virtualAddress(), reth.remoteKey(), reth.dmaLength());
        }
        from.refer(packet, begin + headers, size);
        put(packet);
        return true;
    }

    /** Makes a train of a packet and those that follow on it; returns how many they are. */
    private int extend(SimPacket packet, ByteBuffer bytes, int begin, int size, int most) {
        int count = 1;
        boolean asks = packet.bth().ackRequest();
        if (most > 1) {
            identifications.lead(packet);
            modelSize = NO_MODEL;
        }
        while (!asks && count < most) {
            int next = begin + count * size;
            if (!Trains.follows(bytes, begin, next, count) || !identifications.isNextAsSent(bytes, next, size, count)) {
                break;
            }
            asks = Trains.asks(bytes, next);
            count++;
        }
        packet.bth().ackRequest(asks);
        packet.count(count);
        return count;
    }

    /** How long the headers are of a packet that may refer to its payload; 0 if it may not. */
    private static int lendableFrom(ByteBuffer bytes, int begin, int size) {
        if (size < Bth.LENGTH + Icrc.LENGTH) {
            return 0;
        }
        Opcode opcode = Opcode.of(bytes.get(begin) & 0xff);
        if (opcode == null || opcode.transport() != Transport.RC || opcode.hasIeth()) {
            return 0;
        }
        boolean lendable = (opcode.isSend() || opcode.isWrite()) && opcode.headerLength() + Icrc.LENGTH < size;
        return lendable ? opcode.headerLength() : 0;
    }

    private static int startOf(Endpoint endpoint) {
        return endpoint.gid().isIpv4() ? IPV4_START : IPV6_START;
    }

    /** Writes the headers that the socket did not show, and checks what only here can be checked. */
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
        // Of a packet that has not been checked, as over IPv6, this is what it says.
        Opcode opcode = length < Bth.LENGTH ? null : Opcode.of(packet.bth().opcode());
        if (opcode != null && !opcode.isRequest()) {
            lastResponse = packet.bth().psn();
        }
        if (!checked) {
            // Whoever looks at it next finds out what is wrong, and counts it.
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
