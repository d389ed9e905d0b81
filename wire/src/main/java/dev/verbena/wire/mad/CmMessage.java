// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire.mad;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A CM message: a MAD header, fields, and private data up to the end of the MAD. The offsets of fields count from the start
 * of the MAD.
 *
 * @param <M> the class of the message
 */
public abstract class CmMessage<M extends CmMessage<M>> extends FieldView<M> {
    private final CmAttribute attribute;
    private final int privateDataOffset;
    private final MadHeader header = new MadHeader();

    /**
     * Creates a flyweight for a message. Call {@link #wrap} before any other method. The private data begins
     * {@code privateDataOffset} bytes after the start of the MAD.
     */
    CmMessage(CmAttribute attribute, FieldTable<M> table, int privateDataOffset) {
        super(table);
        this.attribute = attribute;
        this.privateDataOffset = privateDataOffset;
    }

    /** {@return the type of CM message that this class represents; it does not depend on the wrapped bytes} */
    public final CmAttribute attribute() {
        return attribute;
    }

    /** {@return the MAD header; always the same object} */
    public final MadHeader header() {
        return header.wrap(segment(), offset());
    }

    /** {@return the transaction ID in the MAD header, equal in all messages of one exchange} */
    public final long transactionId() {
        return header().getLong(MadHeader.TRANSACTION_ID);
    }

    /**
     * Initializes a new message: writes the MAD header, and sets all other bytes to zero.
     *
     * @param transactionId the transaction ID
     */
    public final void initialize(long transactionId) {
        putZeros(0, MadHeader.MAD_LENGTH);
        header().set(MadHeader.BASE_VERSION, MadHeader.MAD_VERSION)
                .set(MadHeader.MANAGEMENT_CLASS, MadHeader.CLASS_CM)
                .set(MadHeader.CLASS_VERSION, MadHeader.CM_CLASS_VERSION)
                .set(MadHeader.METHOD, MadHeader.METHOD_SEND)
                .set(MadHeader.TRANSACTION_ID, transactionId)
                .set(MadHeader.ATTRIBUTE_ID, attribute.id());
    }

    /** {@return the offset of the private data from the start of the MAD, in bytes} */
    public final int privateDataOffset() {
        return privateDataOffset;
    }

    /** {@return the length of the private data area in bytes; no field contains the number of used bytes} */
    public final int privateDataLength() {
        return MadHeader.MAD_LENGTH - privateDataOffset;
    }

    /** {@return a copy of the whole private data area} */
    public final byte[] privateData() {
        return privateData(0);
    }

    /**
     * {@return a copy of the private data area from the given offset on}
     *
     * @param from the number of bytes to skip at the start of the private data area; pass {@link RdmaCmHeader#LENGTH} to get
     *     the application's private data from a REQ of rdma_cm
     * @throws IllegalArgumentException if {@code from} exceeds the length of the private data area
     */
    public final byte[] privateData(int from) {
        return copyOut(privateDataOffset + from, privateDataLength() - from);
    }

    /**
     * Writes private data to the private data area of the message, and fills the rest of the area with zeros.
     *
     * @param from the number of bytes to keep at the start of the private data area. Pass {@link RdmaCmHeader#LENGTH} to
     *     keep an rdma_cm header unchanged
     * @param data the private data
     * @throws IllegalArgumentException if the private data exceeds the area
     */
    public final void privateData(int from, byte[] data) {
        copyIn(privateDataOffset + from, privateDataLength() - from, data, "private data");
    }

    final byte[] copyOut(int field, int areaLength) {
        if (areaLength < 0) {
            throw new IllegalArgumentException(attribute + " has no private data at this offset");
        }
        byte[] bytes = new byte[areaLength];
        MemorySegment.copy(segment(), ValueLayout.JAVA_BYTE, offset() + field, bytes, 0, areaLength);
        return bytes;
    }

    /** Copies bytes to an area of the message, and clears the rest of the area. */
    final void copyIn(int field, int areaLength, byte[] bytes, String what) {
        if (bytes.length > areaLength) {
            throw new IllegalArgumentException(attribute + " has room for " + Math.max(areaLength, 0) + " bytes of "
                    + what + ", not " + bytes.length);
        }
        MemorySegment.copy(bytes, 0, segment(), ValueLayout.JAVA_BYTE, offset() + field, bytes.length);
        putZeros(field + bytes.length, areaLength - bytes.length);
    }
}
