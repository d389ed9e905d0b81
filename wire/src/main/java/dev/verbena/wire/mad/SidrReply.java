// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire.mad;

/**
 * The SIDR_REP, which names the UD queue pair of a service (InfiniBand Architecture Specification, volume 1,
 * section 12.11).
 */
public final class SidrReply extends CmMessage<SidrReply> {
    /** The status of a successful answer. */
    public static final int STATUS_VALID = 0;

    private static final FieldTable<SidrReply> TABLE = new FieldTable<>();

    /** The ID out of the SIDR_REQ. */
    public static final Field<SidrReply> REQUEST_ID = TABLE.field("requestId", 24, 32);

    /** 0 valid, 1 service not supported, 2 rejected, 3 no queue pair, 4 redirect, 5 version not supported. */
    public static final Field<SidrReply> STATUS = TABLE.field("status", 28, 8);

    /** How many bytes of the additional information count. */
    public static final Field<SidrReply> ADDITIONAL_INFO_LENGTH = TABLE.field("additionalInfoLength", 29, 8);

    /** The vendor ID of enhanced connection establishment, high bytes; 0 without. */
    public static final Field<SidrReply> VENDOR_ID_HIGH = TABLE.field("vendorIdHigh", 30, 16);

    /** The number of the queue pair. */
    public static final Field<SidrReply> QPN = TABLE.field("qpn", 32, 24);

    /** The low byte of the vendor ID. */
    public static final Field<SidrReply> VENDOR_ID_LOW = TABLE.field("vendorIdLow", 35, 8);

    /** The service ID out of the SIDR_REQ. */
    public static final Field<SidrReply> SERVICE_ID = TABLE.field("serviceId", 36, 64);

    /** The Q_Key of the queue pair. */
    public static final Field<SidrReply> QUEUE_KEY = TABLE.field("queueKey", 44, 32);

    private static final int ADDITIONAL_INFO = 48;
    private static final int ADDITIONAL_INFO_ROOM = 72;

    /** Creates a message that views nothing until it is wrapped. */
    public SidrReply() {
        super(CmAttribute.SIDR_REP, TABLE, 120);
    }

    /** {@return a copy of the additional information, all 72 bytes; its meaning depends on the status} */
    public byte[] additionalInfo() {
        return copyOut(ADDITIONAL_INFO, ADDITIONAL_INFO_ROOM);
    }

    /**
     * Sets the additional information and its length; the rest of its room becomes zeros.
     *
     * @param info the information
     * @return this
     * @throws IllegalArgumentException if there are more than 72 bytes
     */
    public SidrReply additionalInfo(byte[] info) {
        copyIn(ADDITIONAL_INFO, ADDITIONAL_INFO_ROOM, info, "additional information");
        return set(ADDITIONAL_INFO_LENGTH, info.length);
    }
}
