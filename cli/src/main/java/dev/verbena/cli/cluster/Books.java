// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.cluster;

import dev.verbena.lnd.O2ibStatistics;
import dev.verbena.lnd.O2ibStatistics.ConnectionStatistics;
import dev.verbena.lnet.Nid;
import dev.verbena.verbs.Leak;
import dev.verbena.verbs.VerbsException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The sums of the LNet nodes' counters, and checks for leaked resources and lost credits when no message is in flight. */
final class Books {
    private record Pair(Nid from, Nid to) {}

    private final List<Host> hosts;
    private final Ledger ledger;

    Books(List<Host> hosts, Ledger ledger) {
        this.hosts = hosts;
        this.ledger = ledger;
    }

    Sample sample(Duration at, SplitFabric fabric) throws VerbsException {
        long retransmitted = 0;
        int up = 0;
        long connections = 0;
        long credits = 0;
        long creditsInAll = 0;
        long pending = 0;
        for (Host host : hosts) {
            retransmitted += host.retransmitted();
            if (host.isUp()) {
                up++;
                for (ConnectionStatistics connection : host.node().statistics().connections()) {
                    connections++;
                    credits += connection.credits();
                    creditsInAll += connection.queueDepth();
                    pending += connection.pending();
                }
            }
        }
        return new Sample(
                at,
                ledger.deliveredCount(),
                ledger.deliveredBytes(),
                fabric.carried(),
                fabric.lost(),
                retransmitted,
                up,
                connections,
                credits,
                creditsInAll,
                pending);
    }

    /** Checks that no LNet node has leaked a tx descriptor, a memory registration or a credit. */
    void checkAtRest() {
        Map<Pair, ConnectionStatistics> connections = new HashMap<>();
        for (Host host : hosts) {
            O2ibStatistics statistics = host.node().statistics();
            require(statistics.transmitsInUse() == 0, host, statistics.transmitsInUse() + " transmits are in use");
            int inUse = statistics.registration().inUse();
            require(inUse == 0, host, inUse + " registrations are in use");
            for (ConnectionStatistics connection : statistics.connections()) {
                connections.put(new Pair(host.node().nid(), connection.peer()), connection);
                require(connection.pending() == 0, host, "messages wait: " + connection);
                require(
                        connection.reserved() == connection.queueDepth(),
                        host,
                        "reserved credits are missing: " + connection);
            }
        }
        connections.forEach((pair, connection) -> {
            ConnectionStatistics other = connections.get(new Pair(pair.to, pair.from));
            if (other == null) {
                ledger.violated(pair.from + " is connected with " + pair.to + ", which has no such connection");
            } else if (connection.credits() + other.owed() != connection.queueDepth()) {
                ledger.violated(pair.from + " has lost credits: " + connection + ", and at the peer " + other);
            }
        });
    }

    void checkLeaks(Host host, List<Leak> leaks) {
        require(leaks.isEmpty(), host, "not closed: " + leaks);
    }

    private void require(boolean holds, Host host, String otherwise) {
        if (!holds) {
            ledger.violated(host + ": " + otherwise);
        }
    }
}
