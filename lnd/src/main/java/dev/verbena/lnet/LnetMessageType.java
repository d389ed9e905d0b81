// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

import org.jspecify.annotations.Nullable;

/** The types of LNet messages, in the order of their values in the LNet header. Source: Lustre's {@code lnet-idl.h}. */
public enum LnetMessageType {
    /** Reports how many bytes of a PUT the target has accepted. Has no payload. */
    ACK,
    /** Contains data for a portal of the target. */
    PUT,
    /** Requests data from a portal of the target. Has no payload. */
    GET,
    /** Contains the data that a GET requested. */
    REPLY,
    /** Opens a socket connection. A HELLO message is invalid over o2iblnd. */
    HELLO;

    private static final LnetMessageType[] VALUES = values();

    /** {@return the value of the message type in the LNet header, 0 to 4} */
    public int code() {
        return ordinal();
    }

    /**
     * {@return the type with the given value, or null if the value is unknown}
     *
     * @param code the value of the message type in the LNet header
     */
    public static @Nullable LnetMessageType of(int code) {
        return code >= 0 && code < VALUES.length ? VALUES[code] : null;
    }
}
