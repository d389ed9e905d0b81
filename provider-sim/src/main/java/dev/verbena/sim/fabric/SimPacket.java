package dev.verbena.sim.fabric;

import dev.verbena.wire.Psn;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A packet of a {@link PacketPool}. It has one owner at a time, who sends, queues or releases it.
 *
 * <p>Between a {@link FabricPort#send} and its return, where the {@linkplain FabricPort#carriesReferences() port allows} that,
 * the payload may be elsewhere: then {@link #payload()} has it, and {@link #segment()} only the headers. Whoever keeps such a
 * packet for later, hands it to another thread or wants to see all of its bytes calls {@link #own()} first.
 */
public final class SimPacket extends HeaderFields {
    private final PacketPool pool;
    private boolean trusted = true;
    private @Nullable SimPacket next;
    private @Nullable Payload lent;
    private @Nullable PacketRun run;
    private int count = 1;

    SimPacket(Arena arena, PacketPool pool) {
        super(arena);
        this.pool = pool;
    }

    /**
     * Tells whether the bytes are those that a device of this process built, or have been parsed and checked.
     *
     * @return false if they must be parsed and their ICRC checked before use
     */
    public boolean trusted() {
        return trusted;
    }

    /**
     * Says whether the bytes are those that a device of this process built, or have been parsed and checked.
     *
     * @param value false after they were changed, or came from elsewhere and were not checked
     */
    public void trusted(boolean value) {
        trusted = value;
    }

    /**
     * Returns the next packet of the queue that the owner keeps it in.
     *
     * @return the next packet, or null
     */
    public @Nullable SimPacket next() {
        return next;
    }

    /**
     * Links the packet into a queue of its owner.
     *
     * @param packet the packet behind this one, or null
     */
    public void next(@Nullable SimPacket packet) {
        next = packet;
    }

    /**
     * Returns the run that the packet is of.
     *
     * @return the run, or null if nobody says that more will follow
     */
    public @Nullable PacketRun run() {
        return run;
    }

    /**
     * Says that the packet is one of a run, which the receiver that gets it in the thread of its sender may take.
     *
     * @param of the run
     */
    public void run(PacketRun of) {
        run = of;
    }

    @Override
    void reset() {
        super.reset();
        next = null;
        run = null;
        trusted = true;
        count = 1;
    }

    /**
     * Tells for how many packets it stands: a train is the first of several full packets in the middle of one message, whose
     * payloads lie where {@link #payload()} and {@link #payloadStart(int)} say. Like any reference, it is for the receiver that
     * gets it before the sender goes on.
     *
     * @return 1 for a packet that is no train
     */
    public int count() {
        return count;
    }

    /**
     * Makes a train; it is to {@link #refer} to the payload of all its packets.
     *
     * @param packets how many, each with as much payload as this one; the last of them asks for an acknowledgement if this does
     */
    public void count(int packets) {
        count = packets;
    }

    /**
     * Makes one packet of a train.
     *
     * @param index which, 0 for the first
     * @return a packet with an owner and a payload of its own
     */
    public SimPacket single(int index) {
        SimPacket single = pool.take();
        single.copyFields(this);
        single.trusted(trusted);
        single.psn(Psn.add(psn(), index));
        single.ackRequest(ackRequest() && index == count - 1);
        int length = payloadLength();
        MemorySegment.copy(payload(), payloadStart(index), single.segment(), single.payloadOffset(), length);
        return single;
    }

    /**
     * Takes a train apart and gives it back, and with it what it refers to: who handles one of its packets may have to wait for
     * somebody who waits for that.
     *
     * @param behind what follows on the last one, or null
     * @return the first of its packets, each of which is linked to the next
     */
    public SimPacket apart(@Nullable SimPacket behind) {
        SimPacket first = single(count - 1);
        first.next(behind);
        for (int i = count - 2; i >= 0; i--) {
            SimPacket single = single(i);
            single.next(first);
            first = single;
        }
        release();
        return first;
    }

    /** Bytes that are lent to a packet. */
    public interface Payload {
        /**
         * Returns where the bytes are.
         *
         * @return a segment that has them
         */
        MemorySegment segment();

        /**
         * Returns where in the segment they begin.
         *
         * @return an offset
         */
        long offset();

        /**
         * Returns how far the payloads of a train lie apart.
         *
         * @param length how long each is
         * @return the bytes from the beginning of one to that of the next
         */
        default int stride(int length) {
            return length;
        }

        /** Takes the bytes back: nobody looks at them any more. */
        void close();

        /** Takes the bytes back from who did not have to wait for anything, and will not: more may be lent next. */
        default void used() {
            close();
        }
    }

    /**
     * Lets the payload be elsewhere until the packet is released or has its {@linkplain #own() own}.
     *
     * @param payload as many bytes as {@link #payloadLength()} says
     */
    public void refer(Payload payload) {
        lent = payload;
    }

    /** Gives back what was lent, for the same bytes elsewhere. */
    void referInstead(Payload payload) {
        Payload before = lent;
        lent = payload;
        if (before != null) {
            before.used();
        }
    }

    /**
     * Returns where the payload is.
     *
     * @return the segment of the packet, or another one
     */
    public MemorySegment payload() {
        Payload elsewhere = lent;
        return elsewhere == null ? segment() : elsewhere.segment();
    }

    /**
     * Returns where in {@link #payload()} the payload begins.
     *
     * @return an offset
     */
    public long payloadStart() {
        Payload elsewhere = lent;
        return elsewhere == null ? payloadOffset() : elsewhere.offset();
    }

    /**
     * Returns where in {@link #payload()} the payload of one packet of a train begins.
     *
     * @param index which, 0 for the first
     * @return an offset
     */
    public long payloadStart(int index) {
        Payload elsewhere = lent;
        return elsewhere == null
                ? payloadOffset()
                : elsewhere.offset() + (long) index * elsewhere.stride(payloadLength());
    }

    /**
     * Takes the payload into the packet if it is elsewhere, and gives back what was lent.
     *
     * @throws IllegalStateException for a train, whose payloads one packet has no room for: it has to be taken {@link #apart}
     */
    public void own() {
        if (count > 1) {
            throw new IllegalStateException("a packet cannot own the payloads of " + count + " packets");
        }
        run = null;
        Payload elsewhere = lent;
        if (elsewhere != null) {
            MemorySegment.copy(elsewhere.segment(), elsewhere.offset(), segment(), payloadOffset(), payloadLength());
            lent = null;
            elsewhere.close();
        }
    }

    /**
     * Takes a packet of the same pool that equals this one.
     *
     * @return a packet with an owner of its own
     */
    public SimPacket copy() {
        own();
        boolean asFields = hasFields();
        encode();
        SimPacket copy = pool.take();
        copy.copyFrom(this);
        copy.trusted(trusted);
        if (asFields) {
            decode();
            copy.decode();
        }
        return copy;
    }

    /** Gives the packet back to its pool. The owner may not touch it afterwards. */
    public void release() {
        Payload elsewhere = lent;
        if (elsewhere != null) {
            lent = null;
            elsewhere.used();
        }
        PacketRun of = run;
        if (of == null || !of.keep(this)) {
            pool.give(this);
        }
    }
}
