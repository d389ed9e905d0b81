// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.wire;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;

/**
 * The private data of a CM REJ with reason 28, in the rejecter's byte order.
 *
 * <pre>
 *    0  magic 4
 *    4  version 2
 *    6  why 1
 *    7  padding 1
 *    8  incarnation 8     of the rejecter; version 0x12 and up
 *   16  connparams 8      limits of the rejecter; version 0x12 and up
 * </pre>
 *
 * <p>Not thread-safe. Source: {@code struct kib_rej}.
 */
public final class RejectData extends ByteOrderedView {

    /** Bytes of the whole structure. */
    public static final int LENGTH = 24;

    /** The incarnation of a rejecting node that does not report it, all ones. */
    public static final long UNKNOWN_INCARNATION = -1L;

    private static final int MAGIC = 0;
    private static final int VERSION = 4;
    private static final int WHY = 6;
    private static final int INCARNATION = 8;
    private static final int CONN_PARAMS = 16;
    private static final int SHORTEST = 7;

    private final ConnParams connParams = new ConnParams();
    private boolean complete;

    /** Creates a view of nothing. */
    public RejectData() {}

    /**
     * Lays this view over received bytes and checks them. Never throws, for any bytes.
     *
     * @param bytes holds the data
     * @param start where it starts
     * @param received how many bytes came; CM pads with zeros
     * @return the first defect, or {@link MessageDefect#NONE}
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
     * Starts reject data: zeros all bytes and sets magic, version and reason.
     *
     * @param bytes receives {@link #LENGTH} bytes
     * @param start where
     * @param version the version of the request if it was acceptable, else {@link Protocol#VERSION_2}
     * @param reason why
     * @param order the byte order to write in
     * @return this
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

    /**
     * The magic.
     *
     * @return {@link Protocol#MAGIC} or {@link Protocol#FUTURE_MAGIC}
     */
    public int magic() {
        return i32(MAGIC);
    }

    /** {@return the version, 0x11 or 0x12} */
    public int version() {
        return u16(VERSION);
    }

    /**
     * The reason as a raw number; {@link RejectReason#of} decodes it.
     *
     * @return 0 to 255
     */
    public int reasonCode() {
        return u8(WHY);
    }

    /** {@return whether the rejection has incarnation and limits, which the short form of old peers lacks} */
    public boolean isComplete() {
        return complete;
    }

    /**
     * The rejecter's incarnation.
     *
     * @return the incarnation; 0 if no interface matched; {@link #UNKNOWN_INCARNATION} in the short form
     */
    public long incarnation() {
        return complete ? i64(INCARNATION) : UNKNOWN_INCARNATION;
    }

    /**
     * Sets the rejecter's incarnation.
     *
     * @param stamp the incarnation, or 0 if no interface matched
     * @return this
     */
    public RejectData incarnation(long stamp) {
        i64(INCARNATION, stamp);
        return this;
    }

    /**
     * The rejecter's limits; without meaning unless {@link #isComplete()}.
     *
     * @return the same view every time
     */
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
