// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cm;

import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.VerbsException;
import java.net.InetSocketAddress;
import java.time.Duration;

/**
 * A listener whose {@link #getRequest} returns one connection request at a time ({@code rdma_create_ep} with {@code RAI_PASSIVE},
 * {@code rdma_listen}). Thread-safe.
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
     * Creates a listener and starts listening.
     *
     * @param manager the provider's {@code extension(ConnectionManager.class)}
     * @param address the local IP address (a wildcard address means all devices) and rdma_cm port (0 means any free port)
     * @param capabilities the capacities ({@code struct ibv_qp_cap}) of the queue pair that {@link #getRequest} creates for
     *     each connection request
     * @param backlog the maximum number of connection requests that wait for {@link #getRequest}; 0 means the default of the
     *     provider
     * @return a new listener
     * @throws VerbsException an error of {@link ConnectionId#bind} or {@link ConnectionId#listen}; after the error the listener's
     *     objects are closed
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

    /** {@return the IP address and rdma_cm port on which this listener listens} */
    public InetSocketAddress address() {
        return address;
    }

    /**
     * Waits for a connection request and creates the objects of the requested connection ({@code rdma_get_request}). The
     * application may post receive requests before {@link CmEndpoint#accept}.
     *
     * @param timeout the longest time to wait
     * @return a {@code CmEndpoint} with the connection request, which the application accepts or rejects; closing the
     *     {@code CmEndpoint} before {@link CmEndpoint#accept} also rejects the request
     * @throws VerbsException {@code ETIMEDOUT} if no connection request arrived in time; {@code EBADF} if the listener is
     *     closed; {@link CmEventException} if a peer cancelled its request. If {@link ConnectionId#createQp} fails, the
     *     listener rejects the request and this method throws the error. The listener remains usable, except after {@code
     *     EBADF}
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
     * Ends listening. Closing the listener rejects the pending connection requests, and waiting calls fail with {@code
     * EBADF}. The {@code CmEndpoint} objects that {@link #getRequest} returned stay usable.
     *
     * @throws VerbsException {@code EBUSY} if the listening id cannot be destroyed yet; the application may retry the close
     */
    @Override
    public void close() throws VerbsException {
        id.close();
    }
}
