// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.fabric;

import dev.verbena.wire.FlowIcrc;
import dev.verbena.wire.Icrc;
import dev.verbena.wire.Ipv4Header;
import dev.verbena.wire.PacketDefect;
import dev.verbena.wire.Psn;
import dev.verbena.wire.RocePacket;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The encoded packets of a segment batch (one {@link SimPacket} for several packets). Each packet begins with its BTH and
 * has its own PSN and ICRC. The IP and UDP headers, which are equal for all packets, stay in the {@link SimPacket}. A
 * {@code SegmentBatchImage} stores the packets of one {@link SimPacket}, until this {@link SimPacket} releases its payload.
 */
final class SegmentBatchImage implements SimPacket.Payload {
    private static final long CAPACITY = 64L * RocePacket.DEFAULT_CAPACITY;

    /** The length of a cache line, in bytes. Each payload begins at a cache line, which makes copies and CRC faster. */
    private static final int LINE = 64;

    private static final ValueLayout.OfInt ICRC = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final MemorySegment bytes = Arena.ofAuto().allocate(CAPACITY, LINE);
    private final ByteBuffer buffer = bytes.asByteBuffer();
    private final FlowIcrc icrc = new FlowIcrc();
    private final AtomicBoolean taken = new AtomicBoolean();
    private int identification;
    private int firstPsn;
    private boolean asks;

    /** The length of a packet's headers from the BTH on. {@link #size} also includes the payload and the ICRC. */
    private int headers;

    private int size;

    /** The distance in bytes between the starts of the payloads of consecutive packets. */
    private int stride;

    /**
     * Transmits the packets of one {@link SimPacket}: builds each packet like a sending device, and checks headers and ICRC
     * like a receiving device. After the transmission the {@link SimPacket} refers to the payloads in this {@code
     * SegmentBatchImage}. If the headers and ICRC of every packet are valid, the {@link SimPacket} is marked as trusted, so
     * the receiving port does not check it again. Returns false without a change if the packets exceed {@code CAPACITY} or
     * this object is in use.
     */
    boolean carry(SimPacket batch) {
        int each = (LINE + batch.payloadLength() + Icrc.LENGTH + LINE - 1) & -LINE;
        if ((long) batch.count() * each > CAPACITY || !taken.compareAndSet(false, true)) {
            return false;
        }
        stride = each;
        boolean right = begin(batch);
        for (int i = 0; i < batch.count(); i++) {
            layOut(batch, i);
            right &= isIntact(i);
        }
        batch.bth().psn(firstPsn).ackRequest(asks);
        batch.decode();
        batch.referInstead(this);
        batch.trusted(right);
        return true;
    }

    /** Encodes the headers of a {@link SimPacket} for several packets. Returns whether the headers are valid. */
    boolean begin(SimPacket batch) {
        batch.encode();
        identification = 0;
        if (!batch.ipv6()) {
            Ipv4Header header = batch.ipv4Header();
            header.headerChecksum(header.computeChecksum());
            identification = header.identification();
        }
        icrc.headers(batch);
        headers = batch.payloadOffset() - batch.bthOffset();
        size = batch.length() - batch.bthOffset();
        firstPsn = batch.bth().psn();
        asks = batch.bth().ackRequest();
        return batch.parse(batch.length()) == PacketDefect.OK;
    }

    /** Builds one packet of the batch. */
    void layOut(SimPacket batch, int index) {
        int begin = beginOf(index);
        int payload = batch.payloadLength();
        batch.bth().psn(Psn.add(firstPsn, index)).ackRequest(asks && index == batch.count() - 1);
        MemorySegment.copy(batch.segment(), batch.bthOffset(), bytes, begin, headers);
        MemorySegment.copy(batch.payload(), batch.payloadStart(index), bytes, begin + headers, payload);
        bytes.set(ICRC, begin + size - Icrc.LENGTH, icrc.compute(identification, buffer, begin));
    }

    /** Returns whether a packet that {@link #layOut} built has a valid ICRC. */
    boolean isIntact(int index) {
        int begin = beginOf(index);
        return bytes.get(ICRC, begin + size - Icrc.LENGTH) == icrc.compute(identification, buffer, begin);
    }

    private int beginOf(int index) {
        return index * stride + LINE - headers;
    }

    @Override
    public MemorySegment segment() {
        return bytes;
    }

    @Override
    public long offset() {
        return LINE;
    }

    @Override
    public int stride(int length) {
        return stride;
    }

    @Override
    public void close() {
        taken.set(false);
    }
}
