// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cm;

import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.VerbsException;
import java.net.InetSocketAddress;
import java.time.Duration;

/**
 * A listener from which the caller takes one connection request at a time ({@code rdma_create_ep} with
 * {@code RAI_PASSIVE}, {@code rdma_listen}). May be used from several threads.
 *
 * @see <a href="https://man7.org/linux/man-pages/man3/rdma_get_request.3.html">rdma_get_request(3)</a>
 * @since 1.0
 */
public final class CmListener implements AutoCloseable {
    private final ConnectionManager manager;
    private final SynchronousId id;
    private final QpCapabilities capabilities;
    private final InetSocketAddress address;

    private CmListener(ConnectionManager manager, SynchronousId id, QpCapabilities capabilities) {
        this.manager = manager;
        this.id = id;
        this.capabilities = capabilities;
        this.address = id.id().localAddress().orElseThrow();
    }

    /**
     * Begins to listen.
     *
     * @param manager the provider's {@code extension(ConnectionManager.class)}
     * @param address the address to listen at; a wildcard for any device, port 0 for any free port
     * @param capabilities sizes of each connection's queues
     * @param backlog how many requests may wait, as {@link ConnectionId#listen}
     * @return a new listener
     * @throws VerbsException as {@link ConnectionId#bind} and {@link ConnectionId#listen}; nothing stays open
     */
    public static CmListener listen(
            ConnectionManager manager, InetSocketAddress address, QpCapabilities capabilities, int backlog)
            throws VerbsException {
        SynchronousId id = SynchronousId.create(manager, PortSpace.TCP);
        try {
            id.id().bind(address);
            id.id().listen(backlog);
            return new CmListener(manager, id, capabilities);
        } catch (Throwable refused) {
            SynchronousId.close(id::close, refused);
            throw refused;
        }
    }

    /**
     * Returns the address at which this listener listens.
     *
     * @return address and port
     */
    public InetSocketAddress address() {
        return address;
    }

    /**
     * Waits for a request and creates the objects of its connection ({@code rdma_get_request}). Receives may be posted
     * before {@link CmEndpoint#accept}.
     *
     * @param timeout how long to wait
     * @return an endpoint to be accepted or rejected; closing it before either rejects the request
     * @throws VerbsException {@code ETIMEDOUT} when no request came; {@code EBADF} when the listener is closed;
     *     {@link CmEventException} when a peer withdrew its request; or as {@link ConnectionId#createQp}, and the
     *     request is rejected. Except after {@code EBADF}, the caller can take the next request
     * @throws InterruptedException if the calling thread was interrupted
     */
    public CmEndpoint getRequest(Duration timeout) throws VerbsException, InterruptedException {
        SynchronousId requested = id.await(
                "rdma_get_request",
                "a request at " + address,
                CmEventType.CONNECT_REQUEST,
                timeout,
                CmEvent::id,
                taken -> SynchronousId.adopt(manager, taken));
        return CmEndpoint.ofRequest(requested, capabilities);
    }

    /**
     * Ends listening. Requests that were not taken are rejected, calls that wait fail with {@code EBADF}, and endpoints
     * stay open.
     *
     * @throws VerbsException {@code EBUSY} if the system refuses; call again
     */
    @Override
    public void close() throws VerbsException {
        id.close();
    }
}
