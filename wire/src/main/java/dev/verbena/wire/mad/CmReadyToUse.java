package dev.verbena.wire.mad;

import java.lang.foreign.MemorySegment;

/**
 * The RTU, with which the active side confirms that the connection is established (InfiniBand Architecture
 * Specification, volume 1, section 12.6.9).
 *
 * <pre>{@code
 * bytes     bits  field
 * 0..23           MAD header
 * 24..27          communication ID of the sender
 * 28..31          communication ID of the receiver
 * 32..255         private data
 * }</pre>
 */
public final class CmReadyToUse extends CmMessage {
    /** Offset of the communication ID of the sender in bytes. */
    public static final int LOCAL_COMM_ID_OFFSET = 24;

    /** Offset of the communication ID of the receiver in bytes. */
    public static final int REMOTE_COMM_ID_OFFSET = 28;

    /** Offset of the private data in bytes. */
    public static final int PRIVATE_DATA_OFFSET = 32;

    /** Length of the private data in bytes. */
    public static final int PRIVATE_DATA_LENGTH = 224;

    /** Creates a message that views nothing until it is wrapped. */
    public CmReadyToUse() {
        super(CmAttribute.RTU, PRIVATE_DATA_OFFSET);
    }

    /**
     * Points this flyweight at a MAD of {@link MadHeader#MAD_LENGTH} bytes.
     *
     * @param segment the bytes of the packet
     * @param offset where the MAD starts in the segment, in bytes
     * @return this
     */
    public CmReadyToUse wrap(MemorySegment segment, long offset) {
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
    public CmReadyToUse localCommId(int value) {
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
    public CmReadyToUse remoteCommId(int value) {
        put32(REMOTE_COMM_ID_OFFSET, value);
        return this;
    }

    @Override
    protected void describe(StringBuilder out) {
        out.append("local=0x%08x remote=0x%08x".formatted(localCommId(), remoteCommId()));
    }
}
