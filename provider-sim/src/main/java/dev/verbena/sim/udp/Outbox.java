package dev.verbena.sim.udp;

import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.wire.Opcode;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The packets of a port that are on their way out. Where the system allows, they are gathered until {@link #flush()}, and leave
 * by one call for each socket; packets of one length from one socket to one address even as one datagram, which the system, or
 * the network card, cuts (UDP_SEGMENT). Elsewhere each leaves at once.
 *
 * <p>The system numbers the IPv4 identification of what it cuts: 0, 1, 2, .... That is part of the ICRC, and so a packet is
 * sealed when its place is known. May be used from several threads.
 */
final class Outbox {
    /** How many packets are gathered at most. */
    static final int CAPACITY = 64;

    /** The longest UDP payload over IPv4. */
    private static final int MOST_BYTES = 65_507;

    private static final SimPacket[] NOTHING = {};

    private final UdpCounters counters;
    private final boolean batches;
    private final @Nullable SimPacket[] packets;
    private final UdpSocket[] sockets;
    private final InetSocketAddress[] destinations;
    /** How many packets each message of the vector has. */
    private final int[] lengths = new int[CAPACITY];

    private final @Nullable MessageVector vector;
    private boolean segments;

    /** Written with the monitor held. */
    private volatile int count;

    /** Whether something waits that somebody may wait for: anything but an acknowledgement. */
    private volatile boolean urgent;

    Outbox(UdpCounters counters, DatagramBatching batching) {
        this.counters = counters;
        batches = batching != DatagramBatching.NONE;
        segments = batching == DatagramBatching.SEGMENTS;
        packets = batches ? new SimPacket[CAPACITY] : NOTHING;
        sockets = new UdpSocket[packets.length];
        destinations = new InetSocketAddress[packets.length];
        vector = batches ? new MessageVector(Arena.ofAuto(), CAPACITY, CAPACITY) : null;
    }

    /** Takes a packet, to be sent by the next {@link #flush()} at the latest. */
    void add(SimPacket packet, UdpSocket socket, InetSocketAddress to) {
        if (!batches || !socket.hasDescriptor()) {
            sendAlone(packet, socket, to);
            return;
        }
        synchronized (this) {
            int index = count;
            packets[index] = packet;
            sockets[index] = socket;
            destinations[index] = to;
            urgent |= !isAcknowledgement(packet);
            count = index + 1;
            if (index + 1 == CAPACITY) {
                flush();
            }
        }
    }

    private static boolean isAcknowledgement(SimPacket packet) {
        return packet.trusted() && packet.opcode() == Opcode.RC_ACKNOWLEDGE;
    }

    private void sendAlone(SimPacket packet, UdpSocket socket, InetSocketAddress to) {
        counters.count(tryAlone(packet, socket, to));
        packet.release();
    }

    private static UdpCounter tryAlone(SimPacket packet, UdpSocket socket, InetSocketAddress to) {
        seal(packet, socket, 0);
        ByteBuffer bytes = packet.buffer().position(packet.bthOffset());
        try {
            return socket.send(bytes, to, trafficClass(packet)) ? UdpCounter.SENT : UdpCounter.DROPPED_BUFFER_FULL;
        } catch (IOException e) {
            return UdpCounter.DROPPED_SEND_FAILED;
        }
    }

    /** What a fault has altered stays as it is: a right ICRC would hide it. */
    private static void seal(SimPacket packet, UdpSocket socket, int identification) {
        if (packet.trusted()) {
            packet.udpHeader().sourcePort(socket.port());
            if (!packet.ipv6()) {
                packet.ipv4Header().identification(identification);
            }
            packet.seal();
        }
    }

    private static int trafficClass(SimPacket packet) {
        return packet.ipv6()
                ? packet.ipv6Header().trafficClass()
                : packet.ipv4Header().trafficClass();
    }

    private static int payload(SimPacket packet) {
        return packet.length() - packet.bthOffset();
    }

    /** Lets go what was added. */
    void flush() {
        if (count > 0) {
            sendAll();
        }
    }

    /** As {@link #flush()}, unless there are acknowledgements only. */
    void flushUrgent() {
        if (urgent) {
            flush();
        }
    }

    private synchronized void sendAll() {
        int end = count;
        if (end == 2) {
            letTheLongerGoFirst();
        }
        MessageVector messages = vector;
        if (messages == null) {
            return;
        }
        int from = 0;
        while (from < end) {
            from = sendFrom(from, end, messages);
        }
        for (int i = 0; i < end; i++) {
            packet(i).release();
            packets[i] = null;
        }
        urgent = false;
        count = 0;
    }

    /** An acknowledgement and the answer of the program: they can leave as one if the shorter one is the last. */
    private void letTheLongerGoFirst() {
        SimPacket first = packet(0);
        SimPacket second = packet(1);
        if (sockets[0] == sockets[1]
                && destinations[0].equals(destinations[1])
                && isAcknowledgement(first)
                && second.trusted()
                && second.opcode().isRequest()
                && payload(first) < payload(second)) {
            packets[0] = second;
            packets[1] = first;
        }
    }

    private SimPacket packet(int index) {
        SimPacket packet = packets[index];
        if (packet == null) {
            throw new IllegalStateException("no packet at " + index);
        }
        return packet;
    }

    /** Sends packets that leave from one socket in one traffic class; returns the first of the others. */
    private int sendFrom(int from, int end, MessageVector messages) {
        UdpSocket socket = sockets[from];
        int trafficClass = trafficClass(packet(from));
        int made = 0;
        int next = from;
        while (next < end && sockets[next] == socket && trafficClass(packet(next)) == trafficClass) {
            int length = runFrom(next, end, trafficClass);
            for (int i = 0; i < length; i++) {
                SimPacket packet = packet(next + i);
                seal(packet, socket, i);
                messages.piece(next + i, packet.segment().address() + packet.bthOffset(), payload(packet));
            }
            messages.message(made, next, length);
            messages.toSend(made, destinations[next], length > 1 ? payload(packet(next)) : 0);
            lengths[made++] = length;
            next += length;
        }
        send(messages, socket, trafficClass, made, from);
        return next;
    }

    /** How many packets from one on can leave as one: of one length, but for the last one, which may be shorter. */
    private int runFrom(int first, int end, int trafficClass) {
        if (!segments || !packet(first).trusted()) {
            return 1;
        }
        int size = payload(packet(first));
        int bytes = size;
        int length = 1;
        int last = size;
        for (int i = first + 1; i < end && last == size; i++) {
            SimPacket packet = packet(i);
            last = payload(packet);
            bytes += last;
            boolean fits = last <= size
                    && bytes <= MOST_BYTES
                    && packet.trusted()
                    && sockets[i] == sockets[first]
                    && destinations[i].equals(destinations[first])
                    && trafficClass(packet) == trafficClass;
            if (!fits) {
                break;
            }
            length++;
        }
        return length;
    }

    private void send(MessageVector messages, UdpSocket socket, int trafficClass, int made, int firstPacket) {
        int packet = firstPacket;
        int done = 0;
        while (done < made) {
            int sent = socket.send(messages, done, made - done, trafficClass);
            for (int i = 0; i < sent; i++) {
                counters.add(UdpCounter.SENT, lengths[done]);
                packet += lengths[done++];
            }
            if (sent <= 0) {
                onFailure(messages.errno(), packet, lengths[done]);
                packet += lengths[done++];
            }
        }
    }

    private void onFailure(int errno, int first, int length) {
        if (errno == SocketCalls.EAGAIN) {
            counters.add(UdpCounter.DROPPED_BUFFER_FULL, length);
        } else if (length > 1 && (errno == SocketCalls.EIO || errno == SocketCalls.EINVAL)) {
            sendUncut(first, length);
        } else {
            counters.add(UdpCounter.DROPPED_SEND_FAILED, length);
        }
    }

    /** Where the packets go alone though not together, the way there knows no segments; then this port does without. */
    private void sendUncut(int first, int length) {
        boolean any = false;
        for (int i = first; i < first + length; i++) {
            UdpCounter outcome = tryAlone(packet(i), sockets[i], destinations[i]);
            counters.count(outcome);
            any |= outcome == UdpCounter.SENT;
        }
        if (any) {
            segments = false;
            counters.count(UdpCounter.SEGMENTATION_REFUSED);
        }
    }
}
