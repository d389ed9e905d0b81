// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cm;

import dev.verbena.verbs.Errno;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * An event of an id ({@code struct rdma_cm_event}). Immutable except for its acknowledgement.
 *
 * <p>{@link #close()} acknowledges the event; an id with unacknowledged events cannot be destroyed. An event delivered
 * to a handler is acknowledged when the handler returns.
 *
 * @since 1.0
 */
public interface CmEvent extends AutoCloseable {
    /**
     * Returns the type of the event.
     *
     * @return the type
     */
    CmEventType type();

    /**
     * Returns the library's number of the event, which identifies a type that this release does not know.
     *
     * @return the number in {@code rdma/rdma_cma.h}
     */
    default int typeCode() {
        return type().code();
    }

    /**
     * Returns the id that the event is about.
     *
     * @return the id; for CONNECT_REQUEST a new one, owned by the receiver of the event
     */
    ConnectionId id();

    /**
     * Returns the listening id.
     *
     * @return for CONNECT_REQUEST the id that listens, otherwise empty
     */
    Optional<ConnectionId> listenId();

    /**
     * Returns the outcome as rdma_cm reports it. The number is 0 or a negative errno, except for two types of events.
     * For REJECTED it is the number of a {@link RejectReason}; for UNREACHABLE of port space UDP it is the status of a
     * SIDR_REP message. {@link #errno()}, {@link #rejectReason()} and {@link #sidrStatus()} distinguish the three.
     *
     * @return the number
     */
    int status();

    /**
     * Returns the error that the event reports.
     *
     * @return the errno; empty if the event reports none, or reports it by another code
     */
    default Optional<Errno> errno() {
        return status() < 0 ? Optional.of(Errno.of(-status())) : Optional.empty();
    }

    /**
     * Returns why the peer rejected the connection.
     *
     * @return the reason of a REJECTED event, {@link RejectReason#UNKNOWN} if this release does not know it; otherwise empty
     */
    default Optional<RejectReason> rejectReason() {
        return type() == CmEventType.REJECTED && status() > 0
                ? Optional.of(RejectReason.of(status()))
                : Optional.empty();
    }

    /**
     * Returns why the peer refused to resolve a service for datagrams ({@code enum ib_cm_sidr_status}).
     *
     * @return the status of an UNREACHABLE event, 1 to 5 in the specification; otherwise empty
     */
    default OptionalInt sidrStatus() {
        return type() == CmEventType.UNREACHABLE && status() > 0 ? OptionalInt.of(status()) : OptionalInt.empty();
    }

    /**
     * Returns the peer's private data.
     *
     * @return a copy, padded with zeros to the message's full area; empty where the event has none. The area of a
     *     request, a reply and a rejection has 56, 196 and 148 bytes for port space TCP, and 180, 136 and 136 bytes for
     *     UDP
     */
    byte[] privateData();

    /**
     * Returns the peer's connection parameters, from this side's point of view.
     *
     * @return the parameters of CONNECT_REQUEST, CONNECT_RESPONSE and ESTABLISHED, otherwise empty
     */
    Optional<ConnectionParameters> parameters();

    /**
     * Returns how to send datagrams to the peer or group.
     *
     * @return for port space UDP on ESTABLISHED and MULTICAST_JOIN, otherwise empty
     */
    Optional<UdParameters> udParameters();

    /**
     * Returns the context that the caller attached when it joined the group.
     *
     * @return for MULTICAST_JOIN and MULTICAST_ERROR the context of {@link ConnectionId#joinMulticast}, otherwise null
     */
    @Nullable Object multicastContext();

    /** Acknowledges the event ({@code rdma_ack_cm_event}); idempotent. */
    @Override
    void close();
}
