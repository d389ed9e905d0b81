// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.wire;

import org.jspecify.annotations.Nullable;

/** The type of an o2iblnd message: its number and the bytes it needs at least. Source: {@code IBLND_MSG_*}. */
public enum MessageType {
    /** Requests a connection; private data of the CM REQ. */
    CONNREQ(0xc0, LndMessage.BODY + ConnParams.LENGTH),
    /** Grants a connection; travels as private data of the CM REP. */
    CONNACK(0xc1, LndMessage.BODY + ConnParams.LENGTH),
    /** Carries credits only. */
    NOOP(0xd0, LndMessage.BODY),
    /** An LNet message with its payload. */
    IMMEDIATE(0xd1, LndMessage.IMMEDIATE_PAYLOAD),
    /** Announces an LNet message with a payload to be written by RDMA; source to sink. */
    PUT_REQ(0xd2, LndMessage.REQUEST_COOKIE + Long.BYTES),
    /** Answers PUT_REQ: the sink needs no data, or it failed. */
    PUT_NAK(0xd3, LndMessage.BODY + Completion.LENGTH),
    /** Answers PUT_REQ: where the payload is to be written. */
    PUT_ACK(0xd4, LndMessage.PUT_ACK_DESCRIPTOR + RdmaDescriptor.FRAGMENTS),
    /** Follows the RDMA writes of a PUT. */
    PUT_DONE(0xd5, LndMessage.BODY + Completion.LENGTH),
    /** An LNet GET with the memory its reply is to be written to; sink to source. */
    GET_REQ(0xd6, LndMessage.GET_REQ_DESCRIPTOR + RdmaDescriptor.FRAGMENTS),
    /** Follows the RDMA writes of a GET, or refuses it. */
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

    /** {@return the bytes of the shortest message of this type with its header; the fragments of an RDMA descriptor come after that} */
    public int minimumLength() {
        return minimumLength;
    }

    /**
     * Finds the type with a given number.
     *
     * @param code the number; only its low eight bits count
     * @return the type, or null if the number has no meaning
     */
    public static @Nullable MessageType of(int code) {
        return BY_CODE[code & 0xff];
    }

    /** {@return whether this type is sent in the private data of a CM message and not on a queue pair: CONNREQ and CONNACK} */
    public boolean isConnectionMessage() {
        return this == CONNREQ || this == CONNACK;
    }

    /** {@return whether the message has an RDMA descriptor: PUT_ACK and GET_REQ} */
    public boolean hasDescriptor() {
        return this == PUT_ACK || this == GET_REQ;
    }

    /** {@return whether the message uses one of the receiver's credit buffers (protocol version 0x12): IMMEDIATE, PUT_REQ and GET_REQ} */
    public boolean needsCredit() {
        return this == IMMEDIATE || needsReservedCredit();
    }

    /** {@return whether the sender must keep a buffer for the answer: PUT_REQ and GET_REQ} */
    public boolean needsReservedCredit() {
        return this == PUT_REQ || this == GET_REQ;
    }
}
