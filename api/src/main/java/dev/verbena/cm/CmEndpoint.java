// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cm;

import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CqInitAttributes;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.VerbsException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * A connection id with its RC queue pair, for blocking calls instead of events ({@code rdma_create_ep}). A {@code
 * CmEndpoint} owns and closes the id, the queue pair, a send CQ, a receive CQ and a protection domain.
 *
 * <pre>{@code
 * try (CmEndpoint end = CmEndpoint.create(manager, server, QpCapabilities.of(8, 8), SECOND)) {
 *     end.queuePair().postAll(receives, 1); // before the server may send
 *     end.connect(ConnectionParameters.builder().build(), SECOND);
 *     end.queuePair().postAll(sends, 1);
 *     end.sendCq().await(done, SECOND);
 *     end.receiveCq().await(done, SECOND);
 *     end.disconnect(SECOND);
 * }
 * }</pre>
 *
 * While a call waits, another thread may call {@link #close()}. Only one thread at a time may call the other methods. Under
 * virtual time, a thread in a blocking call also runs the simulated devices and network. If one peer uses blocking calls
 * under virtual time, the other peer must use event handlers.
 *
 * @see <a href="https://man7.org/linux/man-pages/man3/rdma_create_ep.3.html">rdma_create_ep(3)</a>
 * @since 1.0
 */
public final class CmEndpoint implements AutoCloseable {
    private final SynchronousId id;
    private final Device device;
    private final ProtectionDomain domain;
    private final CompletionQueue sendCq;
    private final CompletionQueue receiveCq;
    private final QueuePair queuePair;
    /** The objects that {@link #close()} closes, in the order of their creation. */
    private final Deque<Closing> open = new ArrayDeque<>();

    private CmEndpoint(SynchronousId id, QpCapabilities capabilities) throws VerbsException {
        this.id = id;
        this.device = id.id()
                .device()
                .orElseThrow(() -> new VerbsException(
                        Errno.ENODEV, "rdma_create_ep", "the id is bound to no device; resolve its address first"));
        try {
            domain = device.allocatePd();
            open.add(domain::close);
            sendCq = device.createCq(CqInitAttributes.ofCapacity(Math.max(1, capabilities.maxSendWr())));
            open.add(sendCq::close);
            receiveCq = device.createCq(CqInitAttributes.ofCapacity(Math.max(1, capabilities.maxReceiveWr())));
            open.add(receiveCq::close);
            queuePair = id.id()
                    .createQp(
                            domain,
                            QpInitAttributes.builder()
                                    .type(QpType.RC)
                                    .sendCq(sendCq)
                                    .receiveCq(receiveCq)
                                    .capabilities(capabilities)
                                    .build());
            // Closing an id with an open queue pair fails with EBUSY, so the queue pair is closed first. The protection
            // domain and the completion queues are closed last.
            open.add(id::close);
            open.add(queuePair::close);
        } catch (Throwable refused) {
            SynchronousId.close(this::closeOpen, refused);
            throw refused;
        }
    }

    private interface Closing {
        void close() throws VerbsException;
    }

    /**
     * Resolves a peer's address and route, and creates the objects of a connection to the peer. The application may post
     * receive requests before {@link #connect}.
     *
     * @param manager the provider's {@code extension(ConnectionManager.class)}
     * @param peer the IP address and rdma_cm port on which the peer listens
     * @param capabilities the capacities of the queue pair ({@code struct ibv_qp_cap}). The send CQ has the capacity of the
     *     send queue, and the receive CQ has the capacity of the receive queue
     * @param timeout the maximum time to resolve the address; resolving the route may take the same time again
     * @return a new {@code CmEndpoint}, which is not yet connected
     * @throws VerbsException {@link CmEventException} if the address or the route cannot be resolved; {@code ETIMEDOUT} if
     *     the address or the route is not resolved within the timeout; or an error of {@link ConnectionId#createQp}. If
     *     this method throws, all objects of the {@code CmEndpoint} are closed
     * @throws InterruptedException if the calling thread was interrupted; all objects of the {@code CmEndpoint} are closed
     */
    public static CmEndpoint create(
            ConnectionManager manager, InetSocketAddress peer, QpCapabilities capabilities, Duration timeout)
            throws VerbsException, InterruptedException {
        SynchronousId id = SynchronousId.create(manager, PortSpace.TCP);
        try {
            id.id().resolveAddress(null, peer, timeout);
            id.await("rdma_resolve_addr", "the address of " + peer, CmEventType.ADDR_RESOLVED, timeout, CmEvent::type);
            id.id().resolveRoute(timeout);
            id.await("rdma_resolve_route", "the route to " + peer, CmEventType.ROUTE_RESOLVED, timeout, CmEvent::type);
            return new CmEndpoint(id, capabilities);
        } catch (Throwable refused) {
            SynchronousId.close(id::close, refused);
            throw refused;
        }
    }

    /**
     * Creates a {@code CmEndpoint} from the id of a connection request. If the method fails, it closes the id to reject the
     * connection request.
     */
    static CmEndpoint ofRequest(SynchronousId id, QpCapabilities capabilities) throws VerbsException {
        try {
            return new CmEndpoint(id, capabilities);
        } catch (Throwable refused) {
            SynchronousId.close(id::close, refused);
            throw refused;
        }
    }

    /**
     * Requests a connection from the peer, and waits until the connection is established ({@code rdma_connect}).
     *
     * @param parameters the maximum numbers of READs and atomics, the retry counts, and the private data for the peer
     * @param timeout the maximum time to wait for the peer's reply to the connection request
     * @return the private data of the peer's reply, padded with zeros
     * @throws VerbsException {@link CmEventException} if the peer rejects the connection or is unreachable; {@code
     *     ETIMEDOUT} if the peer does not reply in time; or an error of {@link ConnectionId#connect}. After a failure the
     *     {@code CmEndpoint} can only be closed
     * @throws InterruptedException if the calling thread was interrupted
     */
    public byte[] connect(ConnectionParameters parameters, Duration timeout)
            throws VerbsException, InterruptedException {
        id.id().connect(parameters);
        return awaitEstablished("rdma_connect", "the connection to " + id.peer(), timeout);
    }

    /**
     * Accepts the connection request of this {@code CmEndpoint}, and waits until the connection is established ({@code
     * rdma_accept}).
     *
     * @param parameters the maximum numbers of READs and atomics, the retry counts, and the private data for the peer
     * @param timeout the maximum time to wait for the RTU, which is the last handshake message of the peer
     * @throws VerbsException {@link CmEventException} if an event other than ESTABLISHED arrives, such as REJECTED,
     *     DISCONNECTED or UNREACHABLE; {@code ETIMEDOUT} if the RTU does not arrive in time; or an error of {@link
     *     ConnectionId#accept}. After a failure the {@code CmEndpoint} can only be closed
     * @throws InterruptedException if the calling thread was interrupted
     */
    public void accept(ConnectionParameters parameters, Duration timeout) throws VerbsException, InterruptedException {
        id.id().accept(parameters);
        awaitEstablished("rdma_accept", "the connection of " + id.peer(), timeout);
    }

    private byte[] awaitEstablished(String verb, String asked, Duration timeout)
            throws VerbsException, InterruptedException {
        return id.await(verb, asked, CmEventType.ESTABLISHED, timeout, CmEvent::privateData);
    }

    /**
     * Rejects the connection request of this {@code CmEndpoint} ({@code rdma_reject}). After {@code reject}, the
     * application can only close it.
     *
     * @param privateData private data for the peer
     * @throws VerbsException as {@link ConnectionId#reject}
     */
    public void reject(byte[] privateData) throws VerbsException {
        id.id().reject(privateData);
    }

    /**
     * Disconnects from the peer and waits for the DISCONNECTED event ({@code rdma_disconnect}). Disconnecting also succeeds
     * if the peer has already disconnected.
     *
     * @param timeout the longest time to wait
     * @throws VerbsException {@code ETIMEDOUT} if no DISCONNECTED event arrives in time; or an error of
     *     {@link ConnectionId#disconnect}
     * @throws InterruptedException if the calling thread was interrupted
     */
    public void disconnect(Duration timeout) throws VerbsException, InterruptedException {
        id.id().disconnect();
        id.await(
                "rdma_disconnect",
                "the disconnection from " + id.peer(),
                CmEventType.DISCONNECTED,
                timeout,
                CmEvent::type);
    }

    /** {@return the connection id, for its addresses and options; the {@code CmEndpoint} closes the id} */
    public ConnectionId id() {
        return id.id();
    }

    /** {@return the open device through which the peer is reachable; the connection manager owns the device} */
    public Device device() {
        return device;
    }

    /**
     * {@return the protection domain for the memory regions of this connection; the {@code CmEndpoint} closes the domain}
     */
    public ProtectionDomain protectionDomain() {
        return domain;
    }

    /** {@return the queue pair, which this {@code CmEndpoint} closes} */
    public QueuePair queuePair() {
        return queuePair;
    }

    /** {@return the completion queue of the send queue; the {@code CmEndpoint} closes the completion queue} */
    public CompletionQueue sendCq() {
        return sendCq;
    }

    /** {@return the completion queue of the receive queue; the {@code CmEndpoint} closes the completion queue} */
    public CompletionQueue receiveCq() {
        return receiveCq;
    }

    /**
     * Closes the queue pair, the id, the completion queues and the domain ({@code rdma_destroy_ep}). Closing disconnects an
     * established connection without waiting for the peer. If another thread waits in a call on this {@code CmEndpoint},
     * the waiting call fails with {@code EBADF}.
     *
     * @throws VerbsException {@code EBUSY} while the application has memory regions in the protection domain; close the
     *     regions, then close the {@code CmEndpoint} again
     */
    @Override
    public void close() throws VerbsException {
        closeOpen();
    }

    private void closeOpen() throws VerbsException {
        synchronized (open) {
            while (!open.isEmpty()) {
                open.getLast().close();
                open.removeLast();
            }
        }
    }
}
