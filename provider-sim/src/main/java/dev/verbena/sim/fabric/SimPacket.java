// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.fabric;

import dev.verbena.wire.Psn;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A packet of a {@link PacketPool}. At any time a packet has exactly one owner, which sends, queues or releases the packet.
 *
 * <p><b>Zero-copy payload.</b> If a port's {@link FabricPort#carriesZeroCopy()} returns true, a packet passed to
 * {@link FabricPort#send} may have its payload outside the packet until {@code send} returns. If the payload is outside
 * the packet, {@link #payload()} returns the memory with the payload, and {@link #segment()} contains only the headers.
 *
 * <p><b>Copy out before keeping.</b> If a packet has a zero-copy payload, the owner must call {@link #copyOut()} before
 * queuing the packet, passing the packet to another thread, or reading the packet as bytes.
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

    /** {@return true if the packet needs no further check: a device of this process built it, or it was checked} */
    public boolean trusted() {
        return trusted;
    }

    /**
     * Sets whether the receiving port may accept the packet without parsing its bytes.
     *
     * @param value false if the packet's bytes were changed, or came from another process and were not checked
     */
    public void trusted(boolean value) {
        trusted = value;
    }

    /** {@return the packet that follows this packet in the same queue, or null} */
    public @Nullable SimPacket next() {
        return next;
    }

    /**
     * Sets the packet that follows this packet in the owner's queue.
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
     * Returns the number of packets in this {@code SimPacket}. A segment batch is a {@code SimPacket} that represents
     * several consecutive MIDDLE packets of one message. A segment batch contains the headers of its first packet only. In
     * {@link #payload()}, the payload of packet i begins at {@code payloadStart(i)}. The payloads of a segment batch are
     * zero-copy payloads, so they are valid only until {@link FabricPort#send} returns.
     *
     * @return 1, or more if this {@code SimPacket} represents several packets (a segment batch)
     */
    public int count() {
        return count;
    }

    /**
     * Sets the number of packets that this {@code SimPacket} represents. Afterwards, the caller must call {@link #refer}
     * with a payload that contains the payloads of all packets.
     *
     * @param packets the number of packets, all of the same payload length, that this object represents. If the AckReq
     *     bit of this object is set, only the last packet requests an acknowledgement.
     */
    public void count(int packets) {
        count = packets;
    }

    /**
     * {@return a copy of one packet that this {@code SimPacket} represents; the caller owns the copy and its payload}
     *
     * @param index the index of the packet among the packets that this object represents, from 0
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
     * Splits a segment batch into individual packets with copied payloads. After the split, no packet refers to the memory
     * of a zero-copy payload. The thread that receives a packet may wait for a deregistration. A deregistration waits until
     * no packet borrows the memory.
     *
     * @param behind the packet to link after the last packet of the batch, or null
     * @return the first packet of the batch; each packet is linked to the next one
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

    /** A zero-copy payload: memory outside the packet, such as the registered memory of the requester. */
    public interface Payload {
        /** {@return the memory segment that contains the payload} */
        MemorySegment segment();

        /** {@return the offset of the payload in the segment} */
        long offset();

        /**
         * {@return the distance in bytes between the payloads of consecutive packets of a segment batch}
         *
         * @param length the length of each payload
         */
        default int stride(int length) {
            return length;
        }

        /** Releases the payload's memory. After a call of {@code close}, no code may access the payload. */
        void close();

        /**
         * Releases the payload of a packet. Call only if the packet was processed without waiting for another thread.
         * Unlike {@link #close()}, this method may leave the access to the requester's memory in progress for the next
         * payload.
         */
        default void used() {
            close();
        }
    }

    /**
     * Sets a zero-copy payload, which stays valid until the packet is released or {@link #copyOut()} copies the payload.
     *
     * @param payload a payload of {@link #payloadLength()} bytes
     */
    public void refer(Payload payload) {
        borrowed = payload;
    }

    /** Replaces the memory of the zero-copy payload by other memory with the same bytes. */
    void referInstead(Payload payload) {
        Payload before = borrowed;
        borrowed = payload;
        if (before != null) {
            before.used();
        }
    }

    /** {@return the memory that contains the payload: the segment of the packet, or that of a zero-copy payload} */
    public MemorySegment payload() {
        Payload elsewhere = borrowed;
        return elsewhere == null ? segment() : elsewhere.segment();
    }

    /** {@return the offset of the payload in the memory segment {@link #payload()}} */
    public long payloadStart() {
        Payload elsewhere = borrowed;
        return elsewhere == null ? payloadOffset() : elsewhere.offset();
    }

    /**
     * {@return the offset of one packet's payload in {@link #payload()}} A {@code SimPacket} can represent a batch of
     * several packets.
     *
     * @param index the index of the packet among the packets that this object represents, from 0
     */
    public long payloadStart(int index) {
        Payload elsewhere = borrowed;
        return elsewhere == null
                ? payloadOffset()
                : elsewhere.offset() + (long) index * elsewhere.stride(payloadLength());
    }

    /**
     * Copies a zero-copy payload into the packet, and releases the payload's memory.
     *
     * @throws IllegalStateException if this object represents several packets, which the caller must first separate by
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

    /** {@return an equal packet from the same pool, owned by the caller} */
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

    /** Returns the packet to its pool. After {@code release}, the caller must not use the packet. */
    public void release() {
        Payload elsewhere = borrowed;
        if (elsewhere != null) {
            borrowed = null;
            elsewhere.used();
        }
        pool.give(this);
    }
}
