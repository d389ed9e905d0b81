// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.wire;

import org.jspecify.annotations.Nullable;

/** The type of an o2iblnd message, with its number and its shortest length. Source: {@code IBLND_MSG_*}. */
public enum MessageType {
    /** Requests a connection, as private data of the CM REQ. */
    CONNREQ(0xc0, LndMessage.BODY + ConnParams.LENGTH),
    /** Accepts a connection, as private data of the CM REP. */
    CONNACK(0xc1, LndMessage.BODY + ConnParams.LENGTH),
    /** Returns credits, or keeps the connection alive. */
    NOOP(0xd0, LndMessage.BODY),
    /** Contains an LNet message with its payload. */
    IMMEDIATE(0xd1, LndMessage.IMMEDIATE_PAYLOAD),
    /** Announces an LNet message whose payload the sender will write by RDMA. */
    PUT_REQ(0xd2, LndMessage.REQUEST_COOKIE + Long.BYTES),
    /** Ends a PUT_REQ without RDMA, because the receiver needs no data or has failed. */
    PUT_NAK(0xd3, LndMessage.BODY + Completion.LENGTH),
    /** Answers PUT_REQ with the memory that the sender must write to. */
    PUT_ACK(0xd4, LndMessage.PUT_ACK_DESCRIPTOR + RdmaDescriptor.FRAGMENTS),
    /** Ends a PUT after its RDMA WRITEs. */
    PUT_DONE(0xd5, LndMessage.BODY + Completion.LENGTH),
    /** Contains an LNet GET, and the memory that the receiver must write the reply to. */
    GET_REQ(0xd6, LndMessage.GET_REQ_DESCRIPTOR + RdmaDescriptor.FRAGMENTS),
    /** Ends a GET after its RDMA WRITEs, or reports its failure. */
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

    /** {@return the number in the header, 0xc0 to 0xd7} */
    public int code() {
        return code;
    }

    /** {@return the length of the shortest message of this type in bytes; RDMA fragments follow} */
    public int minimumLength() {
        return minimumLength;
    }

    /**
     * {@return the type with a given number, or null if no type has it}
     *
     * @param code the number, of which only the lower eight bits are used
     */
    public static @Nullable MessageType of(int code) {
        return BY_CODE[code & 0xff];
    }

    /** {@return whether messages of this type are private data of CM messages: CONNREQ and CONNACK} */
    public boolean isConnectionMessage() {
        return this == CONNREQ || this == CONNACK;
    }

    /** {@return whether the message has an RDMA descriptor: PUT_ACK and GET_REQ} */
    public boolean hasDescriptor() {
        return this == PUT_ACK || this == GET_REQ;
    }

    /** {@return whether the message consumes a credit in protocol version 0x12: IMMEDIATE, PUT_REQ and GET_REQ} */
    public boolean needsCredit() {
        return this == IMMEDIATE || needsReservedCredit();
    }

    /** {@return whether the sender must reserve a receive buffer for the answer: PUT_REQ and GET_REQ} */
    public boolean needsReservedCredit() {
        return this == PUT_REQ || this == GET_REQ;
    }
}
