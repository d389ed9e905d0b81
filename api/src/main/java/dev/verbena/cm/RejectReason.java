// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cm;

import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The reason why a peer rejected a connection, from a CM REJ message (InfiniBand Architecture Specification, volume 1,
 * section 12.6.7; {@code enum ib_cm_rej_reason} of the kernel). The status of a {@link CmEventType#REJECTED} event is the
 * code of the reason. For each constant, "sender" and "receiver" mean the sender and receiver of the rejected message.
 *
 * @since 1.0
 */
public enum RejectReason {
    /** No queue pair is available. */
    NO_QP(1),
    /** No end-to-end context (EEC) for reliable datagrams is available. */
    NO_EEC(2),
    /** Another resource is not available. */
    NO_RESOURCES(3),
    /** The peer received no reply to its own CM message in time, and therefore sent the REJ. */
    TIMEOUT(4),
    /** The receiver does not support the request. */
    UNSUPPORTED_REQUEST(5),
    /** The receiver does not know the communication ID. */
    INVALID_COMMUNICATION_ID(6),
    /** The communication ID, the queue pair and the service do not match. */
    INVALID_COMMUNICATION_INSTANCE(7),
    /** No application listens on the service ID. */
    INVALID_SERVICE_ID(8),
    /** The requested service does not support the requested transport service type. */
    INVALID_TRANSPORT_SERVICE_TYPE(9),
    /** The receiver still has a connection with the sender's queue pair. */
    STALE_CONNECTION(10),
    /** The reliable datagram channel does not exist. */
    RDC_DOES_NOT_EXIST(11),
    /** The receiver does not have the GID of the primary path. */
    PRIMARY_REMOTE_PORT_GID(12),
    /** The receiver does not have the LID of the primary path. */
    PRIMARY_REMOTE_PORT_LID(13),
    /** The receiver does not accept the service level of the primary path. */
    INVALID_PRIMARY_SERVICE_LEVEL(14),
    /** The receiver does not accept the traffic class of the primary path. */
    INVALID_PRIMARY_TRAFFIC_CLASS(15),
    /** The receiver does not accept the hop limit of the primary path. */
    INVALID_PRIMARY_HOP_LIMIT(16),
    /** The receiver does not accept the packet rate (static rate) of the primary path. */
    INVALID_PRIMARY_PACKET_RATE(17),
    /** The receiver does not have the GID of the alternate path. */
    ALTERNATE_REMOTE_PORT_GID(18),
    /** The receiver does not have the LID of the alternate path. */
    ALTERNATE_REMOTE_PORT_LID(19),
    /** The receiver does not accept the service level of the alternate path. */
    INVALID_ALTERNATE_SERVICE_LEVEL(20),
    /** The receiver does not accept the traffic class of the alternate path. */
    INVALID_ALTERNATE_TRAFFIC_CLASS(21),
    /** The receiver does not accept the hop limit of the alternate path. */
    INVALID_ALTERNATE_HOP_LIMIT(22),
    /** The receiver does not accept the packet rate (static rate) of the alternate path. */
    INVALID_ALTERNATE_PACKET_RATE(23),
    /** The sender must send the request to the CM of another port. */
    PORT_AND_CM_REDIRECTION(24),
    /** The sender must use another port. */
    PORT_REDIRECTION(25),
    /** The path MTU exceeds the maximum of the receiver's port. */
    INVALID_PATH_MTU(26),
    /** The receiver cannot accept the requested number of outstanding RDMA READs and atomics. */
    INSUFFICIENT_RESPONDER_RESOURCES(27),
    /** The application rejected the connection; the private data may state the application's reason. */
    CONSUMER_DEFINED(28),
    /** The receiver does not accept the RNR retry count. */
    INVALID_RNR_RETRY_COUNT(29),
    /** The sender already uses the communication ID for another connection. */
    DUPLICATE_LOCAL_COMM_ID(30),
    /** The receiver does not support the class version of the CM message. */
    INVALID_CLASS_VERSION(31),
    /** The receiver does not accept the flow label of the primary path. */
    INVALID_PRIMARY_FLOW_LABEL(32),
    /** The receiver does not accept the flow label of the alternate path. */
    INVALID_ALTERNATE_FLOW_LABEL(33),
    /** The receiver does not support the vendor option of enhanced connection establishment. */
    VENDOR_OPTION_NOT_SUPPORTED(35),
    /** A reason for which this enum has no constant. {@link CmEvent#status()} returns the code of the reason. */
    UNKNOWN(-1);

    private static final Map<Integer, RejectReason> BY_CODE =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(RejectReason::code, reason -> reason));

    private final int code;

    RejectReason(int code) {
        this.code = code;
    }

    /** {@return the code in the REJ message, 1 to 35, or -1 for {@link #UNKNOWN}} */
    public int code() {
        return code;
    }

    /**
     * Decodes the reason code of a REJ message.
     *
     * @param code any number
     * @return the reason, {@link #UNKNOWN} if Verbena does not know the code
     */
    public static RejectReason of(int code) {
        return BY_CODE.getOrDefault(code, UNKNOWN);
    }
}
