// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

/** The type of an LNet event. Each event type has the same value as in Lustre's {@code enum lnet_event_kind}. */
public enum LnetEventType {
    /** The node has sent the data for an incoming GET. */
    GET(1),
    /** The node has received the data of an incoming PUT. */
    PUT(2),
    /** The node has received the data that it requested by a GET. */
    REPLY(3),
    /** The target has acknowledged a PUT of this node. */
    ACK(4),
    /** A PUT or GET of this node was sent or has failed; the ACK or REPLY event may precede this event. */
    SEND(5),
    /** A memory descriptor without operations in progress was unlinked. */
    UNLINK(6);

    private final int code;

    LnetEventType(int code) {
        this.code = code;
    }

    /** {@return the value of the event type in Lustre's {@code enum lnet_event_kind}, 1 to 6} */
    public int code() {
        return code;
    }
}
