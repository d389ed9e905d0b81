// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance;

import dev.verbena.cm.ConnectionManager;
import dev.verbena.conformance.side.Endpoint;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.VerbsException;
import java.util.Optional;

/**
 * A {@link ProviderRig} on two devices of this process, or on one device in loop-back. Subclasses add provider features.
 */
public class LocalRig implements ProviderRig {
    private final Device first;
    private final Device second;
    private final Optional<ConnectionManager> connections;

    /**
     * Creates a {@code LocalRig} that owns two open devices.
     *
     * @param first the requester's device, which this {@code LocalRig} closes
     * @param second the responder's device, which this {@code LocalRig} closes; may be the same as {@code first}
     */
    public LocalRig(Device first, Device second) {
        this(first, second, Optional.empty());
    }

    /**
     * Creates a {@code LocalRig} that owns two open devices of a provider. The provider may have a connection manager.
     *
     * @param first the requester's device, which this {@code LocalRig} closes
     * @param second the responder's device, which this {@code LocalRig} closes; may be the same as {@code first}
     * @param connections the provider's {@code extension(ConnectionManager.class)}
     */
    public LocalRig(Device first, Device second, Optional<ConnectionManager> connections) {
        this.first = first;
        this.second = second;
        this.connections = connections;
    }

    @Override
    public Endpoint first() {
        return Endpoint.local(first, connections);
    }

    @Override
    public Endpoint second() {
        return Endpoint.local(second, connections);
    }

    /** Closes both devices, even if closing one of them fails. */
    @Override
    public void close() throws VerbsException {
        try (first) {
            if (!second.equals(first)) {
                second.close();
            }
        }
    }
}
