// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cm;

import dev.verbena.verbs.ProviderExtension;
import dev.verbena.verbs.VerbsException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Establishes connections by IP address and port, over all devices of a provider. Thread-safe.
 *
 * @see <a href="https://man7.org/linux/man-pages/man7/rdma_cm.7.html">rdma_cm(7)</a>
 * @since 1.0
 */
public interface ConnectionManager extends ProviderExtension {
    /**
     * {@return the features of this connection manager beyond listen, resolve, connect, accept and disconnect: an unmodifiable
     * set that never changes}
     */
    Set<CmCapability> capabilities();

    /**
     * Creates a channel for the events of ids ({@code rdma_create_event_channel}).
     *
     * @return a new channel; the application must close all ids of the channel before the channel
     * @throws VerbsException if the operating system cannot create the channel
     */
    EventChannel createEventChannel() throws VerbsException;

    /**
     * Creates an id, the counterpart of a socket ({@code rdma_create_id}).
     *
     * @param channel the channel that receives the events of the id
     * @param portSpace the port space, which determines the transport service: connections (RC, UC) or datagrams (UD)
     * @param context the user context of the id, which {@link ConnectionId#context()} returns; or null
     * @return a new id, which is bound to no device yet
     * @throws VerbsException {@code EOPNOTSUPP} if the provider lacks the port space; {@code EINVAL} for a channel of another
     *     provider
     */
    ConnectionId createId(EventChannel channel, PortSpace portSpace, @Nullable Object context) throws VerbsException;
}
