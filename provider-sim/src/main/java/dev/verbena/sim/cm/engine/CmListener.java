// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm.engine;

import dev.verbena.verbs.Gid;
import org.jspecify.annotations.Nullable;

/**
 * A service that peers can request, on one address or on all. A listener may belong to the engines of several devices.
 */
public final class CmListener {
    private final long serviceId;
    private final @Nullable Gid address;
    private final boolean takesIpv4;
    private final int backlog;
    private final CmService service;
    private int pending;

    /**
     * Makes a listener.
     *
     * @param serviceId port space and port
     * @param address the address to listen on, or null for all
     * @param takesIpv4 whether a wildcard listener accepts requests to IPv4 addresses
     * @param backlog the number of queued requests with an event that was not yet taken
     * @param service the service offered
     */
    public CmListener(long serviceId, @Nullable Gid address, boolean takesIpv4, int backlog, CmService service) {
        this.serviceId = serviceId;
        this.address = address;
        this.takesIpv4 = takesIpv4;
        this.backlog = backlog;
        this.service = service;
    }

    CmService service() {
        return service;
    }

    boolean matches(long wanted, Gid destination) {
        boolean meant = address == null ? takesIpv4 || !destination.isIpv4() : address.equals(destination);
        return meant && serviceId == wanted;
    }

    /** Takes a place in the backlog, if there is one. */
    boolean admit() {
        if (pending >= backlog) {
            return false;
        }
        pending++;
        return true;
    }

    /**
     * Frees the place of a request. To be called when its event is taken from the channel, as {@code ucma_get_event}
     * does.
     */
    public void requestTaken() {
        pending--;
    }
}
