// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

/** The type of an event. Numbers are those of Lustre's {@code enum lnet_event_kind}. */
public enum LnetEventType {
    /** An incoming GET was served. */
    GET(1),
    /** The data of an incoming PUT is in place. */
    PUT(2),
    /** The answer to a GET is in place. */
    REPLY(3),
    /** The target of a PUT confirmed it. */
    ACK(4),
    /** A PUT or GET left this node, or could not; it may come before or after the ACK or REPLY. */
    SEND(5),
    /** A memory descriptor on which nothing was going on was unlinked. */
    UNLINK(6);

    private final int code;

    LnetEventType(int code) {
        this.code = code;
    }

    /**
     * Lustre's number.
     *
     * @return 1 to 6
     */
    public int code() {
        return code;
    }
}
