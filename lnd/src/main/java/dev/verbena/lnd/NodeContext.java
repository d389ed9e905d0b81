// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import dev.verbena.cm.ConnectionManager;
import dev.verbena.cm.EventChannel;
import dev.verbena.lnet.LndHost;
import dev.verbena.lnet.Nid;
import dev.verbena.verbs.VerbsRuntime;
import java.time.Duration;
import java.util.List;

/** The immutable properties that all of a node's connections share. Source: {@code kiblnd_data}. */
record NodeContext(
        O2ibTunables tunables,
        VerbsRuntime runtime,
        ConnectionManager manager,
        EventChannel channel,
        LndHost host,
        List<Cpt> cpts,
        List<NetworkInterface> interfaces) {

    private static final Duration RESOLVE_TWICE = Duration.ofSeconds(10);
    private static final Duration SHORTEST_CONNECT_TIMEOUT = Duration.ofSeconds(5);

    Cpt cpt(Nid peer) {
        return cpts.get(Math.floorMod(Long.hashCode(peer.value()), cpts.size()));
    }

    Duration connectTimeout() {
        Duration quarter = tunables.timeout().dividedBy(4);
        return quarter.compareTo(SHORTEST_CONNECT_TIMEOUT) > 0 ? quarter : SHORTEST_CONNECT_TIMEOUT;
    }

    /** The maximum time of a connection attempt: to resolve the address, to resolve the route, and to connect. */
    Duration waitingTime() {
        return connectTimeout().plus(RESOLVE_TWICE);
    }
}
