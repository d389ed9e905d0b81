package dev.verbena.wire.mad;

import dev.verbena.wire.Flyweight;
import java.lang.foreign.MemorySegment;

/**
 * The header that all management datagrams begin with (InfiniBand Architecture Specification, volume 1, section
 * 13.4). Offsets of the CM messages count from its first byte.
 *
 * <pre>{@code
 * byte   0        1        2        3
 *       +--------+--------+--------+--------+
 *     0 |base ver| class  |cls ver | method |
 *       +--------+--------+--------+--------+
 *     4 |     status      | class specific  |
 *       +-----------------+-----------------+
 *     8 |          transaction ID           |
 *    12 |                                   |
 *       +-----------------+-----------------+
 *    16 |  attribute ID   |    reserved     |
 *       +-----------------+-----------------+
 *    20 |        attribute modifier         |
 *       +-----------------------------------+
 * }</pre>
 */
public final class MadHeader extends Flyweight {
    /** Length of the header in bytes. */
    public static final int LENGTH = 24;

    /** Offset of the base version in bytes. */
    public static final int BASE_VERSION_OFFSET = 0;

    /** Offset of the management class in bytes. */
    public static final int MANAGEMENT_CLASS_OFFSET = 1;

    /** Offset of the class version in bytes. */
    public static final int CLASS_VERSION_OFFSET = 2;

    /** Offset of the method in bytes. */
    public static final int METHOD_OFFSET = 3;

    /** Offset of the status in bytes. */
    public static final int STATUS_OFFSET = 4;

    /** Offset of the ClassSpecific field in bytes. */
    public static final int CLASS_SPECIFIC_OFFSET = 6;

    /** Offset of the transaction ID in bytes. */
    public static final int TRANSACTION_ID_OFFSET = 8;

    /** Offset of the attribute ID in bytes. */
    public static final int ATTRIBUTE_ID_OFFSET = 16;

    /** Offset of the attribute modifier in bytes. */
    public static final int ATTRIBUTE_MODIFIER_OFFSET = 20;

    /** Length of every MAD in bytes, header and all. */
    public static final int MAD_LENGTH = 256;

    /** The number of QP1, which sends and receives MADs; its Q_Key is {@link dev.verbena.wire.Deth#GSI_QUEUE_KEY}. */
    public static final int GSI_QPN = 1;

    /** The MAD format of all InfiniBand releases. */
    public static final int BASE_VERSION = 1;

    /** The management class of connection management. */
    public static final int CLASS_CM = 0x07;

    /** The version of connection management. */
    public static final int CM_CLASS_VERSION = 2;

    /** The method "Send". */
    public static final int METHOD_SEND = 0x03;

    /** Creates a header that views nothing until it is wrapped. */
    public MadHeader() {}

    /**
     * Points this flyweight at a header.
     *
     * @param segment the bytes of the packet
     * @param offset where the header starts in the segment, in bytes
     * @return this
     */
    public MadHeader wrap(MemorySegment segment, long offset) {
        attach(segment, offset);
        return this;
    }

    /** {@return version of the MAD format, 1} */
    public int baseVersion() {
        return get8(BASE_VERSION_OFFSET);
    }

    /**
     * Sets the base version.
     *
     * @param value the version, 1
     * @return this
     */
    public MadHeader baseVersion(int value) {
        put8(BASE_VERSION_OFFSET, value);
        return this;
    }

    /** {@return the management class, {@link #CLASS_CM} for connection management} */
    public int managementClass() {
        return get8(MANAGEMENT_CLASS_OFFSET);
    }

    /**
     * Sets the management class.
     *
     * @param value the management class
     * @return this
     */
    public MadHeader managementClass(int value) {
        put8(MANAGEMENT_CLASS_OFFSET, value);
        return this;
    }

    /** {@return version of the class, {@link #CM_CLASS_VERSION} for connection management} */
    public int classVersion() {
        return get8(CLASS_VERSION_OFFSET);
    }

    /**
     * Sets the class version.
     *
     * @param value the version
     * @return this
     */
    public MadHeader classVersion(int value) {
        put8(CLASS_VERSION_OFFSET, value);
        return this;
    }

    /** {@return the method; {@link #METHOD_SEND} in every message of connection management} */
    public int method() {
        return get8(METHOD_OFFSET);
    }

    /**
     * Sets the method.
     *
     * @param value the method
     * @return this
     */
    public MadHeader method(int value) {
        put8(METHOD_OFFSET, value);
        return this;
    }

    /** {@return the status, 0 in connection management} */
    public int status() {
        return get16(STATUS_OFFSET);
    }

    /**
     * Sets the status.
     *
     * @param value the status
     * @return this
     */
    public MadHeader status(int value) {
        put16(STATUS_OFFSET, value);
        return this;
    }

    /** {@return bits for the class to use, 0 in connection management} */
    public int classSpecific() {
        return get16(CLASS_SPECIFIC_OFFSET);
    }

    /**
     * Sets the ClassSpecific field.
     *
     * @param value the bits
     * @return this
     */
    public MadHeader classSpecific(int value) {
        put16(CLASS_SPECIFIC_OFFSET, value);
        return this;
    }

    /** {@return the transaction ID, the same in all messages of one exchange; opaque but to its sender} */
    public long transactionId() {
        return get64(TRANSACTION_ID_OFFSET);
    }

    /**
     * Sets the transaction ID.
     *
     * @param value the transaction ID
     * @return this
     */
    public MadHeader transactionId(long value) {
        put64(TRANSACTION_ID_OFFSET, value);
        return this;
    }

    /** {@return the attribute ID; see {@link CmAttribute}} */
    public int attributeId() {
        return get16(ATTRIBUTE_ID_OFFSET);
    }

    /**
     * Sets the attribute ID.
     *
     * @param value the attribute ID
     * @return this
     */
    public MadHeader attributeId(int value) {
        put16(ATTRIBUTE_ID_OFFSET, value);
        return this;
    }

    /** {@return bits for the attribute to use: 0, or options of enhanced connection establishment} */
    public int attributeModifier() {
        return get32(ATTRIBUTE_MODIFIER_OFFSET);
    }

    /**
     * Sets the attribute modifier.
     *
     * @param value the bits
     * @return this
     */
    public MadHeader attributeModifier(int value) {
        put32(ATTRIBUTE_MODIFIER_OFFSET, value);
        return this;
    }

    /** {@return true if this is a message of connection management in the version known here} */
    public boolean isConnectionManagement() {
        return baseVersion() == BASE_VERSION
                && managementClass() == CLASS_CM
                && classVersion() == CM_CLASS_VERSION
                && method() == METHOD_SEND;
    }

    @Override
    protected void describe(StringBuilder out) {
        CmAttribute known = isConnectionManagement() ? CmAttribute.of(attributeId()) : null;
        out.append(
                known == null ? "class=0x%02x attr=0x%04x".formatted(managementClass(), attributeId()) : known.name());
        out.append(" method=0x%02x status=0x%04x tid=0x%016x".formatted(method(), status(), transactionId()));
    }
}
