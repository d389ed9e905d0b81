// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.wire;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;

/**
 * A flyweight over the private data of a CM REJ with reason 28, in the byte order of the rejecting node.
 *
 * <pre>
 *    0  magic 4
 *    4  version 2
 *    6  why 1
 *    7  padding 1
 *    8  incarnation 8     the incarnation of the rejecting node, from version 0x12 on
 *   16  connparams 8      the limits of the rejecting node, from version 0x12 on
 * </pre>
 *
 * <p>Not thread-safe. Source: {@code struct kib_rej}.
 */
public final class RejectData extends ByteOrderedView {

    /** The length of the rejection data in bytes. */
    public static final int LENGTH = 24;

    /** The result of {@link #incarnation()} if the rejection contains no incarnation; all bits are ones. */
    public static final long UNKNOWN_INCARNATION = -1L;

    private static final int MAGIC = 0;
    private static final int VERSION = 4;
    private static final int WHY = 6;
    private static final int INCARNATION = 8;
    private static final int CONN_PARAMS = 16;
    private static final int SHORTEST = 7;

    private final ConnParams connParams = new ConnParams();
    private boolean complete;

    /** Creates a flyweight for rejection data. Call {@link #parse} or {@link #begin} before any other method. */
    public RejectData() {}

    /**
     * Makes this flyweight refer to received private data, and checks the data. Never throws an exception, whatever the
     * data contain.
     *
     * @param bytes the memory that contains the private data
     * @param start the offset in bytes from the start of this memory to the private data
     * @param received the number of bytes received; CM pads private data with zeros
     * @return the first parse error, or {@link MessageDefect#NONE}
     */
    public MessageDefect parse(MemorySegment bytes, long start, long received) {
        complete = false;
        if (received < SHORTEST) {
            return MessageDefect.TOO_SHORT_FOR_VERSION;
        }
        int magic = bytes.get(INT, start + MAGIC);
        boolean swapped = isKnown(Integer.reverseBytes(magic));
        if (!swapped && !isKnown(magic)) {
            return MessageDefect.BAD_MAGIC;
        }
        layOut(bytes, start, swapped);
        if (version() != Protocol.VERSION_1 && version() != Protocol.VERSION_2) {
            return MessageDefect.BAD_VERSION;
        }
        complete = received >= LENGTH && version() > Protocol.VERSION_1;
        return MessageDefect.NONE;
    }

    private static boolean isKnown(int magic) {
        return magic == Protocol.MAGIC || magic == Protocol.FUTURE_MAGIC;
    }

    /**
     * {@return this object, which now refers to a new rejection with magic, version and reason; all other bytes are 0}
     *
     * @param bytes the memory to which {@link #LENGTH} bytes are written
     * @param start the offset in bytes from the start of this memory to the private data
     * @param version the version of the connection request if this node supports it, else {@link Protocol#VERSION_2}
     * @param reason the reason for the rejection
     * @param order the byte order in which the private data is written
     */
    public RejectData begin(MemorySegment bytes, long start, int version, RejectReason reason, ByteOrder order) {
        bytes.asSlice(start, LENGTH).fill((byte) 0);
        layOut(bytes, start, order == ByteOrder.BIG_ENDIAN);
        i32(MAGIC, Protocol.MAGIC);
        u16(VERSION, version);
        u8(WHY, reason.code());
        complete = true;
        return this;
    }

    private void layOut(MemorySegment bytes, long start, boolean bigEndian) {
        view(bytes, start, bigEndian);
        connParams.view(bytes, start + CONN_PARAMS, bigEndian);
    }

    /** {@return the magic number of the rejection; {@link Protocol#MAGIC} or {@link Protocol#FUTURE_MAGIC}} */
    public int magic() {
        return i32(MAGIC);
    }

    /** {@return the protocol version, 0x11 or 0x12} */
    public int version() {
        return u16(VERSION);
    }

    /** {@return the code of the rejection reason, 0 to 255; {@link RejectReason#of} decodes it} */
    public int reasonCode() {
        return u8(WHY);
    }

    /** {@return whether the rejection contains an incarnation and limits, which old peers do not send} */
    public boolean isComplete() {
        return complete;
    }

    /**
     * {@return the rejecting node's incarnation; 0 if no interface of that node has the requested NID;
     * {@link #UNKNOWN_INCARNATION} if the rejection contains no incarnation}
     */
    public long incarnation() {
        return complete ? i64(INCARNATION) : UNKNOWN_INCARNATION;
    }

    /**
     * {@return this object; this method sets the incarnation (start time) of the rejecting node}
     *
     * @param stamp the rejecting node's incarnation, or 0 if no interface of the node has the requested NID
     */
    public RejectData incarnation(long stamp) {
        i64(INCARNATION, stamp);
        return this;
    }

    /** {@return the limits of the rejecting node, always the same object; undefined unless {@link #isComplete()}} */
    public ConnParams connParams() {
        return connParams;
    }

    @Override
    public String toString() {
        RejectReason reason = RejectReason.of(reasonCode());
        return "version 0x" + Integer.toHexString(version()) + " why " + reasonCode() + " " + reason
                + (complete ? " incarnation " + Long.toHexString(incarnation()) + " " + connParams : " short");
    }
}
