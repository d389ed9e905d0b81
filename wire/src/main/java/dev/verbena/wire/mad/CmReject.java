package dev.verbena.wire.mad;

import java.lang.foreign.MemorySegment;

/**
 * The REJ, with which either side rejects a connection and reports the reason (InfiniBand Architecture Specification,
 * volume 1, section 12.6.7).
 *
 * <pre>{@code
 * bytes     bits  field
 * 0..23           MAD header
 * 24..27          communication ID of the sender
 * 28..31          communication ID of the receiver
 * 32        7..6  message rejected
 * 33        7..1  rejected info length
 * 34..35          reason
 * 36..107         additional rejection information
 * 108..255        private data
 * }</pre>
 */
public final class CmReject extends CmMessage {
    /** Offset of the communication ID of the sender in bytes. */
    public static final int LOCAL_COMM_ID_OFFSET = 24;

    /** Offset of the communication ID of the receiver in bytes. */
    public static final int REMOTE_COMM_ID_OFFSET = 28;

    /** Offset of the message rejected in bytes. */
    public static final int MESSAGE_REJECTED_OFFSET = 32;

    /** Offset of the rejected info length in bytes. */
    public static final int REJECTED_INFO_LENGTH_OFFSET = 33;

    /** Offset of the reason in bytes. */
    public static final int REASON_OFFSET = 34;

    /** A REQ is rejected. */
    public static final int REQ = 0;

    /** A REP is rejected. */
    public static final int REP = 1;

    /** No message is rejected. */
    public static final int OTHER = 2;

    /** Offset of the additional rejection information in bytes. */
    public static final int ADDITIONAL_INFO_OFFSET = 36;

    /** Length of the room for additional rejection information in bytes. */
    public static final int ADDITIONAL_INFO_LENGTH = 72;

    /** Offset of the private data in bytes. */
    public static final int PRIVATE_DATA_OFFSET = 108;

    /** Length of the private data in bytes. */
    public static final int PRIVATE_DATA_LENGTH = 148;

    private static final int MESSAGE_REJECTED_MASK = 0xc0;
    private static final int REJECTED_INFO_LENGTH_MASK = 0xfe;

    /** Creates a message that views nothing until it is wrapped. */
    public CmReject() {
        super(CmAttribute.REJ, PRIVATE_DATA_OFFSET);
    }

    /**
     * Points this flyweight at a MAD of {@link MadHeader#MAD_LENGTH} bytes.
     *
     * @param segment the bytes of the packet
     * @param offset where the MAD starts in the segment, in bytes
     * @return this
     */
    public CmReject wrap(MemorySegment segment, long offset) {
        attachMad(segment, offset);
        return this;
    }

    /** {@return the ID that the sender of this message has for the connection, opaque} */
    public int localCommId() {
        return get32(LOCAL_COMM_ID_OFFSET);
    }

    /**
     * Sets the communication ID of the sender.
     *
     * @param value the communication ID
     * @return this
     */
    public CmReject localCommId(int value) {
        put32(LOCAL_COMM_ID_OFFSET, value);
        return this;
    }

    /** {@return the ID that the receiver of this message has for the connection, opaque} */
    public int remoteCommId() {
        return get32(REMOTE_COMM_ID_OFFSET);
    }

    /**
     * Sets the communication ID of the receiver.
     *
     * @param value the communication ID
     * @return this
     */
    public CmReject remoteCommId(int value) {
        put32(REMOTE_COMM_ID_OFFSET, value);
        return this;
    }

    /** {@return the rejected message: {@link #REQ}, {@link #REP} or {@link #OTHER}} */
    public int messageRejected() {
        return getBits(MESSAGE_REJECTED_OFFSET, MESSAGE_REJECTED_MASK);
    }

    /**
     * Sets the message rejected.
     *
     * @param value {@link #REQ}, {@link #REP} or {@link #OTHER}
     * @return this
     */
    public CmReject messageRejected(int value) {
        putBits(MESSAGE_REJECTED_OFFSET, MESSAGE_REJECTED_MASK, value);
        return this;
    }

    /** {@return how many bytes of the additional information count} */
    public int rejectedInfoLength() {
        return getBits(REJECTED_INFO_LENGTH_OFFSET, REJECTED_INFO_LENGTH_MASK);
    }

    /**
     * Sets the rejected info length.
     *
     * @param value length in bytes, 0..72
     * @return this
     */
    public CmReject rejectedInfoLength(int value) {
        putBits(REJECTED_INFO_LENGTH_OFFSET, REJECTED_INFO_LENGTH_MASK, value);
        return this;
    }

    /** {@return why: a number of section 12.6.7 of the InfiniBand Architecture Specification, volume 1} */
    public int reason() {
        return get16(REASON_OFFSET);
    }

    /**
     * Sets the reason.
     *
     * @param value the reason, see {@link #reason()}
     * @return this
     */
    public CmReject reason(int value) {
        put16(REASON_OFFSET, value);
        return this;
    }

    /** {@return a copy of the additional rejection information, all 72 bytes; its meaning depends on the reason} */
    public byte[] additionalInfo() {
        return copyOut(ADDITIONAL_INFO_OFFSET, ADDITIONAL_INFO_LENGTH);
    }

    /**
     * Sets the additional rejection information and its length; the rest of its room becomes zeros.
     *
     * @param info the information
     * @return this
     * @throws IllegalArgumentException if there are more than 72 bytes
     */
    public CmReject additionalInfo(byte[] info) {
        copyIn(ADDITIONAL_INFO_OFFSET, ADDITIONAL_INFO_LENGTH, info, "additional rejection information");
        return rejectedInfoLength(info.length);
    }

    @Override
    protected void describe(StringBuilder out) {
        out.append("local=0x%08x remote=0x%08x".formatted(localCommId(), remoteCommId()));
        out.append(" rejected=").append(messageRejected()).append(" reason=").append(reason());
    }
}
