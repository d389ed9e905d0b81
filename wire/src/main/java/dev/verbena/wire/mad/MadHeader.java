// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire.mad;

/**
 * The header of every management datagram (MAD), specified in the InfiniBand Architecture Specification, volume 1, section
 * 13.4. Field offsets in CM messages count from the first byte of the MAD header.
 */
public final class MadHeader extends FieldView<MadHeader> {
    /** The length of the MAD header in bytes. */
    public static final int LENGTH = 24;

    /** The length of every MAD in bytes, including the header. */
    public static final int MAD_LENGTH = 256;

    /**
     * The number of QP1, the queue pair that sends and receives MADs. The Q_Key of QP1 is
     * {@link dev.verbena.wire.Deth#GSI_QUEUE_KEY}.
     */
    public static final int GSI_QPN = 1;

    /** The version of the MAD format in all InfiniBand releases. */
    public static final int MAD_VERSION = 1;

    /** The management class of CM messages. */
    public static final int CLASS_CM = 0x07;

    /** The version of the management class of CM messages. */
    public static final int CM_CLASS_VERSION = 2;

    /** The code of the MAD method "Send". */
    public static final int METHOD_SEND = 0x03;

    private static final FieldTable<MadHeader> TABLE = new FieldTable<>();

    /** The version of the MAD format, {@link #MAD_VERSION}. */
    public static final Field<MadHeader> BASE_VERSION = TABLE.field("baseVersion", 0, 8);

    /** The management class; {@link #CLASS_CM} in CM messages. */
    public static final Field<MadHeader> MANAGEMENT_CLASS = TABLE.field("managementClass", 1, 8);

    /** The version of the management class; {@link #CM_CLASS_VERSION} in CM messages. */
    public static final Field<MadHeader> CLASS_VERSION = TABLE.field("classVersion", 2, 8);

    /** The method; {@link #METHOD_SEND} in every CM message. */
    public static final Field<MadHeader> METHOD = TABLE.field("method", 3, 8);

    /** The status of the MAD, 0 in CM messages. */
    public static final Field<MadHeader> STATUS = TABLE.field("status", 4, 16);

    /** The class-specific field, 0 in CM messages. */
    public static final Field<MadHeader> CLASS_SPECIFIC = TABLE.field("classSpecific", 6, 16);

    /**
     * The transaction ID, which is equal in all messages of one exchange. Only the peer that has chosen the transaction
     * ID interprets it.
     */
    public static final Field<MadHeader> TRANSACTION_ID = TABLE.field("transactionId", 8, 64);

    /** The attribute ID; see {@link CmAttribute}. */
    public static final Field<MadHeader> ATTRIBUTE_ID = TABLE.field("attributeId", 16, 16);

    /** The attribute modifier: 0, or options for enhanced connection establishment. */
    public static final Field<MadHeader> ATTRIBUTE_MODIFIER = TABLE.field("attributeModifier", 20, 32);

    /** Creates a flyweight for a MAD header. Call {@link #wrap} before any other method. */
    public MadHeader() {
        super(TABLE);
    }

    /** {@return whether the MAD is a CM message of version {@link #CM_CLASS_VERSION}} */
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
