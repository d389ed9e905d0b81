// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * The type of an asynchronous event ({@code enum ibv_event_type}, {@code ibv_get_async_event}(3), IBTA volume 1, 11.6.3).
 *
 * @since 1.0
 */
public enum AsyncEventType {
    /**
     * The completion queue overflowed or failed. The device adds no more completions to this queue. All queue pairs that
     * use this queue enter the error state.
     */
    CQ_ERR(0, Subject.CQ),
    /** The queue pair failed and is in the error state, and no completion could report the cause. */
    QP_FATAL(1, Subject.QP),
    /** The responder got an illegal request from the peer, so the queue pair entered the error state. */
    QP_REQ_ERR(2, Subject.QP),
    /** The responder got a request that violates memory protection, so the queue pair entered the error state. */
    QP_ACCESS_ERR(3, Subject.QP),
    /**
     * A queue pair in RTR received its first packet. The first packet in RTR shows that the peer is connected, so the
     * application can modify the queue pair to RTS.
     */
    COMM_EST(4, Subject.QP),
    /** The queue pair is in SQD, and all requests that the device had begun before SQD have finished. */
    SQ_DRAINED(5, Subject.QP),
    /** The connection migrated to its alternate path. */
    PATH_MIG(6, Subject.QP),
    /** The connection could not migrate to its alternate path. */
    PATH_MIG_ERR(7, Subject.QP),
    /** The device failed or was removed; the application must close all objects of the device. */
    DEVICE_FATAL(8, Subject.DEVICE),
    /** The state of the port changed to ACTIVE. */
    PORT_ACTIVE(9, Subject.PORT),
    /** The port is no longer in the state ACTIVE. */
    PORT_ERR(10, Subject.PORT),
    /** The subnet manager assigned another LID to the port. */
    LID_CHANGE(11, Subject.PORT),
    /** The P_Key table of the port changed. */
    PKEY_CHANGE(12, Subject.PORT),
    /** Another subnet manager now manages the subnet of the port. */
    SM_CHANGE(13, Subject.PORT),
    /** The shared receive queue failed. */
    SRQ_ERR(14, Subject.SRQ),
    /**
     * The shared receive queue has fewer receive requests than its SRQ limit. The application must post more receive
     * requests and set the SRQ limit again.
     */
    SRQ_LIMIT_REACHED(15, Subject.SRQ),
    /**
     * A queue pair in the error state consumes no more receive requests of its shared receive queue. The application may
     * close the queue pair after QP_LAST_WQE_REACHED.
     */
    QP_LAST_WQE_REACHED(16, Subject.QP),
    /**
     * The subnet manager requests that clients renew their subscriptions at the subnet administrator (SA) and join their
     * multicast groups again.
     */
    CLIENT_REREGISTER(17, Subject.PORT),
    /** The GID table of the port changed. */
    GID_CHANGE(18, Subject.PORT),
    /** A work queue of receive-side scaling failed; the event identifies only the device. */
    WQ_FATAL(19, Subject.WQ),
    /** The speed of a device port changed; the event identifies no port, so the application must query each port. */
    DEVICE_SPEED_CHANGE(20, Subject.DEVICE),
    /** An event type that Verbena does not know; {@link AsyncEvent#code()} returns its value. */
    UNKNOWN(-1, Subject.DEVICE);

    /**
     * The type of the object that an asynchronous event identifies.
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
        /** A work queue of receive-side scaling, which this library does not offer. */
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

    /** {@return the value of the type in {@code enum ibv_event_type}, 0..20, or -1 for {@link #UNKNOWN}} */
    public int code() {
        return code;
    }

    /** {@return the type of the object that an event of this type identifies} */
    public Subject subject() {
        return subject;
    }

    /**
     * Decodes a numeric value of {@code enum ibv_event_type}; allocates nothing.
     *
     * @param code any value
     * @return the event type, {@link #UNKNOWN} if Verbena does not know the value
     */
    public static AsyncEventType of(int code) {
        return BY_CODE.find(code, UNKNOWN);
    }
}
