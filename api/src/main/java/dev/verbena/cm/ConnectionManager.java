// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cm;

import dev.verbena.verbs.ProviderExtension;
import dev.verbena.verbs.VerbsException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes connections by IP address and port, over all devices of a provider. May be used from several threads.
 *
 * @see <a href="https://man7.org/linux/man-pages/man7/rdma_cm.7.html">rdma_cm(7)</a>
 * @since 1.0
 */
public interface ConnectionManager extends ProviderExtension {
    /**
     * Returns the features of this connection manager beyond listen, resolve, connect, accept and disconnect.
     *
     * @return an unmodifiable set, always the same
     */
    Set<CmCapability> capabilities();

    /**
     * Makes a channel that carries the events of ids ({@code rdma_create_event_channel}).
     *
     * @return a new channel, to be closed after its ids
     * @throws VerbsException when the system refuses
     */
    EventChannel createEventChannel() throws VerbsException;

    /**
     * Makes an id, the counterpart of a socket ({@code rdma_create_id}).
     *
     * @param channel the channel that receives its events
     * @param portSpace the service it offers
     * @param context the object to attach for the caller, or null
     * @return a new id, bound to no device yet
     * @throws VerbsException {@code EOPNOTSUPP} for a port space this provider lacks; {@code EINVAL} for a foreign
     *     channel
     */
    ConnectionId createId(EventChannel channel, PortSpace portSpace, @Nullable Object context) throws VerbsException;
}
