package dev.verbena.wire.mad;

import java.lang.foreign.MemorySegment;

/**
 * The MRA, "message receipt acknowledgement": the answer will take longer than the other side expects (InfiniBand
 * Architecture Specification, volume 1, section 12.6.6).
 *
 * <pre>{@code
 * bytes     bits  field
 * 0..23           MAD header
 * 24..27          communication ID of the sender
 * 28..31          communication ID of the receiver
 * 32        7..6  message mraed
 * 33        7..3  service timeout
 * 34..255         private data
 * }</pre>
 */
public final class Mra extends CmMessage {
    /** Offset of the communication ID of the sender in bytes. */
    public static final int LOCAL_COMM_ID_OFFSET = 24;

    /** Offset of the communication ID of the receiver in bytes. */
    public static final int REMOTE_COMM_ID_OFFSET = 28;

    /** Offset of the message mraed in bytes. */
    public static final int MESSAGE_MRAED_OFFSET = 32;

    /** Offset of the service timeout in bytes. */
    public static final int SERVICE_TIMEOUT_OFFSET = 33;

    /** Offset of the private data in bytes. */
    public static final int PRIVATE_DATA_OFFSET = 34;

    /** Length of the private data in bytes. */
    public static final int PRIVATE_DATA_LENGTH = 222;

    /** A REQ was received. */
    public static final int REQ = 0;

    /** A REP was received. */
    public static final int REP = 1;

    private static final int MESSAGE_MRAED_MASK = 0xc0;
    private static final int SERVICE_TIMEOUT_MASK = 0xf8;

    /** Creates a message that views nothing until it is wrapped. */
    public Mra() {
        super(CmAttribute.MRA, PRIVATE_DATA_OFFSET);
    }

    /**
     * Points this flyweight at a MAD of {@link MadHeader#MAD_LENGTH} bytes.
     *
     * @param segment the bytes of the packet
     * @param offset where the MAD starts in the segment, in bytes
     * @return this
     */
    public Mra wrap(MemorySegment segment, long offset) {
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
    public Mra localCommId(int value) {
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
    public Mra remoteCommId(int value) {
        put32(REMOTE_COMM_ID_OFFSET, value);
        return this;
    }

    /** {@return the received message: {@link #REQ}, {@link #REP}, or 2 for LAP} */
    public int messageMraed() {
        return getBits(MESSAGE_MRAED_OFFSET, MESSAGE_MRAED_MASK);
    }

    /**
     * Sets the message mraed.
     *
     * @param value 0, 1 or 2
     * @return this
     */
    public Mra messageMraed(int value) {
        putBits(MESSAGE_MRAED_OFFSET, MESSAGE_MRAED_MASK, value);
        return this;
    }

    /** {@return how long the answer may take, 4.096 us * 2^n with n in 0..31} */
    public int serviceTimeout() {
        return getBits(SERVICE_TIMEOUT_OFFSET, SERVICE_TIMEOUT_MASK);
    }

    /**
     * Sets the service timeout.
     *
     * @param value the exponent
     * @return this
     */
    public Mra serviceTimeout(int value) {
        putBits(SERVICE_TIMEOUT_OFFSET, SERVICE_TIMEOUT_MASK, value);
        return this;
    }

    @Override
    protected void describe(StringBuilder out) {
        out.append("local=0x%08x remote=0x%08x".formatted(localCommId(), remoteCommId()));
        out.append(" mraed=").append(messageMraed()).append(" timeout=").append(serviceTimeout());
    }
}
