// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import dev.verbena.cm.ConnectionManager;
import dev.verbena.cm.EventChannel;
import dev.verbena.lnet.LndHost;
import dev.verbena.lnet.Nid;
import dev.verbena.verbs.VerbsRuntime;
import java.time.Duration;
import java.util.List;

/**
 * The immutable facts about a node that its connections and their makers need. Source: {@code kiblnd_data}.
 *
 * @param interfaces the network interfaces; at present one
 * @param cpts the CPU partitions, by index
 */
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

    /** The partition that serves a peer. */
    Cpt cpt(Nid peer) {
        return cpts.get(Math.floorMod(Long.hashCode(peer.value()), cpts.size()));
    }

    /** Time for the answer to a connect. */
    Duration connectTimeout() {
        Duration quarter = tunables.timeout().dividedBy(4);
        return quarter.compareTo(SHORTEST_CONNECT_TIMEOUT) > 0 ? quarter : SHORTEST_CONNECT_TIMEOUT;
    }

    /** How long a message waits for a connection: time for an answer, and twice for finding the way. */
    Duration waitingTime() {
        return connectTimeout().plus(RESOLVE_TWICE);
    }
}
