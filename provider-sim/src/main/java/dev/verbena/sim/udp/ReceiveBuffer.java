// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.udp;

import dev.verbena.sim.fabric.SimPacket;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/**
 * The memory segment for received datagrams and GRO batches, and the zero-copy payloads that refer to it. If a packet still
 * refers to the memory segment, the next receive call uses a new memory segment. This class is not thread-safe.
 */
final class ReceiveBuffer {
    /** The maximum number of datagrams or GRO batches ({@code struct mmsghdr}) that one call receives. */
    private static final int MESSAGES = 16;

    /** The maximum length of a datagram. */
    private static final int MESSAGE_BYTES = 1 << 16;

    private final MessageVector messages = new MessageVector(Arena.ofAuto(), MESSAGES, MESSAGES);
    private MemorySegment segment = MemorySegment.NULL;
    private ByteBuffer bytes = ByteBuffer.allocate(0);
    private View[] views;
    private int used;
    private boolean kept = true;

    /** The maximum number of datagrams or GRO batches for the next call; 1 after a call that received no datagram. */
    private int most = 1;

    /** Makes a buffer. At most the given number of zero-copy payloads can refer to the buffer at a time. */
    ReceiveBuffer(int references) {
        views = newViews(references);
    }

    private static View[] newViews(int count) {
        View[] made = new View[count];
        for (int i = 0; i < count; i++) {
            made[i] = new View();
        }
        return made;
    }

    private void renew() {
        MemorySegment fresh = Arena.ofAuto().allocate((long) MESSAGES * MESSAGE_BYTES, Long.BYTES);
        bytes = fresh.asByteBuffer();
        segment = fresh;
        for (int i = 0; i < MESSAGES; i++) {
            messages.piece(i, segment.address() + begin(i), MESSAGE_BYTES);
            messages.message(i, i, 1);
            messages.toReceive(i);
        }
    }

    /** Receives datagrams or GRO batches and returns their number. Received data is valid until the next {@code take}. */
    int take(UdpSocket socket) throws IOException {
        if (kept) {
            // `kept` stays true if `renew()` fails, because packets may still refer to the current memory segment.
            renew();
            kept = false;
        }
        int taken = socket.receive(messages, most);
        // After a GRO batch (several merged datagrams), the next call uses only one `mmsghdr`, because it probably
        // receives a GRO batch, too.
        most = taken == 0 || messages.segment(0) > 0 ? 1 : MESSAGES;
        return taken;
    }

    MemorySegment segment() {
        return segment;
    }

    ByteBuffer bytes() {
        return bytes;
    }

    int begin(int message) {
        return message * MESSAGE_BYTES;
    }

    int length(int message) {
        return messages.received(message);
    }

    InetSocketAddress sender(int message) {
        return messages.sender(message);
    }

    /** Returns the length of each datagram of a GRO batch except the last, or 0 if one datagram was received. */
    int step(int message) {
        return messages.segment(message);
    }

    /** Prepares the {@code mmsghdr} of a processed datagram or GRO batch for the next receive call. */
    void done(int message) {
        messages.toReceive(message);
    }

    /** Gives a packet a zero-copy payload. The payload refers to this buffer. */
    void refer(SimPacket packet, int begin, int stride) {
        View view = views[used++];
        view.segment = segment;
        view.offset = begin;
        view.stride = stride;
        view.open = true;
        packet.refer(view);
    }

    /**
     * Ends the processing of the received datagrams; the caller then creates no more packets that refer to this {@code
     * ReceiveBuffer}. If a packet still refers to the buffer's memory segment, the next call of {@link #take} allocates a
     * new memory segment.
     */
    void recall() {
        for (int i = 0; i < used; i++) {
            kept |= views[i].open;
        }
        if (kept) {
            views = newViews(views.length);
        }
        used = 0;
    }

    /** A zero-copy payload that refers to this buffer. */
    private static final class View implements SimPacket.Payload {
        private MemorySegment segment = MemorySegment.NULL;
        private long offset;
        private int stride;

        /** The field is volatile, because another thread may release the packet. */
        private volatile boolean open;

        @Override
        public MemorySegment segment() {
            return segment;
        }

        @Override
        public long offset() {
            return offset;
        }

        @Override
        public int stride(int length) {
            return stride;
        }

        @Override
        public void close() {
            open = false;
        }
    }
}
