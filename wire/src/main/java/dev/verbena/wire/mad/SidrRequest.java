package dev.verbena.wire.mad;

import java.lang.foreign.MemorySegment;

/**
 * The SIDR_REQ, which requests the UD queue pair of a service ID (InfiniBand Architecture Specification, volume 1,
 * section 12.11).
 *
 * <pre>{@code
 * bytes     bits  field
 * 0..23           MAD header
 * 24..27          request ID
 * 28..29          P_Key
 * 32..39          service ID
 * 40..255         private data
 * }</pre>
 */
public final class SidrRequest extends CmMessage {
    /** Offset of the request ID in bytes. */
    public static final int REQUEST_ID_OFFSET = 24;

    /** Offset of the P_Key in bytes. */
    public static final int PARTITION_KEY_OFFSET = 28;

    /** Offset of the service ID in bytes. */
    public static final int SERVICE_ID_OFFSET = 32;

    /** Offset of the private data in bytes. */
    public static final int PRIVATE_DATA_OFFSET = 40;

    /** Length of the private data in bytes. */
    public static final int PRIVATE_DATA_LENGTH = 216;

    /** Creates a message that views nothing until it is wrapped. */
    public SidrRequest() {
        super(CmAttribute.SIDR_REQ, PRIVATE_DATA_OFFSET);
    }

    /**
     * Points this flyweight at a MAD of {@link MadHeader#MAD_LENGTH} bytes.
     *
     * @param segment the bytes of the packet
     * @param offset where the MAD starts in the segment, in bytes
     * @return this
     */
    public SidrRequest wrap(MemorySegment segment, long offset) {
        attachMad(segment, offset);
        return this;
    }

    /** {@return the ID that the sender has for this question, opaque} */
    public int requestId() {
        return get32(REQUEST_ID_OFFSET);
    }

    /**
     * Sets the request ID.
     *
     * @param value the ID
     * @return this
     */
    public SidrRequest requestId(int value) {
        put32(REQUEST_ID_OFFSET, value);
        return this;
    }

    /** {@return the P_Key} */
    public int partitionKey() {
        return get16(PARTITION_KEY_OFFSET);
    }

    /**
     * Sets the P_Key.
     *
     * @param value the P_Key
     * @return this
     */
    public SidrRequest partitionKey(int value) {
        put16(PARTITION_KEY_OFFSET, value);
        return this;
    }

    /** {@return the requested service; see {@link ServiceId}} */
    public long serviceId() {
        return get64(SERVICE_ID_OFFSET);
    }

    /**
     * Sets the service ID.
     *
     * @param value the service ID
     * @return this
     */
    public SidrRequest serviceId(long value) {
        put64(SERVICE_ID_OFFSET, value);
        return this;
    }

    @Override
    protected void describe(StringBuilder out) {
        out.append("request=0x%08x service=0x%016x pkey=0x%04x".formatted(requestId(), serviceId(), partitionKey()));
    }
}
