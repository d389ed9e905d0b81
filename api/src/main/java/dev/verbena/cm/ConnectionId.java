// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cm;

import dev.verbena.verbs.AckTimeout;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Ece;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.VerbsException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The rdma_cm counterpart of a socket, for a connection, a listener or UD datagrams ({@code struct rdma_cm_id}).
 *
 * <p>A method such as {@link #resolveRoute} starts an operation and returns immediately; an event reports the result of the
 * operation. If the state of the id does not allow a call, the call fails with {@code EINVAL}, and the message names the
 * state. Thread-safe.
 *
 * @see <a href="https://man7.org/linux/man-pages/man3/rdma_create_id.3.html">rdma_create_id(3)</a>
 * @since 1.0
 */
public interface ConnectionId extends AutoCloseable {
    /**
     * {@return the user context of this id, or null; the new id of a CONNECT_REQUEST has the user context of the listener}
     */
    @Nullable Object context();

    /**
     * Sets the user context of the id: any object of the application, like {@code context} in {@code struct rdma_cm_id}.
     *
     * @param context the user context, or null
     */
    void setContext(@Nullable Object context);

    /** {@return the port space of this id, as {@link ConnectionManager#createId} set it} */
    PortSpace portSpace();

    /**
     * Returns the device to which the id is bound.
     *
     * @return an open device that the connection manager owns and closes; empty before an address was bound or resolved, and for
     *     a wildcard listener
     */
    Optional<Device> device();

    /** {@return the number of the device's port, at least 1; 0 while the id is bound to no device} */
    int port();

    /** {@return the local address and port ({@code rdma_get_local_addr}), or empty while the id is unbound} */
    Optional<InetSocketAddress> localAddress();

    /** {@return the peer's address and port ({@code rdma_get_peer_addr}), or empty while they are unknown} */
    Optional<InetSocketAddress> peerAddress();

    /**
     * Binds the id to a local address ({@code rdma_bind_addr}).
     *
     * @param address the local address; a wildcard address means all devices, and port 0 means any free port
     * @throws VerbsException {@code EADDRNOTAVAIL} if no device has the address; {@code EADDRINUSE} if another id uses the port
     */
    void bind(InetSocketAddress address) throws VerbsException;

    /**
     * Starts listening ({@code rdma_listen}). Each connection request of a peer causes a CONNECT_REQUEST event.
     *
     * @param backlog the maximum number of queued CONNECT_REQUEST events; 0 means the default of the provider. While the
     *     queue of CONNECT_REQUEST events is full, the id does not reply to further connection requests, and the peers
     *     retransmit them. An event counts as queued until the application gets the event ({@code ucma_get_event})
     * @throws VerbsException {@code EINVAL} if the id is not bound; {@code EADDRINUSE} if another id listens at the address
     */
    void listen(int backlog) throws VerbsException;

    /**
     * Finds the device that reaches a destination ({@code rdma_resolve_addr}). An event of type ADDR_RESOLVED or ADDR_ERROR
     * reports whether a device was found.
     *
     * @param source the local address; null lets the provider select an address
     * @param destination the peer's address and port
     * @param timeout the maximum time for resolving the address
     * @throws VerbsException {@code EINVAL} in a wrong state; {@code EADDRNOTAVAIL} if no device has the source address
     */
    void resolveAddress(@Nullable InetSocketAddress source, InetSocketAddress destination, Duration timeout)
            throws VerbsException;

    /**
     * Resolves the route to the destination ({@code rdma_resolve_route}). An event of type ROUTE_RESOLVED or ROUTE_ERROR
     * reports whether a route was found.
     *
     * @param timeout the maximum time for resolving the route
     * @throws VerbsException {@code EINVAL} before the address was resolved
     */
    void resolveRoute(Duration timeout) throws VerbsException;

    /**
     * Creates the id's queue pair ({@code rdma_create_qp}). The connection manager, not the application, modifies the state
     * of this queue pair.
     *
     * @param domain a domain of {@link #device()}
     * @param attributes the attributes of the queue pair
     * @return the queue pair, which {@link #queuePair()} also returns; must be closed before the connection id
     * @throws VerbsException {@code EINVAL} if the id has no device yet, or if the protection domain belongs to another device;
     *     or an error of {@link ProtectionDomain#createQp}
     */
    QueuePair createQp(ProtectionDomain domain, QpInitAttributes attributes) throws VerbsException;

    /** {@return the queue pair that {@link #createQp} created, or empty} */
    Optional<QueuePair> queuePair();

    /**
     * Requests a connection from the peer ({@code rdma_connect}). The result of {@code connect} arrives as an event of type
     * ESTABLISHED, REJECTED, UNREACHABLE or CONNECT_ERROR. If the id has no queue pair, the id gets CONNECT_RESPONSE
     * instead of ESTABLISHED when the peer accepts.
     *
     * @param parameters the maximum numbers of READs and atomics, the retry counts, and up to
     *     {@link PortSpace#maxRequestPrivateData()} bytes of private data
     * @throws VerbsException {@code EINVAL} before the route was resolved, or if the private data is too long; after the error
     *     the id has sent nothing
     */
    void connect(ConnectionParameters parameters) throws VerbsException;

    /**
     * Accepts the connection request of a CONNECT_REQUEST event ({@code rdma_accept}). An ESTABLISHED event reports
     * that the connection is established.
     *
     * @param parameters the maximum numbers of READs and atomics, the retry counts, and up to
     *     {@link PortSpace#maxReplyPrivateData()} bytes of private data
     * @throws VerbsException {@code EINVAL} if the state of the id does not allow the call, or if the private data is too long;
     *     after the error the id has sent nothing
     */
    void accept(ConnectionParameters parameters) throws VerbsException;

    /**
     * Rejects the connection request of a CONNECT_REQUEST event ({@code rdma_reject}). The peer gets a REJECTED event
     * with {@link RejectReason#CONSUMER_DEFINED}. In port spaces UDP and IPOIB the peer gets no REJECTED event, but an
     * UNREACHABLE event with a {@link CmEvent#sidrStatus()}.
     *
     * @param privateData up to {@link PortSpace#maxRejectPrivateData()} bytes of private data for the peer
     * @throws VerbsException {@code EINVAL} if the state of the id does not allow the call, or if the private data is too long;
     *     after the error the id has sent nothing
     */
    void reject(byte[] privateData) throws VerbsException;

    /**
     * Returns the attributes that a state transition of a queue pair needs ({@code rdma_init_qp_attr}). An application
     * calls {@code initQpAttributes} if the application, not the id, creates and modifies the queue pair. The application
     * creates the queue pair by {@link ProtectionDomain#createQp} on {@link #device()}, and passes the queue pair number to
     * {@link #connect} or {@link #accept}.
     *
     * <p>The active side modifies the queue pair to INIT at any time, to RTR and RTS after CONNECT_RESPONSE, and then calls
     * {@link #establish()}. The passive side modifies the queue pair to INIT, RTR and RTS after CONNECT_REQUEST, and then
     * calls {@link #accept}. Before {@code accept} is called, {@code maxDestRdAtomic} is the minimum of the peer's
     * requested number and the device's limit.
     *
     * @param state INIT, RTR or RTS
     * @return all attributes that {@link QueuePair#modify} requires for the transition
     * @throws VerbsException {@code EINVAL} if the state is not INIT, RTR or RTS, or if the id is bound to no device. For
     *     RTR and RTS, {@code EINVAL} if the peer's QPN and PSN are not yet known, or after the connection was rejected,
     *     was disconnected or timed out. {@code EOPNOTSUPP} without {@link CmCapability#EXTERNAL_QP}
     * @see <a href="https://man7.org/linux/man-pages/man3/rdma_init_qp_attr.3.html">rdma_init_qp_attr(3)</a>
     */
    QpAttributes initQpAttributes(QpState state) throws VerbsException;

    /**
     * Sets the ECE options (enhanced connection establishment) that the next {@link #connect} or {@link #accept} sends
     * ({@code rdma_set_local_ece}). Use this method only for a queue pair that the application created without the rdma_cm
     * ID. For a queue pair that {@link #createQp} created, the connection manager sets the ECE options itself.
     *
     * @param options the options from {@link QueuePair#queryEce()}
     * @throws VerbsException {@code EOPNOTSUPP} if the provider's connection manager does not support ECE
     * @see <a href="https://man7.org/linux/man-pages/man3/rdma_set_local_ece.3.html">rdma_set_local_ece(3)</a>
     */
    default void setLocalEce(Ece options) throws VerbsException {
        throw new VerbsException(
                Errno.EOPNOTSUPP,
                "rdma_set_local_ece",
                this + " belongs to a provider without ECE support; connect without ECE options");
    }

    /**
     * Returns the ECE options (enhanced connection establishment) that the peer sent ({@code rdma_get_remote_ece}).
     *
     * @return the ECE options of the peer, after CONNECT_REQUEST or CONNECT_RESPONSE; zeros if the peer sent no options
     * @throws VerbsException {@code EOPNOTSUPP} if the provider's connection manager does not support ECE
     * @see <a href="https://man7.org/linux/man-pages/man3/rdma_get_remote_ece.3.html">rdma_get_remote_ece(3)</a>
     */
    default Ece remoteEce() throws VerbsException {
        throw new VerbsException(
                Errno.EOPNOTSUPP,
                "rdma_get_remote_ece",
                this + " belongs to a provider without ECE support; connect without ECE options");
    }

    /**
     * Completes a connection after CONNECT_RESPONSE if the application modifies the queue pair ({@code rdma_establish}).
     *
     * @throws VerbsException {@code EINVAL} in a wrong state
     */
    void establish() throws VerbsException;

    /**
     * Reports to the connection manager that the first message of the peer arrived before the last packet of the handshake
     * ({@code rdma_notify} with COMM_EST).
     *
     * @throws VerbsException {@code EISCONN} if the id is connected already; {@code EINVAL} unless the id waits for the
     *     RTU after {@link #accept}
     */
    void notifyEstablished() throws VerbsException;

    /**
     * Modifies the queue pair to ERR and disconnects; both peers get a DISCONNECTED event ({@code rdma_disconnect}).
     *
     * <p>Before the ESTABLISHED event, {@code disconnect} modifies the queue pair to ERR, but sends nothing to the peer. To
     * reject the peer's connection request, the application calls {@link #reject} or closes the id. To cancel its own
     * connection request, the application closes the id. If an ESTABLISHED event arrives after {@code disconnect}, the
     * application disconnects by a second call of {@code disconnect}.
     *
     * @throws VerbsException {@code EINVAL} before {@link #connect}, except on an id that a CONNECT_REQUEST created
     */
    void disconnect() throws VerbsException;

    /**
     * Joins a multicast group ({@code rdma_join_multicast_ex}). An event of type MULTICAST_JOIN or MULTICAST_ERROR
     * reports whether the join succeeded.
     *
     * @param group the address of the group
     * @param role whether the member sends and receives datagrams, or only sends
     * @param context the user context of this join, which {@link CmEvent#multicastContext()} returns; or null
     * @throws VerbsException {@code EINVAL} if the id is unbound or the address is not a group address; {@code EOPNOTSUPP} without
     *     {@link CmCapability#MULTICAST}
     */
    void joinMulticast(InetAddress group, MulticastRole role, @Nullable Object context) throws VerbsException;

    /**
     * Leaves a multicast group ({@code rdma_leave_multicast}).
     *
     * @param group the address of the group
     * @throws VerbsException {@code EADDRNOTAVAIL} if the id has not joined the group; {@code EOPNOTSUPP} without
     *     {@link CmCapability#MULTICAST}
     */
    void leaveMulticast(InetAddress group) throws VerbsException;

    /**
     * Sets the IP type of service of the connection ({@code RDMA_OPTION_ID_TOS}). {@link #resolveRoute} uses the type of
     * service, so a later change of the type of service has no effect.
     *
     * @param typeOfService 0 to 255
     * @throws VerbsException {@code EINVAL} if the type of service is out of range
     */
    void setTypeOfService(int typeOfService) throws VerbsException;

    /**
     * Allows the id to bind to a port that another id uses ({@code RDMA_OPTION_ID_REUSEADDR}).
     *
     * @param reuse whether the id may share its port with other ids
     * @throws VerbsException {@code EINVAL} for a listener
     */
    void setReuseAddress(boolean reuse) throws VerbsException;

    /**
     * Restricts an IPv6 wildcard address to IPv6, so that it does not also match IPv4 addresses ({@code RDMA_OPTION_ID_AFONLY}).
     *
     * @param only whether an IPv6 wildcard address matches only IPv6 addresses
     * @throws VerbsException {@code EINVAL} if the id has already begun to listen, resolve an address or connect
     */
    void setIpv6Only(boolean only) throws VerbsException;

    /**
     * Sets the local ACK timeout of the queue pair ({@code RDMA_OPTION_ID_ACK_TIMEOUT}). A timeout that the application
     * sets after {@link #connect} or {@link #accept} has no effect.
     *
     * @param timeout the ACK timeout
     * @throws VerbsException {@code EINVAL} for an id of port space UDP
     */
    void setAckTimeout(AckTimeout timeout) throws VerbsException;

    /**
     * Migrates the id, with its pending events, to another event channel ({@code rdma_migrate_id}).
     *
     * @param channel the new event channel
     * @throws VerbsException {@code EINVAL} for a channel of another provider
     */
    void migrate(EventChannel channel) throws VerbsException;

    /**
     * Destroys the id ({@code rdma_destroy_id}). Closing disconnects an established connection without waiting for the
     * peer.
     *
     * @throws VerbsException {@code EBUSY} if the queue pair of the id is not yet closed, or if an event of the id is not
     *     yet acknowledged. An event does not cause {@code EBUSY} while a handler is handling the event
     */
    @Override
    void close() throws VerbsException;
}
