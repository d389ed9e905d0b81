// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.fabric;

import dev.verbena.wire.Psn;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A packet of a {@link PacketPool}. At each time it has one owner, which sends, queues or releases it.
 *
 * <p><b>Zero-copy payload.</b> From a {@link FabricPort#send} to its return, if the {@linkplain
 * FabricPort#carriesZeroCopy() port permits it}, the payload may be outside the packet: {@link #payload()} then has
 * it, and {@link #segment()} only the headers.
 *
 * <p><b>Copy out before keeping.</b> An owner that queues such a packet, passes it to another thread or reads all of its
 * bytes must first call {@link #copyOut()}.
 */
public final class SimPacket extends HeaderFields {
    private final PacketPool pool;
    private boolean trusted = true;
    private @Nullable SimPacket next;
    private @Nullable Payload borrowed;
    private int count = 1;

    SimPacket(Arena arena, PacketPool pool) {
        super(arena);
        this.pool = pool;
    }

    /**
     * Returns whether a device of this process built the bytes, or they have been parsed and checked.
     *
     * @return false if they must be parsed and their ICRC checked before use
     */
    public boolean trusted() {
        return trusted;
    }

    /**
     * Sets whether a device of this process built the bytes, or they have been parsed and checked.
     *
     * @param value false after they were changed, or if they came from outside and were not checked
     */
    public void trusted(boolean value) {
        trusted = value;
    }

    /**
     * Returns the next packet of the owner's queue.
     *
     * @return the next packet, or null
     */
    public @Nullable SimPacket next() {
        return next;
    }

    /**
     * Links the packet into a queue of its owner.
     *
     * @param packet the packet after this one, or null
     */
    public void next(@Nullable SimPacket packet) {
        next = packet;
    }

    @Override
    void reset() {
        super.reset();
        next = null;
        trusted = true;
        count = 1;
    }

    /**
     * Returns the number of packets that this packet represents. A segment batch stands for several full packets in the
     * middle of one message. A segment batch has the headers of the first packet, and the payloads of all at {@link
     * #payload()} and {@link #payloadStart(int)}. As any zero-copy payload, it is valid only for a receiver that gets
     * it before the sender continues.
     *
     * @return 1 for a packet that is not a segment batch
     */
    public int count() {
        return count;
    }

    /**
     * Makes a segment batch. The caller must then {@link #refer} to the payloads of all its packets.
     *
     * @param packets the number of packets, each with a payload of the same length; the last of them requests an
     *     acknowledgement if this packet does
     */
    public void count(int packets) {
        count = packets;
    }

    /**
     * Makes one packet of a segment batch.
     *
     * @param index its index, 0 for the first
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
     * Splits a segment batch into packets and releases it, with its zero-copy payloads. The release comes first because
     * the receiver of one of the packets may have to wait for a thread that waits for the release of the payloads.
     *
     * @param behind the packet to link after the last one, or null
     * @return the first packet, each of which is linked to the next
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

    /** A zero-copy payload. */
    public interface Payload {
        /**
         * Returns the memory of the payload.
         *
         * @return a segment that contains it
         */
        MemorySegment segment();

        /**
         * Returns the offset of the payload in the segment.
         *
         * @return an offset
         */
        long offset();

        /**
         * Returns the distance of the payloads of a segment batch.
         *
         * @param length the length of each payload
         * @return the bytes from the start of one payload to the start of the next
         */
        default int stride(int length) {
            return length;
        }

        /** Ends the borrowing: no further access to the bytes follows. */
        void close();

        /**
         * Ends the borrowing, for a receiver that did not wait for anything and will not: the sender may lend further
         * payloads next.
         */
        default void used() {
            close();
        }
    }

    /**
     * Sets a zero-copy payload, which is valid until the packet is released or has its payload {@linkplain #copyOut() copied out}.
     *
     * @param payload a payload with {@link #payloadLength()} bytes
     */
    public void refer(Payload payload) {
        borrowed = payload;
    }

    /** Replaces the zero-copy payload by one with the same bytes. */
    void referInstead(Payload payload) {
        Payload before = borrowed;
        borrowed = payload;
        if (before != null) {
            before.used();
        }
    }

    /**
     * Returns the memory of the payload.
     *
     * @return the segment of the packet, or another one
     */
    public MemorySegment payload() {
        Payload elsewhere = borrowed;
        return elsewhere == null ? segment() : elsewhere.segment();
    }

    /**
     * Returns the offset of the payload in {@link #payload()}.
     *
     * @return an offset
     */
    public long payloadStart() {
        Payload elsewhere = borrowed;
        return elsewhere == null ? payloadOffset() : elsewhere.offset();
    }

    /**
     * Returns the offset in {@link #payload()} of the payload of one packet of a segment batch.
     *
     * @param index its index, 0 for the first
     * @return an offset
     */
    public long payloadStart(int index) {
        Payload elsewhere = borrowed;
        return elsewhere == null
                ? payloadOffset()
                : elsewhere.offset() + (long) index * elsewhere.stride(payloadLength());
    }

    /**
     * Copies a zero-copy payload into the packet, and ends the borrowing.
     *
     * @throws IllegalStateException for a segment batch, because one packet has no room for its payloads: split it by
     *     {@link #apart}
     */
    public void copyOut() {
        if (count > 1) {
            throw new IllegalStateException("a packet has no room for the payloads of " + count + " packets");
        }
        Payload elsewhere = borrowed;
        if (elsewhere != null) {
            MemorySegment.copy(elsewhere.segment(), elsewhere.offset(), segment(), payloadOffset(), payloadLength());
            borrowed = null;
            elsewhere.close();
        }
    }

    /**
     * Takes a packet from the same pool and makes it equal to this one.
     *
     * @return a packet with an owner of its own
     */
    public SimPacket copy() {
        copyOut();
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

    /** Returns the packet to its pool. The owner must not use it afterwards. */
    public void release() {
        Payload elsewhere = borrowed;
        if (elsewhere != null) {
            borrowed = null;
            elsewhere.used();
        }
        pool.give(this);
    }
}
