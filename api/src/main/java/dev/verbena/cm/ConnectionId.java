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
 * One end of a connection, or a listener ({@code struct rdma_cm_id}).
 *
 * <p>A call starts an operation and returns; an event reports the end of the operation. A call in a state that does not
 * allow it fails with {@code EINVAL} and a message that names the state. May be used from several threads.
 *
 * @see <a href="https://man7.org/linux/man-pages/man3/rdma_create_id.3.html">rdma_create_id(3)</a>
 * @since 1.0
 */
public interface ConnectionId extends AutoCloseable {
    /**
     * Returns the object attached to this id. The new id of a CONNECT_REQUEST begins with the listener's object.
     *
     * @return the context object, or null
     */
    @Nullable Object context();

    /**
     * Attaches an object.
     *
     * @param context the object, or null
     */
    void setContext(@Nullable Object context);

    /**
     * Returns the port space.
     *
     * @return the port space given at creation
     */
    PortSpace portSpace();

    /**
     * Returns the device the id is bound to.
     *
     * @return an open device that belongs to the connection manager (do not close it), or empty before an address was bound
     *     or resolved, and for a wildcard listener
     */
    Optional<Device> device();

    /**
     * Returns the device's port.
     *
     * @return from 1, or 0 while the id is bound to no device
     */
    int port();

    /**
     * Returns this side's address ({@code rdma_get_local_addr}).
     *
     * @return the address and port, or empty while unbound
     */
    Optional<InetSocketAddress> localAddress();

    /**
     * Returns the other side's address ({@code rdma_get_peer_addr}).
     *
     * @return the address and port, or empty while not known
     */
    Optional<InetSocketAddress> peerAddress();

    /**
     * Binds the id to an address of this side ({@code rdma_bind_addr}).
     *
     * @param address the address; wildcard for any device, port 0 for any free port
     * @throws VerbsException {@code EADDRNOTAVAIL} if no device has it; {@code EADDRINUSE} if the port is taken
     */
    void bind(InetSocketAddress address) throws VerbsException;

    /**
     * Starts listening ({@code rdma_listen}). Each peer that connects causes a CONNECT_REQUEST.
     *
     * @param backlog how many CONNECT_REQUEST events may be queued; 0 leaves the number to the provider. A peer whose
     *     request finds the queue full gets no answer and repeats the request. Taking an event from its channel frees
     *     its place, whether the request was answered or not ({@code ucma_get_event})
     * @throws VerbsException {@code EINVAL} if not bound; {@code EADDRINUSE} if another id listens there
     */
    void listen(int backlog) throws VerbsException;

    /**
     * Finds the device that leads to a destination ({@code rdma_resolve_addr}). Ends in ADDR_RESOLVED or ADDR_ERROR.
     *
     * @param source this side's address, or null for any
     * @param destination the peer's address and port
     * @param timeout how long it may take
     * @throws VerbsException {@code EINVAL} in a wrong state; {@code EADDRNOTAVAIL} for a source no device has
     */
    void resolveAddress(@Nullable InetSocketAddress source, InetSocketAddress destination, Duration timeout)
            throws VerbsException;

    /**
     * Finds the path ({@code rdma_resolve_route}). Ends in ROUTE_RESOLVED or ROUTE_ERROR.
     *
     * @param timeout how long it may take
     * @throws VerbsException {@code EINVAL} before the address was resolved
     */
    void resolveRoute(Duration timeout) throws VerbsException;

    /**
     * Creates the id's queue pair ({@code rdma_create_qp}). The connection manager moves it through its states.
     *
     * @param domain a domain of {@link #device()}
     * @param attributes the queue pair's attributes
     * @return the queue pair, also at {@link #queuePair()}; close it before the id
     * @throws VerbsException {@code EINVAL} before there is a device, or for another device's domain; or as {@link
     *     ProtectionDomain#createQp}
     */
    QueuePair createQp(ProtectionDomain domain, QpInitAttributes attributes) throws VerbsException;

    /**
     * Returns the id's queue pair.
     *
     * @return the queue pair that {@link #createQp} made, or empty
     */
    Optional<QueuePair> queuePair();

    /**
     * Requests a connection from the peer ({@code rdma_connect}). Ends in ESTABLISHED, REJECTED, UNREACHABLE or
     * CONNECT_ERROR. On an id without a queue pair, CONNECT_RESPONSE comes instead of ESTABLISHED.
     *
     * @param parameters depths, retries, and up to {@link PortSpace#maxRequestPrivateData()} bytes of private data
     * @throws VerbsException {@code EINVAL} before the route was resolved, or for more private data; then nothing was
     *     sent
     */
    void connect(ConnectionParameters parameters) throws VerbsException;

    /**
     * Accepts the connection of a CONNECT_REQUEST ({@code rdma_accept}). Ends in ESTABLISHED.
     *
     * @param parameters depths, retries, and up to {@link PortSpace#maxReplyPrivateData()} bytes of private data
     * @throws VerbsException {@code EINVAL} in a wrong state; or for more private data, of which nothing was sent
     */
    void accept(ConnectionParameters parameters) throws VerbsException;

    /**
     * Rejects the connection of a CONNECT_REQUEST ({@code rdma_reject}); the peer's event has
     * {@link RejectReason#CONSUMER_DEFINED}.
     *
     * @param privateData up to {@link PortSpace#maxRejectPrivateData()} bytes for the peer
     * @throws VerbsException {@code EINVAL} in a wrong state; or for more private data, of which nothing was sent
     */
    void reject(byte[] privateData) throws VerbsException;

    /**
     * Returns the attributes of a transition, for a queue pair that the caller made without the id and modifies by
     * itself ({@code rdma_init_qp_attr}). Such a queue pair is made by {@link ProtectionDomain#createQp} on
     * {@link #device()}, and its number given to {@link #connect} or {@link #accept}.
     *
     * <p>The side that connects modifies it to INIT at any time, to RTR and RTS after CONNECT_RESPONSE, and then calls
     * {@link #establish()}. The side that accepts modifies it to INIT, RTR and RTS after CONNECT_REQUEST, and then
     * calls {@link #accept}. Before {@code accept} the attributes grant the peer the READs and atomics that it
     * requested, up to the device's limit.
     *
     * @param state INIT, RTR or RTS
     * @return the attributes, all that {@link QueuePair#modify} needs
     * @throws VerbsException {@code EINVAL} for another state; for RTR and RTS before the peer's numbers are known or
     *     after the connection ended; or while the id is bound to no device. {@code EOPNOTSUPP} without
     *     {@link CmCapability#EXTERNAL_QP}
     * @see <a href="https://man7.org/linux/man-pages/man3/rdma_init_qp_attr.3.html">rdma_init_qp_attr(3)</a>
     */
    QpAttributes initQpAttributes(QpState state) throws VerbsException;

    /**
     * Sets the options of enhanced connection establishment that the next {@link #connect} or {@link #accept} sends, for a queue pair
     * of the program's own ({@code rdma_set_local_ece}). For a queue pair of {@link #createQp} the connection manager does this itself.
     *
     * @param options from {@link QueuePair#queryEce()}
     * @throws VerbsException {@code EOPNOTSUPP} where the provider's connection manager has no options
     * @see <a href="https://man7.org/linux/man-pages/man3/rdma_set_local_ece.3.html">rdma_set_local_ece(3)</a>
     */
    default void setLocalEce(Ece options) throws VerbsException {
        throw new VerbsException(
                Errno.EOPNOTSUPP,
                "rdma_set_local_ece",
                this + " is of a provider without ECE; connect without options");
    }

    /**
     * Returns the options of enhanced connection establishment that the peer sent ({@code rdma_get_remote_ece}).
     *
     * @return the options, after CONNECT_REQUEST or CONNECT_RESPONSE; zeros if the peer sent none
     * @throws VerbsException {@code EOPNOTSUPP} where the provider's connection manager has no options
     * @see <a href="https://man7.org/linux/man-pages/man3/rdma_get_remote_ece.3.html">rdma_get_remote_ece(3)</a>
     */
    default Ece remoteEce() throws VerbsException {
        throw new VerbsException(
                Errno.EOPNOTSUPP,
                "rdma_get_remote_ece",
                this + " is of a provider without ECE; connect without options");
    }

    /**
     * Completes a connection whose queue pair the caller modifies by itself, after CONNECT_RESPONSE
     * ({@code rdma_establish}).
     *
     * @throws VerbsException {@code EINVAL} in a wrong state
     */
    void establish() throws VerbsException;

    /**
     * Reports that the first message came before the peer's last handshake packet ({@code rdma_notify} with COMM_EST).
     *
     * @throws VerbsException {@code EISCONN} if the id is connected already; {@code EINVAL} in any other state than after {@link
     *     #accept}
     */
    void notifyEstablished() throws VerbsException;

    /**
     * Ends the connection: the queue pair is modified to ERR, and DISCONNECTED follows on both sides
     * ({@code rdma_disconnect}).
     *
     * <p>Before ESTABLISHED the queue pair is modified to ERR, too, but the peer gets no message: close the id to
     * reject or withdraw the request, or disconnect again after ESTABLISHED.
     *
     * @throws VerbsException {@code EINVAL} if neither {@link #connect} was called nor the id came with a
     *     CONNECT_REQUEST
     */
    void disconnect() throws VerbsException;

    /**
     * Joins a multicast group ({@code rdma_join_multicast_ex}). Ends in MULTICAST_JOIN or MULTICAST_ERROR.
     *
     * @param group the group's address
     * @param role whether to receive as well as to send
     * @param context the object to attach to the events, or null
     * @throws VerbsException {@code EINVAL} if unbound or no group address; {@code EOPNOTSUPP} without
     *     {@link CmCapability#MULTICAST}
     */
    void joinMulticast(InetAddress group, MulticastRole role, @Nullable Object context) throws VerbsException;

    /**
     * Leaves a multicast group ({@code rdma_leave_multicast}).
     *
     * @param group the group's address
     * @throws VerbsException {@code EADDRNOTAVAIL} if it was not joined; {@code EOPNOTSUPP} without {@link
     *     CmCapability#MULTICAST}
     */
    void leaveMulticast(InetAddress group) throws VerbsException;

    /**
     * Sets the IP type of service of the connection ({@code RDMA_OPTION_ID_TOS}). Resolving the route uses the value,
     * so a call after that has no effect.
     *
     * @param typeOfService 0 to 255
     * @throws VerbsException {@code EINVAL} when out of range
     */
    void setTypeOfService(int typeOfService) throws VerbsException;

    /**
     * Allows a port that is in use by another id ({@code RDMA_OPTION_ID_REUSEADDR}).
     *
     * @param reuse whether to allow it
     * @throws VerbsException {@code EINVAL} for a listener
     */
    void setReuseAddress(boolean reuse) throws VerbsException;

    /**
     * Restricts a wildcard address of IP version 6 to IPv6, so that it does not cover IPv4 as well
     * ({@code RDMA_OPTION_ID_AFONLY}).
     *
     * @param only whether to take IPv6 alone
     * @throws VerbsException {@code EINVAL} unless the id is new or only bound
     */
    void setIpv6Only(boolean only) throws VerbsException;

    /**
     * Sets the queue pair's local ACK timeout ({@code RDMA_OPTION_ID_ACK_TIMEOUT}). Connecting and accepting use the
     * value, so a call after that has no effect.
     *
     * @param timeout the timeout
     * @throws VerbsException {@code EINVAL} for an id of port space UDP
     */
    void setAckTimeout(AckTimeout timeout) throws VerbsException;

    /**
     * Moves the id, with its pending events, to another channel ({@code rdma_migrate_id}).
     *
     * @param channel the new channel
     * @throws VerbsException {@code EINVAL} for a foreign channel
     */
    void migrate(EventChannel channel) throws VerbsException;

    /**
     * Destroys the id ({@code rdma_destroy_id}). An established connection is ended without waiting for the peer.
     *
     * @throws VerbsException {@code EBUSY} while its queue pair is open or one of its events is not acknowledged
     *     (except for an event whose handler is running)
     */
    @Override
    void close() throws VerbsException;
}
