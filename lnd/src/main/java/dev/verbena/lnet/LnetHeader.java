// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * A flyweight over a 72-byte LNet header, which is little-endian even if the sender is big-endian. Unused bytes are zero.
 *
 * <pre>
 *    0 dest_nid 8     8 src_nid 8    16 dest_pid 4   20 src_pid 4   24 type 4   28 payload_length 4
 *        ACK                  PUT                  GET                     REPLY
 *   32   dst_wmd 16           ack_wmd 16           return_wmd 16           dst_wmd 16
 *   48   match_bits 8         match_bits 8         match_bits 8            -
 *   56   mlength 4            hdr_data 8           ptl_index 4             -
 *   60   -                                         src_offset 4            -
 *   64   -                    ptl_index 4          sink_length 4           -
 *   68   -                    offset 4             -                       -
 * </pre>
 *
 * <p>Wire handles and {@code hdr_data} are opaque bytes, which all accessors read and write in the same byte order. The
 * accessor of a field does not check whether the message's type has this field. Accessors return lengths and offsets, which
 * are unsigned 32-bit integers, as {@code long}. Not thread-safe. Source: Lustre's {@code lnet-idl.h}, {@code struct
 * lnet_hdr_nid4}.
 */
public final class LnetHeader {

    /** The length of an LNet header in bytes. */
    public static final int LENGTH = 72;

    private static final int DEST_NID = 0;
    private static final int SRC_NID = 8;
    private static final int DEST_PID = 16;
    private static final int SRC_PID = 20;
    private static final int TYPE = 24;
    private static final int PAYLOAD_LENGTH = 28;
    private static final int VARIANT = 32;
    private static final int HANDLE = VARIANT;
    private static final int MATCH_BITS = 48;
    private static final int ACK_LENGTH = 56;
    private static final int PUT_HDR_DATA = 56;
    private static final int PUT_PORTAL = 64;
    private static final int PUT_OFFSET = 68;
    private static final int GET_PORTAL = 56;
    private static final int GET_OFFSET = 60;
    private static final int GET_SINK_LENGTH = 64;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private MemorySegment segment = MemorySegment.NULL;
    private long offset;

    /** Creates a flyweight without a header; call {@link #wrap} before any other method. */
    public LnetHeader() {}

    /**
     * {@return this flyweight, now over the given header}
     *
     * @param segment the memory that contains the header
     * @param offset the offset of the header in the segment; at least {@link #LENGTH} bytes must follow
     */
    public LnetHeader wrap(MemorySegment segment, long offset) {
        this.segment = segment;
        this.offset = offset;
        return this;
    }

    /**
     * Copies the header.
     *
     * @param target the memory to which {@link #LENGTH} bytes are written
     * @param targetOffset the offset in the target
     */
    public void copyTo(MemorySegment target, long targetOffset) {
        MemorySegment.copy(segment, offset, target, targetOffset, LENGTH);
    }

    LnetHeader set(LnetHeader source) {
        source.copyTo(segment, offset);
        return this;
    }

    static LnetHeader blank() {
        return new LnetHeader().wrap(MemorySegment.ofArray(new byte[LENGTH]), 0);
    }

    /** Writes zeros after the last field that a message type has. */
    LnetHeader clearUnused(LnetMessageType type) {
        int first = switch (type) {
            case ACK -> ACK_LENGTH + Integer.BYTES;
            case PUT -> LENGTH;
            case GET -> GET_SINK_LENGTH + Integer.BYTES;
            case REPLY, HELLO -> MATCH_BITS;
        };
        for (int at = first; at < LENGTH; at += Integer.BYTES) {
            segment.set(INT, offset + at, 0);
        }
        return this;
    }

    /** {@return the process id of the final destination; if a router is used, the next hop is another node} */
    public ProcessId destination() {
        return new ProcessId(new Nid(segment.get(LONG, offset + DEST_NID)), segment.get(INT, offset + DEST_PID));
    }

    /**
     * Returns the same process id as {@link #destination()}. If {@code likely} equals the destination in this header,
     * the method returns {@code likely} and creates no object.
     */
    ProcessId likelyDestination(ProcessId likely) {
        return is(likely, DEST_NID, DEST_PID) ? likely : destination();
    }

    private boolean is(ProcessId id, int nidField, int pidField) {
        return segment.get(LONG, offset + nidField) == id.nid().value()
                && segment.get(INT, offset + pidField) == id.pid();
    }

    LnetHeader destination(ProcessId id) {
        segment.set(LONG, offset + DEST_NID, id.nid().value());
        segment.set(INT, offset + DEST_PID, id.pid());
        return this;
    }

    /** {@return the process id of the original sender of the message} */
    public ProcessId source() {
        return new ProcessId(new Nid(segment.get(LONG, offset + SRC_NID)), segment.get(INT, offset + SRC_PID));
    }

    /**
     * Returns the same process id as {@link #source()}. If this process id equals {@code likely}, the method returns
     * {@code likely} instead of a new object.
     */
    ProcessId likelySource(ProcessId likely) {
        return is(likely, SRC_NID, SRC_PID) ? likely : source();
    }

    LnetHeader source(ProcessId id) {
        segment.set(LONG, offset + SRC_NID, id.nid().value());
        segment.set(INT, offset + SRC_PID, id.pid());
        return this;
    }

    /** {@return the 32-bit value of the message type; {@link LnetMessageType#of} decodes it} */
    public int typeCode() {
        return segment.get(INT, offset + TYPE);
    }

    LnetHeader type(LnetMessageType type) {
        segment.set(INT, offset + TYPE, type.code());
        return this;
    }

    /** {@return the length of the payload in bytes, 0 to 2^32-1; at most 1 MiB in a valid message} */
    public long payloadLength() {
        return unsigned(PAYLOAD_LENGTH);
    }

    LnetHeader payloadLength(long length) {
        return unsigned(PAYLOAD_LENGTH, length);
    }

    /** {@return the wire handle: {@code ack_wmd} of a PUT, {@code return_wmd} of a GET, else {@code dst_wmd}} */
    public WireHandle handle() {
        return new WireHandle(segment.get(LONG, offset + HANDLE), segment.get(LONG, offset + HANDLE + 8));
    }

    boolean hasHandle() {
        return segment.get(LONG, offset + HANDLE) != WireHandle.NONE.interfaceCookie()
                || segment.get(LONG, offset + HANDLE + 8) != WireHandle.NONE.objectCookie();
    }

    LnetHeader handle(WireHandle handle) {
        segment.set(LONG, offset + HANDLE, handle.interfaceCookie());
        segment.set(LONG, offset + HANDLE + 8, handle.objectCookie());
        return this;
    }

    /** {@return the match bits in a PUT, GET or ACK} */
    public long matchBits() {
        return segment.get(LONG, offset + MATCH_BITS);
    }

    LnetHeader matchBits(long bits) {
        segment.set(LONG, offset + MATCH_BITS, bits);
        return this;
    }

    /** {@return the number of bytes that the target of a PUT accepted, according to its ACK; 0 to 2^32-1} */
    public long ackLength() {
        return unsigned(ACK_LENGTH);
    }

    LnetHeader ackLength(long length) {
        return unsigned(ACK_LENGTH, length);
    }

    /** {@return the 64-bit word that a PUT's initiator sends for the target's event} */
    public long putHdrData() {
        return segment.get(LONG, offset + PUT_HDR_DATA);
    }

    LnetHeader putHdrData(long data) {
        segment.set(LONG, offset + PUT_HDR_DATA, data);
        return this;
    }

    /** {@return the target's portal in a PUT, 0 to 2^32-1; below 64 in a valid message} */
    public long putPortal() {
        return unsigned(PUT_PORTAL);
    }

    LnetHeader putPortal(int index) {
        return unsigned(PUT_PORTAL, index);
    }

    /** {@return the offset in a PUT, used with {@link MdOption#MANAGE_REMOTE} at the target; 0 to 2^32-1} */
    public long putOffset() {
        return unsigned(PUT_OFFSET);
    }

    LnetHeader putOffset(long bytes) {
        return unsigned(PUT_OFFSET, bytes);
    }

    /** {@return the target's portal in a GET, 0 to 2^32-1; below 64 in a valid message} */
    public long getPortal() {
        return unsigned(GET_PORTAL);
    }

    LnetHeader getPortal(int index) {
        return unsigned(GET_PORTAL, index);
    }

    /** {@return the offset in a GET, used with {@link MdOption#MANAGE_REMOTE} at the target; 0 to 2^32-1} */
    public long getOffset() {
        return unsigned(GET_OFFSET);
    }

    LnetHeader getOffset(long bytes) {
        return unsigned(GET_OFFSET, bytes);
    }

    /** {@return the length of the destination buffer ({@code sink_length}) in a GET, in bytes; 0 to 2^32-1} */
    public long getSinkLength() {
        return unsigned(GET_SINK_LENGTH);
    }

    LnetHeader getSinkLength(long bytes) {
        return unsigned(GET_SINK_LENGTH, bytes);
    }

    private long unsigned(int field) {
        return Integer.toUnsignedLong(segment.get(INT, offset + field));
    }

    private LnetHeader unsigned(int field, long value) {
        segment.set(INT, offset + field, (int) value);
        return this;
    }

    @Override
    public String toString() {
        LnetMessageType type = LnetMessageType.of(typeCode());
        String common = (type == null ? "type " + typeCode() : type) + " " + source() + " -> " + destination()
                + " payload " + payloadLength();
        return switch (type) {
            case ACK -> common + " dst_wmd " + handle() + " match " + hex(matchBits()) + " mlength " + ackLength();
            case PUT ->
                common + " ack_wmd " + handle() + " match " + hex(matchBits()) + " hdr_data " + hex(putHdrData())
                        + " portal " + putPortal() + " offset " + putOffset();
            case GET ->
                common + " return_wmd " + handle() + " match " + hex(matchBits()) + " portal " + getPortal()
                        + " offset " + getOffset() + " sink_length " + getSinkLength();
            case REPLY -> common + " dst_wmd " + handle();
            case HELLO -> common;
            case null -> common;
        };
    }

    private static String hex(long value) {
        return "0x" + Long.toHexString(value);
    }
}
