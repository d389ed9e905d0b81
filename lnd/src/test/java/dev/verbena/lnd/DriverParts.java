// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import java.util.List;

/** The parts of the drivers of nodes with one CPU partition. */
final class DriverParts {

    private DriverParts() {}

    static Peers peers(LnetNode node) {
        return node.lnd().partitions().getFirst();
    }

    static Daemon daemon(LnetNode node) {
        return peers(node).daemon();
    }

    static Object lock(LnetNode node) {
        return peers(node).cpt().lock();
    }

    static List<Peer> allPeers(LnetNode node) {
        return node.lnd().partitions().stream()
                .flatMap(peers -> peers.all().stream())
                .toList();
    }

    /** The pools of the first partition. */
    static Partition pools(LnetNode node) {
        return node.ni().partition(peers(node).cpt());
    }
}
