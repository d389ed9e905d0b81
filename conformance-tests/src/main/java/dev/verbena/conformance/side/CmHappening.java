// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.side;

import dev.verbena.cm.CmEventType;
import dev.verbena.cm.UdParameters;
import java.util.Optional;

/**
 * An event of connection management.
 *
 * @param type the type of the event
 * @param id the handle of the id
 * @param listener the handle of the listening id of a CONNECT_REQUEST, or -1
 * @param status the outcome
 * @param privateData the peer's bytes
 * @param peer the peer's numbers, as far as the event has any
 */
public record CmHappening(CmEventType type, int id, int listener, int status, byte[] privateData, Peer peer) {
    /**
     * The peer's numbers in an event.
     *
     * @param parameters the peer's parameters, of a connection
     * @param datagrams how to send to the peer or group, without one
     */
    public record Peer(Optional<CmNumbers> parameters, Optional<UdParameters> datagrams) {}

    /** {@return {@link Peer#parameters()}} */
    public Optional<CmNumbers> parameters() {
        return peer.parameters;
    }

    /** {@return {@link Peer#datagrams()}} */
    public Optional<UdParameters> datagrams() {
        return peer.datagrams;
    }

    @Override
    public String toString() {
        return type + " (status " + status + ")";
    }
}
