package dev.verbena.cm;

import dev.verbena.verbs.Errno;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * An event of an id ({@code struct rdma_cm_event}). Immutable but for its acknowledgement.
 *
 * <p>{@link #close()} acknowledges it; an id with unacknowledged events cannot be destroyed. Events given to a handler are
 * acknowledged when the handler returns.
 *
 * @since 1.0
 */
public interface CmEvent extends AutoCloseable {
    /**
     * Returns what happened.
     *
     * @return the type
     */
    CmEventType type();

    /**
     * Returns the library's number of the event, which tells more where this release does not know it.
     *
     * @return the number in {@code rdma/rdma_cma.h}
     */
    default int typeCode() {
        return type().code();
    }

    /**
     * Returns the id it happened to.
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
     * Returns the outcome as rdma_cm gives it, one number with three meanings: 0 or a negative errno, for REJECTED the number of a
     * {@link RejectReason}, for UNREACHABLE of port space UDP the status of a SIDR_REP message. {@link #errno()}, {@link
     * #rejectReason()} and {@link #sidrStatus()} tell them apart.
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
     * Returns why the peer refused to look up a service for datagrams ({@code enum ib_cm_sidr_status}).
     *
     * @return the status of an UNREACHABLE event, 1 to 5 as far as the specification goes; otherwise empty
     */
    default OptionalInt sidrStatus() {
        return type() == CmEventType.UNREACHABLE && status() > 0 ? OptionalInt.of(status()) : OptionalInt.empty();
    }

    /**
     * Returns the peer's private data.
     *
     * @return a copy; padded with zeros to the message's full area (56 bytes for a request of port space TCP, 196 for an
     *     answer, 148 for a rejection; of port space UDP 180, 136 and 136), empty where the event has none
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
     * Returns what was attached when the group was joined.
     *
     * @return for MULTICAST_JOIN and MULTICAST_ERROR the context of {@link ConnectionId#joinMulticast}, otherwise null
     */
    @Nullable Object multicastContext();

    /** Acknowledges the event ({@code rdma_ack_cm_event}); idempotent. */
    @Override
    void close();
}
