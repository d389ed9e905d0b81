// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

/** The type of an event. The numbers are those of Lustre's {@code enum lnet_event_kind}. */
public enum LnetEventType {
    /** The data of an incoming GET was sent. */
    GET(1),
    /** The data of an incoming PUT was received. */
    PUT(2),
    /** The data of an own GET was received. */
    REPLY(3),
    /** The target of a PUT acknowledged it. */
    ACK(4),
    /** An own PUT or GET was sent or has failed; the ACK or REPLY event may come before or after this event. */
    SEND(5),
    /** A memory descriptor without an operation in progress was unlinked. */
    UNLINK(6);

    private final int code;

    LnetEventType(int code) {
        this.code = code;
    }

    /** {@return the number of the type in Lustre, 1 to 6} */
    public int code() {
        return code;
    }
}
