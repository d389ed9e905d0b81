// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.wire;

import org.jspecify.annotations.Nullable;

/** The types of o2iblnd messages, each with its code in the header and its minimum length. Source: {@code IBLND_MSG_*}. */
public enum MessageType {
    /** A request for a connection, as private data of the CM REQ. */
    CONNREQ(0xc0, LndMessage.BODY + ConnParams.LENGTH),
    /** The acceptance of a connection, as private data of the CM REP. */
    CONNACK(0xc1, LndMessage.BODY + ConnParams.LENGTH),
    /** A message that only returns credits or keeps the connection alive. */
    NOOP(0xd0, LndMessage.BODY),
    /** A message that contains an LNet message with its payload. */
    IMMEDIATE(0xd1, LndMessage.IMMEDIATE_PAYLOAD),
    /** A request to transfer an LNet message whose payload the sender will write by RDMA. */
    PUT_REQ(0xd2, LndMessage.REQUEST_COOKIE + Long.BYTES),
    /** The negative response to a PUT_REQ, after an error or if no data is needed. No RDMA WRITE follows a PUT_NAK. */
    PUT_NAK(0xd3, LndMessage.BODY + Completion.LENGTH),
    /** The response to a PUT_REQ, with the memory to which the sender must write. */
    PUT_ACK(0xd4, LndMessage.PUT_ACK_DESCRIPTOR + RdmaDescriptor.FRAGMENTS),
    /** The message that completes a PUT, after its RDMA WRITEs or a failure. */
    PUT_DONE(0xd5, LndMessage.BODY + Completion.LENGTH),
    /** An LNet GET, with the memory to which the receiver must write the reply. */
    GET_REQ(0xd6, LndMessage.GET_REQ_DESCRIPTOR + RdmaDescriptor.FRAGMENTS),
    /** The message that completes a GET, after its RDMA WRITEs or a failure. */
    GET_DONE(0xd7, LndMessage.BODY + Completion.LENGTH);

    private static final @Nullable MessageType[] BY_CODE = new MessageType[256];

    static {
        for (MessageType type : values()) {
            BY_CODE[type.code] = type;
        }
    }

    private final int code;
    private final int minimumLength;

    MessageType(int code, int minimumLength) {
        this.code = code;
        this.minimumLength = minimumLength;
    }

    /** {@return the code of this message type in the header of an LND message, 0xc0 to 0xd7} */
    public int code() {
        return code;
    }

    /** {@return the minimum length of a message of this type in bytes, excluding payload and RDMA fragments} */
    public int minimumLength() {
        return minimumLength;
    }

    /**
     * {@return the type with the given code, or null if the code is unknown}
     *
     * @param code the code of a message type; only the lower eight bits are used
     */
    public static @Nullable MessageType of(int code) {
        return BY_CODE[code & 0xff];
    }

    /** {@return whether messages of this type are private data of CM messages; true for CONNREQ and CONNACK} */
    public boolean isConnectionMessage() {
        return this == CONNREQ || this == CONNACK;
    }

    /** {@return whether a message of this type contains an RDMA descriptor; true for PUT_ACK and GET_REQ} */
    public boolean hasDescriptor() {
        return this == PUT_ACK || this == GET_REQ;
    }

    /** {@return whether this type consumes a credit in version 0x12; true for IMMEDIATE, PUT_REQ and GET_REQ} */
    public boolean needsCredit() {
        return this == IMMEDIATE || needsReservedCredit();
    }

    /** {@return whether the sender must reserve a receive buffer for the response; true for PUT_REQ and GET_REQ} */
    public boolean needsReservedCredit() {
        return this == PUT_REQ || this == GET_REQ;
    }
}
