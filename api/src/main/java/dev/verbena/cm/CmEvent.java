// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cm;

import dev.verbena.verbs.Errno;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * An event of a connection id ({@code struct rdma_cm_event}). Immutable except for its acknowledgement.
 *
 * <p>{@link #close()} acknowledges the event; an id with unacknowledged events cannot be destroyed. When a handler returns, its
 * event is acknowledged.
 *
 * @since 1.0
 */
public interface CmEvent extends AutoCloseable {
    /** {@return the type of the event} */
    CmEventType type();

    /** {@return the number of this event's type in {@code rdma/rdma_cma.h}, also for a type that this release does not know} */
    default int typeCode() {
        return type().code();
    }

    /**
     * {@return the id to which the event applies; for CONNECT_REQUEST a new id, and the program that receives the event
     * must close the new id}
     */
    ConnectionId id();

    /** {@return the listening id for CONNECT_REQUEST, otherwise empty} */
    Optional<ConnectionId> listenId();

    /**
     * Returns the status that rdma_cm reports: 0, a negative errno, the code of a reject reason, or the status of a SIDR_REP. For
     * REJECTED the status is the code of a {@link RejectReason}; for UNREACHABLE of port space UDP it is the status of a SIDR_REP
     * message. {@link #errno()}, {@link #rejectReason()} and {@link #sidrStatus()} decode the status.
     *
     * @return the status of the event
     */
    int status();

    /** {@return the error that the event reports; empty if the status is not a negative errno} */
    default Optional<Errno> errno() {
        return status() < 0 ? Optional.of(Errno.of(-status())) : Optional.empty();
    }

    /**
     * {@return the peer's reason if this event is REJECTED, and empty for all other events;
     * {@link RejectReason#UNKNOWN} if this release does not know the number of the reason}
     */
    default Optional<RejectReason> rejectReason() {
        return type() == CmEventType.REJECTED && status() > 0
                ? Optional.of(RejectReason.of(status()))
                : Optional.empty();
    }

    /**
     * Returns the SIDR_REP status, the peer's reason for not resolving the service ID ({@code enum ib_cm_sidr_status}).
     *
     * @return the SIDR_REP status of an UNREACHABLE event, 1 to 5 in the InfiniBand specification; otherwise empty
     */
    default OptionalInt sidrStatus() {
        return type() == CmEventType.UNREACHABLE && status() > 0 ? OptionalInt.of(status()) : OptionalInt.empty();
    }

    /**
     * Returns the peer's private data.
     *
     * @return a copy of the peer's private data, padded with zeros to the size of the message's private data area; empty for an
     *     event without private data. The private data area has 56 bytes in a request, 196 in a reply and 148 in a rejection
     *     for port space TCP; for UDP it has 180, 136 and 136 bytes
     */
    byte[] privateData();

    /**
     * {@return the connection parameters that the peer sent, converted to the roles of the local queue pair, for
     * CONNECT_REQUEST, CONNECT_RESPONSE and ESTABLISHED; otherwise empty}
     */
    Optional<ConnectionParameters> parameters();

    /**
     * {@return the destination for datagrams to the peer or group, for ESTABLISHED and MULTICAST_JOIN of port space UDP;
     * otherwise empty}
     */
    Optional<UdParameters> udParameters();

    /**
     * {@return the context object of {@link ConnectionId#joinMulticast} for MULTICAST_JOIN and MULTICAST_ERROR, otherwise null}
     */
    @Nullable Object multicastContext();

    /** Acknowledges the event ({@code rdma_ack_cm_event}); idempotent. */
    @Override
    void close();
}
