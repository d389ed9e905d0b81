// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire.mad;

/**
 * The REJ, with which either side rejects a connection and reports the reason (InfiniBand Architecture Specification,
 * volume 1, section 12.6.7).
 */
public final class CmReject extends CmConnectionMessage<CmReject> {
    /** A REQ is rejected. */
    public static final int REQ = 0;

    /** A REP is rejected. */
    public static final int REP = 1;

    /** No message is rejected. */
    public static final int OTHER = 2;

    private static final FieldTable<CmReject> TABLE = new FieldTable<>(IDS);

    /** The rejected message: {@link #REQ}, {@link #REP} or {@link #OTHER}. */
    public static final Field<CmReject> MESSAGE_REJECTED = TABLE.field("messageRejected", 32, 0, 2);

    /** How many bytes of the additional information count. */
    public static final Field<CmReject> REJECTED_INFO_LENGTH = TABLE.field("rejectedInfoLength", 33, 0, 7);

    /** Why: a number of section 12.6.7 of the InfiniBand Architecture Specification, volume 1. */
    public static final Field<CmReject> REASON = TABLE.field("reason", 34, 16);

    private static final int ADDITIONAL_INFO = 36;
    private static final int ADDITIONAL_INFO_ROOM = 72;

    /** Creates a message that views nothing until it is wrapped. */
    public CmReject() {
        super(CmAttribute.REJ, TABLE, 108);
    }

    /** {@return a copy of the additional rejection information, all 72 bytes; its meaning depends on the reason} */
    public byte[] additionalInfo() {
        return copyOut(ADDITIONAL_INFO, ADDITIONAL_INFO_ROOM);
    }

    /**
     * Sets the additional rejection information and its length; the rest of its room becomes zeros.
     *
     * @param info the information
     * @return this
     * @throws IllegalArgumentException if there are more than 72 bytes
     */
    public CmReject additionalInfo(byte[] info) {
        copyIn(ADDITIONAL_INFO, ADDITIONAL_INFO_ROOM, info, "additional rejection information");
        return set(REJECTED_INFO_LENGTH, info.length);
    }
}
