package dev.verbena.sim.udp;

import dev.verbena.sim.fabric.PacketPool;
import dev.verbena.sim.fabric.PacketReceiver;
import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.verbs.Gid;
import dev.verbena.wire.Ipv4Header;
import dev.verbena.wire.Ipv6Header;
import dev.verbena.wire.PacketDefect;
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
    /** How many datagrams of one socket are taken before it is the next one's turn. */
    private static final int BURST = 64;

    /** How many messages one call takes at most. */
    private static final int MESSAGES = 16;

    /** The longest datagram that there is. */
    private static final int MESSAGE_BYTES = 1 << 16;

    /** What a sender's hop limit and traffic class were is not to be seen; the ICRC leaves them out. */
    private static final int UNSEEN_HOP_LIMIT = 64;

    /** Where the BTH begins. */
    private static final int IPV4_START = Ipv4Header.LENGTH + UdpHeader.LENGTH;

    private static final int IPV6_START = Ipv6Header.LENGTH + UdpHeader.LENGTH;

    private final PacketPool pool;
    private final EndpointTable table;
    private final PacketReceiver receiver;
    private final UdpCounters counters;
    private final PeerIdentifications identifications;
    private final @Nullable Batch batch;

    /** Packets that go to the receiver together. */
    private final @Nullable SimPacket[] arrived = new SimPacket[BURST];

    private int count;

    /** Where messages arrive. */
    private static final class Batch {
        private final MessageVector messages;
        private final MemorySegment bytes;
        /** A message that was made of many is long, and the next one is probably, too. */
        private int most = MESSAGES;

        Batch() {
            Arena arena = Arena.ofAuto();
            messages = new MessageVector(arena, MESSAGES, MESSAGES);
            bytes = arena.allocate((long) MESSAGES * MESSAGE_BYTES, Long.BYTES);
            for (int i = 0; i < MESSAGES; i++) {
                messages.piece(i, bytes.address() + (long) i * MESSAGE_BYTES, MESSAGE_BYTES);
                messages.message(i, i, 1);
            }
        }
    }

    Inbox(UdpFabric fabric, PacketReceiver receiver, DatagramBatching batching) {
        pool = fabric.pool();
        table = fabric.endpoints();
        counters = fabric.counters();
        this.receiver = receiver;
        identifications = new PeerIdentifications(counters);
        batch = batching == DatagramBatching.NONE ? null : new Batch();
    }

    /** Takes what has come to an endpoint, and hands it on; false if nothing had. */
    boolean take(Endpoint endpoint) throws IOException {
        Batch together = batch;
        if (together != null && endpoint.socket().hasDescriptor()) {
            return takeBatch(endpoint, together);
        }
        int taken = 0;
        try {
            while (taken < BURST && takeOne(endpoint)) {
                taken++;
            }
        } finally {
            deliver();
        }
        return taken > 0;
    }

    private boolean takeOne(Endpoint endpoint) throws IOException {
        SimPacket packet = pool.take();
        boolean received = false;
        try {
            ByteBuffer buffer = packet.buffer().limit(packet.capacity()).position(startOf(endpoint));
            InetSocketAddress sender = endpoint.socket().receive(buffer);
            if (sender == null) {
                return false;
            }
            received = describe(packet, endpoint, sender, buffer.position() - startOf(endpoint), 0);
        } finally {
            if (!received) {
                packet.release();
            }
        }
        if (received) {
            add(packet);
        }
        return true;
    }

    private boolean takeBatch(Endpoint endpoint, Batch together) throws IOException {
        MessageVector messages = together.messages;
        for (int i = 0; i < together.most; i++) {
            messages.toReceive(i);
        }
        int taken = endpoint.socket().receive(messages, together.most);
        if (taken <= 0) {
            return false;
        }
        together.most = messages.segment(0) > 0 ? 1 : MESSAGES;
        try {
            for (int i = 0; i < taken; i++) {
                takeApart(endpoint, together.bytes, i, messages);
            }
        } finally {
            deliver();
        }
        return true;
    }

    private void takeApart(Endpoint endpoint, MemorySegment bytes, int message, MessageVector messages) {
        InetSocketAddress sender = messages.sender(message);
        int length = messages.received(message);
        int segment = messages.segment(message);
        int step = segment > 0 ? segment : Math.max(1, length);
        long begin = (long) message * MESSAGE_BYTES;
        int done = 0;
        int place = 0;
        do {
            int size = Math.min(step, length - done);
            SimPacket packet = pool.take();
            int room = packet.capacity() - startOf(endpoint);
            MemorySegment.copy(bytes, begin + done, packet.segment(), startOf(endpoint), Math.min(room, size));
            if (describe(packet, endpoint, sender, size, place)) {
                add(packet);
            } else {
                packet.release();
            }
            done += size;
            place++;
        } while (done < length);
    }

    private static int startOf(Endpoint endpoint) {
        return endpoint.gid().isIpv4() ? IPV4_START : IPV6_START;
    }

    /**
     * Writes the headers that the socket did not show, and checks what only here can be checked.
     *
     * @param place how many datagrams arrived in the same one before it
     */
    private boolean describe(SimPacket packet, Endpoint endpoint, InetSocketAddress sender, int length, int place) {
        counters.count(UdpCounter.RECEIVED);
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
        boolean checked = !packet.ipv6()
                && packet.parse(packet.length()) == PacketDefect.OK
                && identifications.isIntact(packet, place);
        packet.trusted(checked);
        if (!checked) {
            // Whoever looks at it next finds out what is wrong, and counts it.
            packet.received(length);
        }
        return true;
    }

    private void add(SimPacket packet) {
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
        } catch (Throwable failure) {
            // As for a task of the runtime: the thread goes on.
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, failure);
        }
    }
}
