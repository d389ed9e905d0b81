// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance;

import dev.verbena.cm.ConnectionManager;
import dev.verbena.conformance.side.Endpoint;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.VerbsException;
import java.util.Optional;

/** A rig with two devices of this process, or with one device in loop-back. Subclasses add provider features. */
public class LocalRig implements ProviderRig {
    private final Device first;
    private final Device second;
    private final Optional<ConnectionManager> connections;

    /**
     * Creates a rig that owns two open devices.
     *
     * @param first the requesting device; closed with the rig
     * @param second the responding device; closed with the rig, and may be the same device
     */
    public LocalRig(Device first, Device second) {
        this(first, second, Optional.empty());
    }

    /**
     * Creates a rig that owns two open devices of a provider that may have connection management.
     *
     * @param first the requesting device; closed with the rig
     * @param second the responding device; closed with the rig, and may be the same device
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

    /** Closes both devices, even if the close of one fails. */
    @Override
    public void close() throws VerbsException {
        try (first) {
            if (!second.equals(first)) {
                second.close();
            }
        }
    }
}
