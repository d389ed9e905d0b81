// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.side;

import dev.verbena.cm.CmEventType;
import dev.verbena.cm.UdParameters;
import java.util.Optional;

/**
 * A copy of a CM event, as a Java record that a conformance agent can send to the test process.
 *
 * @param id the handle of the connection id
 * @param listener the handle of the listening id if the event is a CONNECT_REQUEST, otherwise -1
 */
public record CmEventRecord(CmEventType type, int id, int listener, int status, byte[] privateData, Peer peer) {
    public record Peer(Optional<CmNumbers> parameters, Optional<UdParameters> datagrams) {}

    public Optional<CmNumbers> parameters() {
        return peer.parameters;
    }

    public Optional<UdParameters> datagrams() {
        return peer.datagrams;
    }

    @Override
    public String toString() {
        return type + " (status " + status + ")";
    }
}
