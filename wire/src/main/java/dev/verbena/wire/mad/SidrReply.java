package dev.verbena.wire.mad;

import java.lang.foreign.MemorySegment;

/**
 * The SIDR_REP, which names the UD queue pair of a service (InfiniBand Architecture Specification, volume 1,
 * section 12.11).
 *
 * <pre>{@code
 * bytes     bits  field
 * 0..23           MAD header
 * 24..27          request ID
 * 28              status
 * 29              additional info length
 * 30..31          vendor ID, high bytes
 * 32..34          QPN
 * 35              vendor ID, low byte
 * 36..43          service ID
 * 44..47          Q_Key
 * 48..119         additional information
 * 120..255        private data
 * }</pre>
 */
public final class SidrReply extends CmMessage {
    /** Offset of the request ID in bytes. */
    public static final int REQUEST_ID_OFFSET = 24;

    /** Offset of the status in bytes. */
    public static final int STATUS_OFFSET = 28;

    /** Offset of the additional info length in bytes. */
    public static final int ADDITIONAL_INFO_LENGTH_OFFSET = 29;

    /** Offset of the QPN in bytes. */
    public static final int QPN_OFFSET = 32;

    /** Offset of the service ID in bytes. */
    public static final int SERVICE_ID_OFFSET = 36;

    /** Offset of the Q_Key in bytes. */
    public static final int QUEUE_KEY_OFFSET = 44;

    /** Offset of the additional information in bytes. */
    public static final int ADDITIONAL_INFO_OFFSET = 48;

    /** Length of the room for additional information in bytes. */
    public static final int ADDITIONAL_INFO_LENGTH = 72;

    /** The status of a successful answer. */
    public static final int STATUS_VALID = 0;

    /** Offset of the private data in bytes. */
    public static final int PRIVATE_DATA_OFFSET = 120;

    /** Length of the private data in bytes. */
    public static final int PRIVATE_DATA_LENGTH = 136;

    private static final int VENDOR_ID_HIGH_OFFSET = 30;
    private static final int VENDOR_ID_LOW_OFFSET = 35;

    /** Creates a message that views nothing until it is wrapped. */
    public SidrReply() {
        super(CmAttribute.SIDR_REP, PRIVATE_DATA_OFFSET);
    }

    /**
     * Points this flyweight at a MAD of {@link MadHeader#MAD_LENGTH} bytes.
     *
     * @param segment the bytes of the packet
     * @param offset where the MAD starts in the segment, in bytes
     * @return this
     */
    public SidrReply wrap(MemorySegment segment, long offset) {
        attachMad(segment, offset);
        return this;
    }

    /** {@return the ID out of the SIDR_REQ} */
    public int requestId() {
        return get32(REQUEST_ID_OFFSET);
    }

    /**
     * Sets the request ID.
     *
     * @param value the ID
     * @return this
     */
    public SidrReply requestId(int value) {
        put32(REQUEST_ID_OFFSET, value);
        return this;
    }

    /** {@return 0 valid, 1 service not supported, 2 rejected, 3 no queue pair, 4 redirect, 5 version not supported} */
    public int status() {
        return get8(STATUS_OFFSET);
    }

    /**
     * Sets the status.
     *
     * @param value the status
     * @return this
     */
    public SidrReply status(int value) {
        put8(STATUS_OFFSET, value);
        return this;
    }

    /** {@return how many bytes of the additional information count} */
    public int additionalInfoLength() {
        return get8(ADDITIONAL_INFO_LENGTH_OFFSET);
    }

    /**
     * Sets the additional info length.
     *
     * @param value length in bytes, 0..72
     * @return this
     */
    public SidrReply additionalInfoLength(int value) {
        put8(ADDITIONAL_INFO_LENGTH_OFFSET, value);
        return this;
    }

    /** {@return the number of the queue pair} */
    public int qpn() {
        return get24(QPN_OFFSET);
    }

    /**
     * Sets the QPN.
     *
     * @param value the queue pair number
     * @return this
     */
    public SidrReply qpn(int value) {
        put24(QPN_OFFSET, value);
        return this;
    }

    /** {@return the service ID out of the SIDR_REQ} */
    public long serviceId() {
        return get64(SERVICE_ID_OFFSET);
    }

    /**
     * Sets the service ID.
     *
     * @param value the service ID
     * @return this
     */
    public SidrReply serviceId(long value) {
        put64(SERVICE_ID_OFFSET, value);
        return this;
    }

    /** {@return the Q_Key of the queue pair} */
    public int queueKey() {
        return get32(QUEUE_KEY_OFFSET);
    }

    /**
     * Sets the Q_Key.
     *
     * @param value the Q_Key
     * @return this
     */
    public SidrReply queueKey(int value) {
        put32(QUEUE_KEY_OFFSET, value);
        return this;
    }

    /** {@return the vendor ID of enhanced connection establishment, 24 bits from two places, 0 without} */
    public int vendorId() {
        return (get16(VENDOR_ID_HIGH_OFFSET) << 8) | get8(VENDOR_ID_LOW_OFFSET);
    }

    /**
     * Sets the vendor ID.
     *
     * @param value the vendor ID, 24 bits
     * @return this
     */
    public SidrReply vendorId(int value) {
        put16(VENDOR_ID_HIGH_OFFSET, value >>> 8);
        put8(VENDOR_ID_LOW_OFFSET, value);
        return this;
    }

    /** {@return a copy of the additional information, all 72 bytes; its meaning depends on the status} */
    public byte[] additionalInfo() {
        return copyOut(ADDITIONAL_INFO_OFFSET, ADDITIONAL_INFO_LENGTH);
    }

    /**
     * Sets the additional information and its length; the rest of its room becomes zeros.
     *
     * @param info the information
     * @return this
     * @throws IllegalArgumentException if there are more than 72 bytes
     */
    public SidrReply additionalInfo(byte[] info) {
        copyIn(ADDITIONAL_INFO_OFFSET, ADDITIONAL_INFO_LENGTH, info, "additional information");
        return additionalInfoLength(info.length);
    }

    @Override
    protected void describe(StringBuilder out) {
        out.append("request=0x%08x status=%d qpn=0x%06x qkey=0x%08x service=0x%016x"
                .formatted(requestId(), status(), qpn(), queueKey(), serviceId()));
    }
}
