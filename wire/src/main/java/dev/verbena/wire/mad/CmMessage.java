// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire.mad;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A message of connection management: a MAD header, fields, and private data up to the end of the 256 bytes. Field offsets
 * count from the start of the MAD.
 *
 * @param <M> the class of the message
 */
public abstract class CmMessage<M extends CmMessage<M>> extends FieldView<M> {
    private final CmAttribute attribute;
    private final int privateDataOffset;
    private final MadHeader header = new MadHeader();

    /**
     * Creates a message that must be wrapped around memory before use. The private data starts at the given offset from the
     * start of the MAD.
     */
    CmMessage(CmAttribute attribute, FieldTable<M> table, int privateDataOffset) {
        super(table);
        this.attribute = attribute;
        this.privateDataOffset = privateDataOffset;
    }

    /** {@return the kind of message that this class represents, regardless of the wrapped bytes} */
    public final CmAttribute attribute() {
        return attribute;
    }

    /** {@return the MAD header, which is the same object at each call} */
    public final MadHeader header() {
        return header.wrap(segment(), offset());
    }

    /** {@return the transaction ID of the MAD header, equal in all messages of one exchange} */
    public final long transactionId() {
        return header().getLong(MadHeader.TRANSACTION_ID);
    }

    /**
     * Starts a new message: writes the MAD header, and sets all other bytes to zero.
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

    /** {@return the length of the private data area in bytes; the message does not contain the number of used bytes} */
    public final int privateDataLength() {
        return MadHeader.MAD_LENGTH - privateDataOffset;
    }

    /** {@return a copy of the whole private data area} */
    public final byte[] privateData() {
        return privateData(0);
    }

    /**
     * {@return a copy of the private data area without its first bytes}
     *
     * @param from the number of bytes to skip, {@link RdmaCmHeader#LENGTH} for the private data of the application in a REQ
     *     of rdma_cm
     * @throws IllegalArgumentException if the area has fewer bytes
     */
    public final byte[] privateData(int from) {
        return copyOut(privateDataOffset + from, privateDataLength() - from);
    }

    /**
     * Sets the private data, and sets the rest of the private data area to zero.
     *
     * @param from the number of bytes of the area to keep, {@link RdmaCmHeader#LENGTH} for an rdma_cm header
     * @param data the private data
     * @throws IllegalArgumentException if the data does not fit
     */
    public final void privateData(int from, byte[] data) {
        copyIn(privateDataOffset + from, privateDataLength() - from, data, "private data");
    }

    final byte[] copyOut(int field, int areaLength) {
        if (areaLength < 0) {
            throw new IllegalArgumentException(attribute + " has no private data so far on");
        }
        byte[] bytes = new byte[areaLength];
        MemorySegment.copy(segment(), ValueLayout.JAVA_BYTE, offset() + field, bytes, 0, areaLength);
        return bytes;
    }

    /** Copies bytes into an area of the message and clears the rest of the area. */
    final void copyIn(int field, int areaLength, byte[] bytes, String what) {
        if (bytes.length > areaLength) {
            throw new IllegalArgumentException(attribute + " has room for " + Math.max(areaLength, 0) + " bytes of "
                    + what + ", not " + bytes.length);
        }
        MemorySegment.copy(bytes, 0, segment(), ValueLayout.JAVA_BYTE, offset() + field, bytes.length);
        putZeros(field + bytes.length, areaLength - bytes.length);
    }
}
