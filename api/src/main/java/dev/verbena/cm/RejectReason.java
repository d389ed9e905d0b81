// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cm;

import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Why a peer rejected a connection: the reason of a CM REJ message (InfiniBand Architecture Specification, volume 1,
 * section 12.6.7; {@code enum ib_cm_rej_reason} of the kernel). The reason is the status of a
 * {@link CmEventType#REJECTED} event.
 *
 * @since 1.0
 */
public enum RejectReason {
    /** No queue pair is available. */
    NO_QP(1),
    /** No EE context is available. */
    NO_EEC(2),
    /** Another resource is not available. */
    NO_RESOURCES(3),
    /** The other side has not answered in time. */
    TIMEOUT(4),
    /** The receiver does not support the request. */
    UNSUPPORTED_REQUEST(5),
    /** The receiver does not know the communication ID. */
    INVALID_COMMUNICATION_ID(6),
    /** Communication ID, queue pair and service do not belong together. */
    INVALID_COMMUNICATION_INSTANCE(7),
    /** No application listens on the service ID. */
    INVALID_SERVICE_ID(8),
    /** The service does not use this transport. */
    INVALID_TRANSPORT_SERVICE_TYPE(9),
    /** The receiver still has the sender's queue pair as connected. */
    STALE_CONNECTION(10),
    /** The reliable datagram channel does not exist. */
    RDC_DOES_NOT_EXIST(11),
    /** The primary path: the receiver does not have this GID. */
    PRIMARY_REMOTE_PORT_GID(12),
    /** The primary path: the receiver does not have this LID. */
    PRIMARY_REMOTE_PORT_LID(13),
    /** The primary path: service level. */
    INVALID_PRIMARY_SERVICE_LEVEL(14),
    /** The primary path: traffic class. */
    INVALID_PRIMARY_TRAFFIC_CLASS(15),
    /** The primary path: hop limit. */
    INVALID_PRIMARY_HOP_LIMIT(16),
    /** The primary path: packet rate. */
    INVALID_PRIMARY_PACKET_RATE(17),
    /** The alternate path: the receiver does not have this GID. */
    ALTERNATE_REMOTE_PORT_GID(18),
    /** The alternate path: the receiver does not have this LID. */
    ALTERNATE_REMOTE_PORT_LID(19),
    /** The alternate path: service level. */
    INVALID_ALTERNATE_SERVICE_LEVEL(20),
    /** The alternate path: traffic class. */
    INVALID_ALTERNATE_TRAFFIC_CLASS(21),
    /** The alternate path: hop limit. */
    INVALID_ALTERNATE_HOP_LIMIT(22),
    /** The alternate path: packet rate. */
    INVALID_ALTERNATE_PACKET_RATE(23),
    /** Send the request to the CM of another port. */
    PORT_AND_CM_REDIRECTION(24),
    /** Use another port. */
    PORT_REDIRECTION(25),
    /** The path MTU exceeds the maximum of the receiver's port. */
    INVALID_PATH_MTU(26),
    /** Too few RDMA READs and atomics at a time. */
    INSUFFICIENT_RESPONDER_RESOURCES(27),
    /** The consumer rejected the connection; the private data may have the reason. */
    CONSUMER_DEFINED(28),
    /** The RNR retry count. */
    INVALID_RNR_RETRY_COUNT(29),
    /** The sender uses the communication ID for something else already. */
    DUPLICATE_LOCAL_COMM_ID(30),
    /** The version of connection management. */
    INVALID_CLASS_VERSION(31),
    /** The primary path: flow label. */
    INVALID_PRIMARY_FLOW_LABEL(32),
    /** The alternate path: flow label. */
    INVALID_ALTERNATE_FLOW_LABEL(33),
    /** Enhanced connection establishment: the vendor option. */
    VENDOR_OPTION_NOT_SUPPORTED(35),
    /** A reason that this release does not know; {@link CmEvent#status()} has the number. */
    UNKNOWN(-1);

    private static final Map<Integer, RejectReason> BY_CODE =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(RejectReason::code, reason -> reason));

    private final int code;

    RejectReason(int code) {
        this.code = code;
    }

    /**
     * Returns the number in the message.
     *
     * @return 1 to 35, -1 for {@link #UNKNOWN}
     */
    public int code() {
        return code;
    }

    /**
     * Decodes the number in the message.
     *
     * @param code any number
     * @return its constant, {@link #UNKNOWN} if this release has none
     */
    public static RejectReason of(int code) {
        return BY_CODE.getOrDefault(code, UNKNOWN);
    }
}
