// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

import org.jspecify.annotations.Nullable;

/** The type of an LNet message. Source: Lustre's {@code lnet-idl.h}. */
public enum LnetMessageType {
    /** Reports the number of bytes of a PUT that the target accepted. Has no payload. */
    ACK,
    /** Transports data to a portal of the target. */
    PUT,
    /** Requests data from a portal of the target. Has no payload. */
    GET,
    /** Transports the data that a GET requested. */
    REPLY,
    /** Opens a socket connection, and is invalid over o2iblnd. */
    HELLO;

    private static final LnetMessageType[] VALUES = values();

    /** {@return the number in the header, 0 to 4} */
    public int code() {
        return ordinal();
    }

    /**
     * {@return the type with a given number, or null if no type has it}
     *
     * @param code the number in the header
     */
    public static @Nullable LnetMessageType of(int code) {
        return code >= 0 && code < VALUES.length ? VALUES[code] : null;
    }
}
