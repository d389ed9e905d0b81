// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm.engine;

import dev.verbena.verbs.Gid;
import org.jspecify.annotations.Nullable;

/** Accepts requests for one service at one or all addresses. One listener may accept requests on several devices. */
public final class CmListener {
    private final long serviceId;
    private final @Nullable Gid address;
    private final boolean takesIpv4;
    private final int backlog;
    private final CmService service;
    private int pending;

    /**
     * Creates a listener for requests to one address or, if {@code address} is null, to all addresses. If
     * {@code takesIpv4} is false, a listener on all addresses refuses requests to IPv4 addresses. The events of at most
     * {@code backlog} requests may be pending, as in {@code rdma_listen}.
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

    /** Reserves a slot in the backlog of the listener. Returns false if the backlog is full. */
    boolean admit() {
        if (pending >= backlog) {
            return false;
        }
        pending++;
        return true;
    }

    /**
     * Frees the slot of a REQ or SIDR_REQ in the backlog of the listener. As in {@code ucma_get_event}, the slot is freed
     * when the application gets the CONNECT_REQUEST event from the event channel.
     */
    public void requestTaken() {
        pending--;
    }
}
