// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * The type of an event outside the completion queues ({@code enum ibv_event_type}, {@code ibv_get_async_event}(3); IBTA
 * volume 1, 11.6.3).
 *
 * @since 1.0
 */
public enum AsyncEventType {
    /**
     * The completion queue overflowed or failed; it reports nothing any more and its queue pairs go to the error
     * state.
     */
    CQ_ERR(0, Subject.CQ),
    /** The queue pair failed and is in the error state; no completion could report the cause. */
    QP_FATAL(1, Subject.QP),
    /** The responder got an illegal request from the peer and entered the error state. */
    QP_REQ_ERR(2, Subject.QP),
    /** The responder got a request that violates memory protection and entered the error state. */
    QP_ACCESS_ERR(3, Subject.QP),
    /** The first packet arrived at a queue pair in RTR: the peer is connected already, so modify to RTS. */
    COMM_EST(4, Subject.QP),
    /** The send queue of a queue pair in SQD has finished the requests that it had begun. */
    SQ_DRAINED(5, Subject.QP),
    /** The connection changed to its alternate path. */
    PATH_MIG(6, Subject.QP),
    /** The connection could not change to its alternate path. */
    PATH_MIG_ERR(7, Subject.QP),
    /** The device failed or was removed: close everything. */
    DEVICE_FATAL(8, Subject.DEVICE),
    /** The port began to carry data. */
    PORT_ACTIVE(9, Subject.PORT),
    /** The port stopped carrying data. */
    PORT_ERR(10, Subject.PORT),
    /** The subnet manager assigned another LID to the port. */
    LID_CHANGE(11, Subject.PORT),
    /** The P_Key table of the port changed. */
    PKEY_CHANGE(12, Subject.PORT),
    /** Another subnet manager took over. */
    SM_CHANGE(13, Subject.PORT),
    /** The shared receive queue failed. */
    SRQ_ERR(14, Subject.SRQ),
    /** Fewer receives than the limit are left: post more and arm the limit anew. */
    SRQ_LIMIT_REACHED(15, Subject.SRQ),
    /**
     * A queue pair in the error state will take no further receive from its shared receive queue, so that it may be
     * closed.
     */
    QP_LAST_WQE_REACHED(16, Subject.QP),
    /** The subnet manager requests that clients subscribe and join multicast groups again. */
    CLIENT_REREGISTER(17, Subject.PORT),
    /** The GID table of the port changed. */
    GID_CHANGE(18, Subject.PORT),
    /** A work queue of receive-side scaling failed; the event names the device only. */
    WQ_FATAL(19, Subject.WQ),
    /** The speed of a port of the device changed; the event names no port, so query each. */
    DEVICE_SPEED_CHANGE(20, Subject.DEVICE),
    /** An event that this release does not know; {@link AsyncEvent#code()} has the number. */
    UNKNOWN(-1, Subject.DEVICE);

    /**
     * The kind of object that an event names.
     *
     * @since 1.0
     */
    public enum Subject {
        /** The whole device. */
        DEVICE,
        /** One port, by number. */
        PORT,
        /** A completion queue. */
        CQ,
        /** A queue pair. */
        QP,
        /** A shared receive queue. */
        SRQ,
        /** A work queue, which this library does not offer. */
        WQ
    }

    private static final CodeTable<AsyncEventType> BY_CODE =
            new CodeTable<>("async event type", values(), AsyncEventType::code);

    private final int code;
    private final Subject subject;

    AsyncEventType(int code, Subject subject) {
        this.code = code;
        this.subject = subject;
    }

    /**
     * The number of {@code enum ibv_event_type}.
     *
     * @return 0..20, -1 for {@link #UNKNOWN}
     */
    public int code() {
        return code;
    }

    /**
     * The kind of object that the event names.
     *
     * @return the kind
     */
    public Subject subject() {
        return subject;
    }

    /**
     * Decodes the number of the user ABI; allocates nothing.
     *
     * @param code any number
     * @return its constant, {@link #UNKNOWN} if this release has none
     */
    public static AsyncEventType of(int code) {
        return BY_CODE.find(code, UNKNOWN);
    }
}
