// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire.mad;

/**
 * The header that all management datagrams begin with (InfiniBand Architecture Specification, volume 1, section
 * 13.4). Offsets of the CM messages count from its first byte.
 */
public final class MadHeader extends FieldView<MadHeader> {
    /** Length of the header in bytes. */
    public static final int LENGTH = 24;

    /** Length of every MAD in bytes, header and all. */
    public static final int MAD_LENGTH = 256;

    /** The number of QP1, which sends and receives MADs; its Q_Key is {@link dev.verbena.wire.Deth#GSI_QUEUE_KEY}. */
    public static final int GSI_QPN = 1;

    /** The MAD format of all InfiniBand releases. */
    public static final int MAD_VERSION = 1;

    /** The management class of connection management. */
    public static final int CLASS_CM = 0x07;

    /** The version of connection management. */
    public static final int CM_CLASS_VERSION = 2;

    /** The method "Send". */
    public static final int METHOD_SEND = 0x03;

    private static final FieldTable<MadHeader> TABLE = new FieldTable<>();

    /** Version of the MAD format, 1. */
    public static final Field<MadHeader> BASE_VERSION = TABLE.field("baseVersion", 0, 8);

    /** The management class, {@link #CLASS_CM} for connection management. */
    public static final Field<MadHeader> MANAGEMENT_CLASS = TABLE.field("managementClass", 1, 8);

    /** Version of the class, {@link #CM_CLASS_VERSION} for connection management. */
    public static final Field<MadHeader> CLASS_VERSION = TABLE.field("classVersion", 2, 8);

    /** The method; {@link #METHOD_SEND} in every message of connection management. */
    public static final Field<MadHeader> METHOD = TABLE.field("method", 3, 8);

    /** The status, 0 in connection management. */
    public static final Field<MadHeader> STATUS = TABLE.field("status", 4, 16);

    /** Bits for the class to use, 0 in connection management. */
    public static final Field<MadHeader> CLASS_SPECIFIC = TABLE.field("classSpecific", 6, 16);

    /** The transaction ID, the same in all messages of one exchange; opaque but to its sender. */
    public static final Field<MadHeader> TRANSACTION_ID = TABLE.field("transactionId", 8, 64);

    /** The attribute ID; see {@link CmAttribute}. */
    public static final Field<MadHeader> ATTRIBUTE_ID = TABLE.field("attributeId", 16, 16);

    /** Bits for the attribute to use: 0, or options of enhanced connection establishment. */
    public static final Field<MadHeader> ATTRIBUTE_MODIFIER = TABLE.field("attributeModifier", 20, 32);

    /** Creates a header that views nothing until it is wrapped. */
    public MadHeader() {
        super(TABLE);
    }

    /** {@return true if this is a message of connection management in the version known here} */
    public boolean isConnectionManagement() {
        return get(BASE_VERSION) == MAD_VERSION
                && get(MANAGEMENT_CLASS) == CLASS_CM
                && get(CLASS_VERSION) == CM_CLASS_VERSION
                && get(METHOD) == METHOD_SEND;
    }

    @Override
    protected void describe(StringBuilder out) {
        CmAttribute known = isConnectionManagement() ? CmAttribute.of(get(ATTRIBUTE_ID)) : null;
        if (known != null) {
            out.append(known).append(' ');
        }
        super.describe(out);
    }
}
