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
 * One end of a reliable connection whose calls wait until they are done, for programs that need no events
 * ({@code rdma_create_ep}). The endpoint owns a protection domain, a completion queue for sends, a completion queue for
 * receives, and the queue pair, and closes them.
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
 * <p>While a call waits, another thread may {@link #close()} the endpoint. Every other method is for one thread at a
 * time. Under virtual time a waiting call drives the network, so handlers have to serve its peer.
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
    /** The objects that are open, the oldest first. */
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
            // The id is closed after its queue pair, since an id with an open queue pair fails with EBUSY, and before
            // the domain and the completion queues.
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
     * Resolves a peer's address and route, and creates the objects of a connection to it. Receives may be posted before
     * {@link #connect}.
     *
     * @param manager the provider's {@code extension(ConnectionManager.class)}
     * @param peer its address and port
     * @param capabilities sizes of the queue pair's queues; the completion queues hold as many
     * @param timeout for each of the two resolutions
     * @return a new endpoint that is not connected
     * @throws VerbsException {@link CmEventException} when the address or the route has no answer or a bad one;
     *     {@code ETIMEDOUT}; or as {@link ConnectionId#createQp}. Nothing stays open
     * @throws InterruptedException if the calling thread was interrupted; nothing stays open
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

    /** Makes an endpoint of a request's id. On failure the id is closed, which rejects the request. */
    static CmEndpoint ofRequest(SynchronousId id, QpCapabilities capabilities) throws VerbsException {
        try {
            return new CmEndpoint(id, capabilities);
        } catch (Throwable refused) {
            SynchronousId.close(id::close, refused);
            throw refused;
        }
    }

    /**
     * Connects and waits until the connection is established ({@code rdma_connect}).
     *
     * @param parameters depths, retries, and private data for the peer
     * @param timeout how long to wait for the answer
     * @return the private data of the peer's answer, padded with zeros
     * @throws VerbsException {@link CmEventException} when the peer rejects or cannot be reached; {@code ETIMEDOUT}; or
     *     as {@link ConnectionId#connect}. The endpoint can then only be closed
     * @throws InterruptedException if the calling thread was interrupted
     */
    public byte[] connect(ConnectionParameters parameters, Duration timeout)
            throws VerbsException, InterruptedException {
        id.id().connect(parameters);
        return awaitEstablished("rdma_connect", "the connection to " + id.peer(), timeout);
    }

    /**
     * Accepts the request that made this endpoint, and waits until the connection is established ({@code rdma_accept}).
     *
     * @param parameters depths, retries, and private data for the peer
     * @param timeout how long to wait for the peer's last message of the handshake
     * @throws VerbsException {@link CmEventException} when the peer has ended the attempt; {@code ETIMEDOUT}; or as
     *     {@link ConnectionId#accept}. The endpoint can then only be closed
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
     * Rejects the request that made this endpoint ({@code rdma_reject}). The endpoint can then only be closed.
     *
     * @param privateData for the peer
     * @throws VerbsException as {@link ConnectionId#reject}
     */
    public void reject(byte[] privateData) throws VerbsException {
        id.id().reject(privateData);
    }

    /**
     * Ends the connection and waits until both sides have ended it ({@code rdma_disconnect}). The call also succeeds if
     * the peer has ended the connection before.
     *
     * @param timeout how long to wait
     * @throws VerbsException {@code ETIMEDOUT}; or as {@link ConnectionId#disconnect}
     * @throws InterruptedException if the calling thread was interrupted
     */
    public void disconnect(Duration timeout) throws VerbsException, InterruptedException {
        id.id().disconnect();
        id.await(
                "rdma_disconnect",
                "the end of the connection with " + id.peer(),
                CmEventType.DISCONNECTED,
                timeout,
                CmEvent::type);
    }

    /**
     * Returns the id, for its addresses and options.
     *
     * @return the id, which this endpoint closes
     */
    public ConnectionId id() {
        return id.id();
    }

    /**
     * Returns the device that leads to the peer.
     *
     * @return an open device that belongs to the connection manager
     */
    public Device device() {
        return device;
    }

    /**
     * Returns the protection domain in which memory for this connection is registered.
     *
     * @return the domain, which this endpoint closes
     */
    public ProtectionDomain protectionDomain() {
        return domain;
    }

    /**
     * Returns the queue pair.
     *
     * @return the queue pair, which this endpoint closes
     */
    public QueuePair queuePair() {
        return queuePair;
    }

    /**
     * Returns the completion queue of sends.
     *
     * @return the queue, which this endpoint closes
     */
    public CompletionQueue sendCq() {
        return sendCq;
    }

    /**
     * Returns the completion queue of receives.
     *
     * @return the queue, which this endpoint closes
     */
    public CompletionQueue receiveCq() {
        return receiveCq;
    }

    /**
     * Closes queue pair, id, completion queues and domain ({@code rdma_destroy_ep}). An established connection is ended
     * without waiting for the peer; a call that waits fails with {@code EBADF}.
     *
     * @throws VerbsException {@code EBUSY} while the domain holds memory that the caller registered: close it and call
     *     again
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
