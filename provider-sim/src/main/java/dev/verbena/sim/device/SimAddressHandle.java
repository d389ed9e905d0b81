// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.AddressVector;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.GlobalRoute;
import dev.verbena.verbs.ProtectionDomain;

/** An address handle ({@code rxe_ah}): a checked address vector with its source GID. */
final class SimAddressHandle implements AddressHandle {
    private final ProtectionDomain domain;
    private final Place place;
    private final AddressVector vector;
    private final GlobalRoute route;
    private final Gid source;
    private volatile boolean closed;

    SimAddressHandle(ProtectionDomain domain, Place place, AddressVector vector, Gid source) {
        this.domain = domain;
        this.place = place;
        this.vector = vector;
        this.source = source;
        route = vector.route().orElseThrow();
    }

    boolean isClosed() {
        return closed;
    }

    Gid source() {
        return source;
    }

    GlobalRoute route() {
        return route;
    }

    @Override
    public ProtectionDomain protectionDomain() {
        return domain;
    }

    @Override
    public AddressVector vector() {
        return vector;
    }

    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        place.remove(this);
    }

    @Override
    public String toString() {
        return "AH to " + route.destination();
    }
}
