// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire.mad;

/**
 * The REJ, with which either peer rejects a connection and reports the reason (InfiniBand Architecture Specification,
 * volume 1, section 12.6.7).
 */
public final class CmReject extends CmConnectionMessage<CmReject> {
    /** {@link #MESSAGE_REJECTED} has this value if the REJ rejects a REQ. */
    public static final int REQ = 0;

    /** {@link #MESSAGE_REJECTED} has this value if the REJ rejects a REP. */
    public static final int REP = 1;

    /** {@link #MESSAGE_REJECTED} has this value if the REJ rejects neither a REQ nor a REP. */
    public static final int OTHER = 2;

    private static final FieldTable<CmReject> TABLE = new FieldTable<>(IDS);

    /** The type of the rejected message: {@link #REQ}, {@link #REP} or {@link #OTHER}. */
    public static final Field<CmReject> MESSAGE_REJECTED = TABLE.field("messageRejected", 32, 0, 2);

    /** The number of valid bytes of the additional rejection information. */
    public static final Field<CmReject> REJECTED_INFO_LENGTH = TABLE.field("rejectedInfoLength", 33, 0, 7);

    /** The reason code of the REJ message (InfiniBand Architecture Specification, volume 1, section 12.6.7). */
    public static final Field<CmReject> REASON = TABLE.field("reason", 34, 16);

    private static final int ADDITIONAL_INFO = 36;
    private static final int ADDITIONAL_INFO_ROOM = 72;

    /** Creates a flyweight for a REJ. Call {@link #wrap} before any other method. */
    public CmReject() {
        super(CmAttribute.REJ, TABLE, 108);
    }

    /** {@return a copy of the additional rejection information, 72 bytes, whose meaning depends on the reason} */
    public byte[] additionalInfo() {
        return copyOut(ADDITIONAL_INFO, ADDITIONAL_INFO_ROOM);
    }

    /**
     * Sets the additional rejection information and its length, and fills the rest of the 72 bytes with zeros.
     *
     * @param info the additional rejection information
     * @return this
     * @throws IllegalArgumentException if the additional rejection information has more than 72 bytes
     */
    public CmReject additionalInfo(byte[] info) {
        copyIn(ADDITIONAL_INFO, ADDITIONAL_INFO_ROOM, info, "additional rejection information");
        return set(REJECTED_INFO_LENGTH, info.length);
    }
}
