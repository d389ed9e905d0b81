package dev.verbena.sim.udp;

import dev.verbena.sim.fabric.SimPacket;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/**
 * Where messages arrive, and what packets refer to of it. Whoever keeps a packet that refers to it keeps the memory: then other
 * memory takes its place. For one thread at a time.
 */
final class ReceiveBuffer {
    /** How many messages one call takes at most. */
    private static final int MESSAGES = 16;

    /** The longest datagram that there is. */
    private static final int MESSAGE_BYTES = 1 << 16;

    private final MessageVector messages = new MessageVector(Arena.ofAuto(), MESSAGES, MESSAGES);
    private MemorySegment segment = MemorySegment.NULL;
    private ByteBuffer bytes = ByteBuffer.allocate(0);
    private View[] views;
    private int used;
    private boolean kept = true;

    /** How many to ask for: more than one only while looks find something one after the other. */
    private int most = 1;

    /** Makes one for so many references at a time. */
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

    /** Takes what has come to a socket; how many messages that were. They are there until the next call. */
    int take(UdpSocket socket) throws IOException {
        if (kept) {
            // In this order: if the heap is full, packets still refer to the memory that there is.
            renew();
            kept = false;
        }
        int taken = socket.receive(messages, most);
        // A message that was made of many is long, and the next one is probably, too.
        most = taken == 0 || messages.segment(0) > 0 ? 1 : MESSAGES;
        return taken;
    }

    /** All memory there is, for the messages that were taken last. */
    MemorySegment segment() {
        return segment;
    }

    /** The same. */
    ByteBuffer bytes() {
        return bytes;
    }

    /** Where a message begins. */
    int begin(int message) {
        return message * MESSAGE_BYTES;
    }

    int length(int message) {
        return messages.received(message);
    }

    InetSocketAddress sender(int message) {
        return messages.sender(message);
    }

    /** How long the datagrams of a message are, but for the last one; 0 if it is a single one. */
    int step(int message) {
        return messages.segment(message);
    }

    /** Lets a message be taken into the same place again. */
    void done(int message) {
        messages.toReceive(message);
    }

    /** Lets a packet refer to its payload. */
    void refer(SimPacket packet, int begin, int stride) {
        View view = views[used++];
        view.segment = segment;
        view.offset = begin;
        view.stride = stride;
        view.open = true;
        packet.refer(view);
    }

    /** Ends the time for which packets may refer to this. */
    void recall() {
        for (int i = 0; i < used; i++) {
            kept |= views[i].open;
        }
        if (kept) {
            views = newViews(views.length);
        }
        used = 0;
    }

    /** A piece of the memory. */
    private static final class View implements SimPacket.Payload {
        private MemorySegment segment = MemorySegment.NULL;
        private long offset;
        private int stride;

        /** Volatile, for whoever keeps a packet may be another thread. */
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
