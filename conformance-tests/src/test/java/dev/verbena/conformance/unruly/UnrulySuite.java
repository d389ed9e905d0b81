// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.unruly;

import dev.verbena.cm.ConnectionManager;
import dev.verbena.conformance.ProviderRig;
import dev.verbena.conformance.VerbsConformance;
import dev.verbena.conformance.side.Endpoint;
import dev.verbena.conformance.side.PortChoice;
import dev.verbena.conformance.side.Side;
import dev.verbena.verbs.Device;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The rules over one open device, in loop-back. */
class UnrulySuite extends VerbsConformance {
    private final Device device;
    private final Optional<ConnectionManager> connections;
    private final Side.Waiting waiting;
    private final List<Endpoint> endpoints = new ArrayList<>();

    UnrulySuite(Device device, Optional<ConnectionManager> connections, Side.Waiting waiting) {
        this.device = device;
        this.connections = connections;
        this.waiting = waiting;
    }

    Optional<ConnectionManager> connections() {
        return connections;
    }

    PortChoice port() {
        return PortChoice.usual();
    }

    /** Closes the objects that rules left open because a close failed. */
    void closeLeftOver() {
        for (Endpoint endpoint : endpoints.reversed()) {
            try {
                endpoint.close();
            } catch (Exception refused) {
                throw new IllegalStateException("an object cannot be closed", refused);
            }
        }
        endpoints.clear();
    }

    @Override
    public ProviderRig openRig() {
        return new ProviderRig() {
            @Override
            public Endpoint first() {
                Endpoint endpoint = Endpoint.local(device, port(), connections);
                endpoints.add(endpoint);
                return endpoint;
            }

            @Override
            public Endpoint second() {
                return first();
            }

            @Override
            public Side.Waiting waiting() {
                return waiting;
            }

            @Override
            public void close() {
                // All tries use the device.
            }
        };
    }
}
