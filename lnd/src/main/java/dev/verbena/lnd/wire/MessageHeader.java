// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.wire;

import dev.verbena.lnet.Nid;

/**
 * The header at the start of every o2iblnd message, 48 bytes in the sender's byte order.
 *
 * <pre>
 *    0  magic 4          0x0be91b91
 *    4  version 2        0x11 or 0x12
 *    6  type 1
 *    7  credits 1        the number of credits returned to the receiver
 *    8  nob 4            the length of the whole message
 *   12  cksum 4          0 for no checksum
 *   16  srcnid 8
 *   24  srcstamp 8       the incarnation of the sender
 *   32  dstnid 8
 *   40  dststamp 8       the incarnation of the receiver, 0 if the sender does not know it
 * </pre>
 *
 * <p>Not thread-safe. Source: {@code struct kib_msg}.
 */
public final class MessageHeader extends ByteOrderedView {

    /** The length of the o2iblnd message header in bytes. */
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

    /** {@return the magic; {@link Protocol#MAGIC} in a valid message} */
    public int magic() {
        return i32(MAGIC);
    }

    /**
     * {@return this view; this method sets the magic number of the LND message}
     *
     * @param value the magic
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
     * {@return this view of the message header, in which this method sets the protocol version}
     *
     * @param value 16 bits
     */
    public MessageHeader version(int value) {
        u16(VERSION, value);
        return this;
    }

    /** {@return the number of the message type, 0 to 255; {@link MessageType#of} decodes it} */
    public int typeCode() {
        return u8(TYPE);
    }

    /**
     * {@return this view; this method sets the number of the message type}
     *
     * @param code 0 to 255
     */
    public MessageHeader typeCode(int code) {
        u8(TYPE, code);
        return this;
    }

    /** {@return the number of credits that the sender returns, 0 to 255} */
    public int credits() {
        return u8(CREDITS);
    }

    /**
     * {@return this view; this method sets the number of credits that the sender returns}
     *
     * @param count 0 to 255
     */
    public MessageHeader credits(int count) {
        u8(CREDITS, count);
        return this;
    }

    /** {@return the length of the message including the header, in bytes; an unsigned 32-bit number} */
    public long length() {
        return Integer.toUnsignedLong(i32(NOB));
    }

    /**
     * {@return this view; this method sets the length of the message}
     *
     * @param bytes the length of the message in bytes, including the header
     */
    public MessageHeader length(long bytes) {
        i32(NOB, (int) bytes);
        return this;
    }

    /** {@return the 32-bit checksum of the LND message; 0 if the sender computed no checksum} */
    public int checksum() {
        return i32(CKSUM);
    }

    /**
     * {@return this view; this method sets the checksum}
     *
     * @param value the 32-bit checksum, or 0 for a message without checksum
     */
    public MessageHeader checksum(int value) {
        i32(CKSUM, value);
        return this;
    }

    /** {@return the NID of the sender's network interface} */
    public Nid sourceNid() {
        return new Nid(i64(SRCNID));
    }

    /**
     * {@return this view; this method sets the NID of the sender's network interface}
     *
     * @param nid the NID
     */
    public MessageHeader sourceNid(Nid nid) {
        i64(SRCNID, nid.value());
        return this;
    }

    /** {@return the sender's incarnation: the start time of its network interface in microseconds since 1970} */
    public long sourceStamp() {
        return i64(SRCSTAMP);
    }

    /**
     * {@return this view; this method sets the incarnation (start time) of the sending node}
     *
     * @param stamp the incarnation
     */
    public MessageHeader sourceStamp(long stamp) {
        i64(SRCSTAMP, stamp);
        return this;
    }

    /** {@return the NID of the receiver's network interface} */
    public Nid destinationNid() {
        return new Nid(i64(DSTNID));
    }

    /**
     * {@return this view; this method sets the NID of the receiver's network interface}
     *
     * @param nid the NID
     */
    public MessageHeader destinationNid(Nid nid) {
        i64(DSTNID, nid.value());
        return this;
    }

    /** {@return the receiver's incarnation, or 0 if the sender does not know it} */
    public long destinationStamp() {
        return i64(DSTSTAMP);
    }

    /**
     * {@return this view; this method sets the receiver's incarnation}
     *
     * @param stamp the receiver's incarnation, or 0 if it is unknown
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
