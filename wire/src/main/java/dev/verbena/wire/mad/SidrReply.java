// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire.mad;

/** The SIDR_REP, which reports a service's UD queue pair (InfiniBand Architecture Specification, volume 1, section 12.11). */
public final class SidrReply extends CmMessage<SidrReply> {
    /** The value of {@link #STATUS} in a SIDR_REP that reports a queue pair. */
    public static final int STATUS_VALID = 0;

    private static final FieldTable<SidrReply> TABLE = new FieldTable<>();

    /** The request ID of the SIDR_REQ to which this message responds. */
    public static final Field<SidrReply> REQUEST_ID = TABLE.field("requestId", 24, 32);

    /** The status: 0 valid, 1 service not supported, 2 rejected, 3 no queue pair, 4 redirect, 5 version not supported. */
    public static final Field<SidrReply> STATUS = TABLE.field("status", 28, 8);

    /** The number of valid bytes of the additional information. */
    public static final Field<SidrReply> ADDITIONAL_INFO_LENGTH = TABLE.field("additionalInfoLength", 29, 8);

    /** The high bytes of the ECE vendor ID; 0 if the sender does not use ECE (enhanced connection establishment). */
    public static final Field<SidrReply> VENDOR_ID_HIGH = TABLE.field("vendorIdHigh", 30, 16);

    /** The number of the service's queue pair. */
    public static final Field<SidrReply> QPN = TABLE.field("qpn", 32, 24);

    /** The low byte of the ECE (enhanced connection establishment) vendor ID. */
    public static final Field<SidrReply> VENDOR_ID_LOW = TABLE.field("vendorIdLow", 35, 8);

    /** The service ID of the SIDR_REQ to which this message responds. */
    public static final Field<SidrReply> SERVICE_ID = TABLE.field("serviceId", 36, 64);

    /** The Q_Key of the service's queue pair. */
    public static final Field<SidrReply> QUEUE_KEY = TABLE.field("queueKey", 44, 32);

    private static final int ADDITIONAL_INFO = 48;
    private static final int ADDITIONAL_INFO_ROOM = 72;

    /** Creates a flyweight for a message. Call {@link #wrap} before any other method. */
    public SidrReply() {
        super(CmAttribute.SIDR_REP, TABLE, 120);
    }

    /** {@return a copy of the additional information, 72 bytes, whose meaning depends on the status} */
    public byte[] additionalInfo() {
        return copyOut(ADDITIONAL_INFO, ADDITIONAL_INFO_ROOM);
    }

    /**
     * Sets the additional information and its length, and fills the rest of the 72 bytes with zeros.
     *
     * @param info the additional information
     * @return this
     * @throws IllegalArgumentException if the additional information of the SIDR_REP has more than 72 bytes
     */
    public SidrReply additionalInfo(byte[] info) {
        copyIn(ADDITIONAL_INFO, ADDITIONAL_INFO_ROOM, info, "additional information");
        return set(ADDITIONAL_INFO_LENGTH, info.length);
    }
}
