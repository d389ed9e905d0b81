// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.udp;

import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.wire.Opcode;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The packets that a port has queued and not yet passed to the operating system. {@link #flush()} sends all queued packets,
 * where possible by one system call for each socket. Packets of one length from one socket to one destination are passed to
 * the kernel as one GSO batch. The kernel or the NIC splits a GSO batch into datagrams (UDP_SEGMENT).
 *
 * <p>Acknowledgements have a separate {@link SendBuffer}. {@link #flush()} sends them last, because a peer may wait for
 * other packets. A response of another type is sent after all earlier acknowledgements. This class is thread-safe.
 */
final class TxQueue {
    /** The send buffer for packets other than acknowledgements has room for four GSO batches of the maximum length. */
    private static final int REQUEST_BYTES = 1 << 18;

    private static final int ANSWER_BYTES = 1 << 13;

    private final UdpCounters counters;
    private final @Nullable MessageVector vector;
    private final SendBuffer others = new SendBuffer(REQUEST_BYTES);
    private final SendBuffer acknowledgements = new SendBuffer(ANSWER_BYTES);

    /** Decides when the acknowledgements are sent. Guarded by the monitor. */
    private final AckCoalescer coalescer = new AckCoalescer();

    /** The number of datagrams passed to the operating system; a GSO batch counts as one. Writers hold the monitor. */
    private final AtomicLong sent = new AtomicLong();

    /** Whether this queue sends GSO batches (UDP_SEGMENT). Writers hold the monitor. */
    private boolean segments;

    TxQueue(UdpCounters counters, DatagramBatching batching) {
        this.counters = counters;
        segments = batching == DatagramBatching.SEGMENTS;
        vector = batching == DatagramBatching.NONE
                ? null
                : new MessageVector(Arena.ofAuto(), SendBuffer.MESSAGES, SendBuffer.MESSAGES);
    }

    /**
     * Adds a packet to the queue. The packet may stay queued until {@link #flush()} is called. A zero-copy payload is
     * copied before this method returns.
     */
    void add(SimPacket packet, UdpSocket socket, InetSocketAddress to) {
        boolean acknowledges = packet.trusted() && packet.opcode() == Opcode.RC_ACKNOWLEDGE;
        boolean answers = packet.trusted() && !packet.opcode().isRequest();
        synchronized (this) {
            if (answers && !acknowledges && !acknowledgements.isEmpty()) {
                // Responses must stay in order, so earlier acknowledgements are sent before this response.
                send(others);
                send(acknowledgements);
            }
            SendBuffer buffer = acknowledges ? acknowledgements : others;
            if (!acknowledges) {
                onRequest(packet.bth().destinationQpn(), packet.bth().psn(), to);
            }
            for (int i = 0; i < packet.count(); ) {
                if (!buffer.add(packet, i, socket, to, segments)) {
                    send(others);
                    send(buffer);
                    buffer.add(packet, i, socket, to, segments);
                }
                i = segments && packet.count() > 1 ? buffer.addRest(packet, i + 1) : i + 1;
            }
            if (acknowledges) {
                coalescer.added();
            }
        }
        packet.release();
    }

    /**
     * Adds a packet to this queue if {@link SendBuffer#follow} accepts the packet. An ACK is also added if it can replace a
     * delayed ACK. Otherwise returns false. Call only if {@link SimPacket#hasFields()} is true.
     */
    boolean follow(SimPacket packet, InetSocketAddress to) {
        if (packet.count() > 1) {
            return false;
        }
        boolean acknowledges = packet.opcode() == Opcode.RC_ACKNOWLEDGE;
        synchronized (this) {
            if (acknowledges ? !acknowledge(packet, to) : !others.follow(packet, to, segments)) {
                return false;
            }
            if (!acknowledges) {
                onRequest(packet.destinationQpn(), packet.psn(), to);
            }
        }
        packet.release();
        return true;
    }

    private void onRequest(int qpn, int psn, InetSocketAddress to) {
        if (acknowledgements.isOneFor(qpn, to)) {
            coalescer.answered(psn);
        }
    }

    private boolean acknowledge(SimPacket packet, InetSocketAddress to) {
        if (coalescer.isHeld() && acknowledgements.replace(packet, to)) {
            coalescer.replaced();
            counters.count(UdpCounter.ACKS_REPLACED);
            return true;
        }
        if (!acknowledgements.follow(packet, to, segments)) {
            return false;
        }
        coalescer.added();
        return true;
    }

    void flush() {
        if (!others.isEmpty() || !acknowledgements.isEmpty()) {
            synchronized (this) {
                send(others);
                send(acknowledgements);
            }
        }
    }

    /**
     * If this queue contains an acknowledgement, sends all packets of this queue. If no acknowledgement is pending, {@code
     * flushHeld} acquires no lock and sends no packet. Packets other than acknowledgements are sent by {@link #flush()},
     * which the thread that queued them calls.
     */
    void flushHeld() {
        if (!acknowledgements.isEmpty()) {
            flush();
        }
    }

    /** Sends all queued packets except for acknowledgements. */
    void flushUrgent() {
        if (!others.isEmpty()) {
            synchronized (this) {
                send(others);
            }
        }
    }

    /** Returns the number of datagrams passed to the operating system. A GSO batch counts as one datagram. */
    long sent() {
        return sent.get();
    }

    /**
     * Reports a received response to the coalescer. A peer that has sent a response may be waiting for an acknowledgement
     * that the coalescer delays.
     */
    void onResponse(int psn) {
        if (!acknowledgements.isEmpty()) {
            synchronized (this) {
                coalescer.acknowledged(psn);
            }
        }
    }

    /**
     * Ends an application thread's poll: sends the queued packets except for acknowledgements that the {@link AckCoalescer}
     * keeps pending.
     */
    void endPoll(boolean any) {
        if (others.isEmpty() && acknowledgements.isEmpty()) {
            return;
        }
        synchronized (this) {
            send(others);
            if (coalescer.endPoll(any)) {
                send(acknowledgements);
            }
        }
    }

    private void send(SendBuffer buffer) {
        int end = buffer.count();
        try {
            for (int from = 0; from < end; ) {
                from = sendFrom(buffer, from, end);
            }
        } finally {
            // The send buffer is cleared even after an exception, and the packets still in it are lost. If the send
            // buffer kept a packet that causes an exception, every later flush would fail.
            buffer.clear();
        }
        sent.lazySet(sent.get() + end);
        if (buffer == acknowledgements) {
            coalescer.left();
        }
    }

    /** Sends datagrams or GSO batches of the same socket and traffic class. Returns the index of the first one not sent. */
    private int sendFrom(SendBuffer buffer, int from, int end) {
        UdpSocket socket = buffer.socket(from);
        MessageVector messages = vector;
        if (messages == null || !socket.hasDescriptor()) {
            sendAlone(buffer, from);
            return from + 1;
        }
        int trafficClass = buffer.trafficClass(from);
        if (from + 1 == end && buffer.packets(from) == 1) {
            int sent = socket.send(
                    messages, buffer.address(from), buffer.length(from), buffer.destination(from), trafficClass);
            if (sent >= 0) {
                counters.count(UdpCounter.SENT);
            } else {
                onFailure(buffer, from, messages.errno());
            }
            return end;
        }
        int next = from;
        while (next < end && buffer.socket(next) == socket && buffer.trafficClass(next) == trafficClass) {
            int message = next - from;
            messages.piece(message, buffer.address(next), buffer.length(next));
            messages.message(message, message, 1);
            messages.toSend(message, buffer.destination(next), buffer.packets(next) > 1 ? buffer.segment(next) : 0);
            next++;
        }
        for (int done = from; done < next; ) {
            int sent = socket.send(messages, done - from, next - done, trafficClass);
            for (int i = 0; i < sent; i++) {
                counters.add(UdpCounter.SENT, buffer.packets(done++));
            }
            if (sent <= 0) {
                onFailure(buffer, done++, messages.errno());
            }
        }
        return next;
    }

    private void onFailure(SendBuffer buffer, int message, int errno) {
        int packets = buffer.packets(message);
        if (errno == SocketCalls.EAGAIN) {
            counters.add(UdpCounter.DROPPED_BUFFER_FULL, packets);
        } else if (packets > 1 && (errno == SocketCalls.EIO || errno == SocketCalls.EINVAL)) {
            // If the packets can be sent as separate datagrams but not as a GSO batch, the IP route does not support
            // UDP_SEGMENT. The port then sends no further GSO batch.
            if (sendAlone(buffer, message)) {
                segments = false;
                counters.count(UdpCounter.SEGMENTATION_REFUSED);
            }
        } else {
            counters.add(UdpCounter.DROPPED_SEND_FAILED, packets);
        }
    }

    /** Sends the packets of a socket message as separate datagrams. Returns whether at least one packet was sent. */
    private boolean sendAlone(SendBuffer buffer, int message) {
        boolean any = false;
        for (int i = 0; i < buffer.packets(message); i++) {
            UdpCounter outcome = tryAlone(
                    buffer.alone(message, i),
                    buffer.socket(message),
                    buffer.destination(message),
                    buffer.trafficClass(message));
            counters.count(outcome);
            any |= outcome == UdpCounter.SENT;
        }
        return any;
    }

    private static UdpCounter tryAlone(ByteBuffer bytes, UdpSocket socket, InetSocketAddress to, int trafficClass) {
        try {
            return socket.send(bytes, to, trafficClass) ? UdpCounter.SENT : UdpCounter.DROPPED_BUFFER_FULL;
        } catch (IOException e) {
            return UdpCounter.DROPPED_SEND_FAILED;
        }
    }
}
