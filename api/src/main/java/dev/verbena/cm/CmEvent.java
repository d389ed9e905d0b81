// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cm;

import dev.verbena.verbs.Errno;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * An event of a connection id ({@code struct rdma_cm_event}). The values of a {@code CmEvent} never change.
 *
 * <p>{@link #close()} acknowledges the event. The program must acknowledge all received events of a connection id before
 * closing the id. An event that was passed to a handler is acknowledged when the handler returns.
 *
 * @since 1.0
 */
public interface CmEvent extends AutoCloseable {
    /** {@return the type of the event} */
    CmEventType type();

    /** {@return the number of this event's type in {@code rdma/rdma_cma.h}, also for a type that Verbena does not know} */
    default int typeCode() {
        return type().code();
    }

    /**
     * {@return the id to which the event applies; a CONNECT_REQUEST has a new id, which the program that receives the
     * event must close}
     */
    ConnectionId id();

    /** {@return the listening id for CONNECT_REQUEST, otherwise empty} */
    Optional<ConnectionId> listenId();

    /**
     * Returns the status that rdma_cm reports: 0, a negative errno, the code of a reject reason, or the status of a
     * SIDR_REP. The status of a REJECTED event is the code of a {@link RejectReason}. If a peer in port space UDP or
     * IPOIB refuses the request, the status of the UNREACHABLE event is the status of the SIDR_REP message.
     * {@link #errno()}, {@link #rejectReason()} and {@link #sidrStatus()} decode the status.
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
     * {@link RejectReason#UNKNOWN} if Verbena does not know the number of the reason}
     */
    default Optional<RejectReason> rejectReason() {
        return type() == CmEventType.REJECTED && status() > 0
                ? Optional.of(RejectReason.of(status()))
                : Optional.empty();
    }

    /**
     * Returns the SIDR_REP status, the peer's reason for not resolving the service ID ({@code enum ib_cm_sidr_status}).
     *
     * @return the SIDR_REP status, 1 to 5 in the InfiniBand specification; empty if this event is not UNREACHABLE, or
     *     if the peer sent no SIDR_REP
     */
    default OptionalInt sidrStatus() {
        return type() == CmEventType.UNREACHABLE && status() > 0 ? OptionalInt.of(status()) : OptionalInt.empty();
    }

    /**
     * Returns the peer's private data.
     *
     * @return a copy of the peer's private data, padded with zeros to the size of the message's private data area;
     *     empty for an event without private data. In port space TCP the private data area has 56 bytes in a request,
     *     196 bytes in a reply and 148 bytes in a rejection. In port space UDP the private data area has 180 bytes in a
     *     request, and 136 bytes in a reply or a rejection
     */
    byte[] privateData();

    /**
     * {@return the peer's connection parameters from the view of the local queue pair; empty for datagrams, and for all
     * events except CONNECT_REQUEST, CONNECT_RESPONSE and ESTABLISHED} The responder resources in these parameters limit
     * the READs and atomics of the peer.
     */
    Optional<ConnectionParameters> parameters();

    /**
     * {@return the destination for datagrams: the peer in an ESTABLISHED event, the multicast group in a MULTICAST_JOIN
     * event; empty for all other events, and in all port spaces except UDP and IPOIB}
     */
    Optional<UdParameters> udParameters();

    /**
     * {@return the context object that the program passed to {@link ConnectionId#joinMulticast}; null unless the event
     * is a MULTICAST_JOIN or MULTICAST_ERROR}
     */
    @Nullable Object multicastContext();

    /** Acknowledges the event ({@code rdma_ack_cm_event}); idempotent. */
    @Override
    void close();
}
