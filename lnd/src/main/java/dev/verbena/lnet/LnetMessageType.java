// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

import org.jspecify.annotations.Nullable;

/** The type field of the LNet header. Source: Lustre's {@code lnet-idl.h}. */
public enum LnetMessageType {
    /** Confirms a PUT: how many bytes the target took. Has no payload. */
    ACK,
    /** Carries data to a portal of the target. */
    PUT,
    /** Requests data from a portal of the target. Has no payload. */
    GET,
    /** Carries the data that a GET requested. */
    REPLY,
    /** Opens a socket connection; never valid over o2iblnd. */
    HELLO;

    private static final LnetMessageType[] VALUES = values();

    /**
     * The number in the header.
     *
     * @return 0 to 4
     */
    public int code() {
        return ordinal();
    }

    /**
     * Finds the type with a given number.
     *
     * @param code the number in the header
     * @return the type, or null if the number has no meaning
     */
    public static @Nullable LnetMessageType of(int code) {
        return code >= 0 && code < VALUES.length ? VALUES[code] : null;
    }
}
