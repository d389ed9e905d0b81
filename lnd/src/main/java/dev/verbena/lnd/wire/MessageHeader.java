// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.wire;

import dev.verbena.lnet.Nid;

/**
 * The 48 bytes every message starts with, in the sender's byte order.
 *
 * <pre>
 *    0  magic 4          0x0be91b91
 *    4  version 2        0x11 or 0x12
 *    6  type 1
 *    7  credits 1        receive buffers given back to the peer
 *    8  nob 4            bytes of the whole message
 *   12  cksum 4          0 = none
 *   16  srcnid 8
 *   24  srcstamp 8       incarnation of the sender
 *   32  dstnid 8
 *   40  dststamp 8       incarnation of the receiver as the sender knows it; 0 = not yet
 * </pre>
 *
 * <p>Not thread-safe. Source: {@code struct kib_msg}.
 */
public final class MessageHeader extends ByteOrderedView {

    /** Bytes of the header. */
    public static final int LENGTH = 48;

    static final int MAGIC = 0;
    static final int VERSION = 4;
    static final int TYPE = 6;
    static final int CREDITS = 7;
    static final int NOB = 8;
    static final int CKSUM = 12;
    static final int SRCNID = 16;
    static final int SRCSTAMP = 24;
    static final int DSTNID = 32;
    static final int DSTSTAMP = 40;

    MessageHeader() {}

    /**
     * The magic, in the order that makes it right.
     *
     * @return {@link Protocol#MAGIC} in a valid message
     */
    public int magic() {
        return i32(MAGIC);
    }

    /**
     * Sets the magic.
     *
     * @param value the magic
     * @return this
     */
    public MessageHeader magic(int value) {
        i32(MAGIC, value);
        return this;
    }

    /** {@return the protocol version, 16 bits} */
    public int version() {
        return u16(VERSION);
    }

    /**
     * Sets the protocol version.
     *
     * @param value 16 bits
     * @return this
     */
    public MessageHeader version(int value) {
        u16(VERSION, value);
        return this;
    }

    /**
     * The type as a raw number; {@link MessageType#of} decodes it.
     *
     * @return 0 to 255
     */
    public int typeCode() {
        return u8(TYPE);
    }

    /**
     * Sets the type as a raw number.
     *
     * @param code 0 to 255
     * @return this
     */
    public MessageHeader typeCode(int code) {
        u8(TYPE, code);
        return this;
    }

    /** {@return the receive credits that the sender returns, 0 to 255} */
    public int credits() {
        return u8(CREDITS);
    }

    /**
     * Sets the receive credits to return.
     *
     * @param count 0 to 255
     * @return this
     */
    public MessageHeader credits(int count) {
        u8(CREDITS, count);
        return this;
    }

    /** {@return the bytes of the whole message, this header included; an unsigned 32-bit number} */
    public long length() {
        return Integer.toUnsignedLong(i32(NOB));
    }

    /**
     * Sets the bytes of the whole message.
     *
     * @param bytes the header included
     * @return this
     */
    public MessageHeader length(long bytes) {
        i32(NOB, (int) bytes);
        return this;
    }

    /** {@return the checksum, 32 bits; 0 if the sender made none} */
    public int checksum() {
        return i32(CKSUM);
    }

    /**
     * Sets the checksum.
     *
     * @param value 32 bits, or 0 for none
     * @return this
     */
    public MessageHeader checksum(int value) {
        i32(CKSUM, value);
        return this;
    }

    /** {@return the NID of the sender's interface} */
    public Nid sourceNid() {
        return new Nid(i64(SRCNID));
    }

    /**
     * Sets the sender's interface.
     *
     * @param nid a NID
     * @return this
     */
    public MessageHeader sourceNid(Nid nid) {
        i64(SRCNID, nid.value());
        return this;
    }

    /** {@return the sender's incarnation: microseconds since 1970 when its interface came up} */
    public long sourceStamp() {
        return i64(SRCSTAMP);
    }

    /**
     * Sets the sender's incarnation.
     *
     * @param stamp the incarnation
     * @return this
     */
    public MessageHeader sourceStamp(long stamp) {
        i64(SRCSTAMP, stamp);
        return this;
    }

    /** {@return the NID of the receiver's interface} */
    public Nid destinationNid() {
        return new Nid(i64(DSTNID));
    }

    /**
     * Sets the receiver's interface.
     *
     * @param nid a NID
     * @return this
     */
    public MessageHeader destinationNid(Nid nid) {
        i64(DSTNID, nid.value());
        return this;
    }

    /** {@return the receiver's incarnation as the sender knows it, or 0 if the sender does not know it} */
    public long destinationStamp() {
        return i64(DSTSTAMP);
    }

    /**
     * Sets the receiver's incarnation.
     *
     * @param stamp the incarnation, or 0 if it is not known
     * @return this
     */
    public MessageHeader destinationStamp(long stamp) {
        i64(DSTSTAMP, stamp);
        return this;
    }

    @Override
    public String toString() {
        MessageType type = MessageType.of(typeCode());
        return "%s v0x%x credits %d nob %d %s/%x -> %s/%x"
                .formatted(
                        type == null ? "type 0x" + Integer.toHexString(typeCode()) : type,
                        version(),
                        credits(),
                        length(),
                        sourceNid(),
                        sourceStamp(),
                        destinationNid(),
                        destinationStamp());
    }
}
