// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import dev.verbena.lnd.engine.ConnectionEngine;
import java.util.List;

/** The invariants of the reference for every connection, checked after each event. */
final class Invariants {

    private static final int MAX_NOOPS = 2;

    private final List<LnetNode> nodes;
    private final List<Grants> grants;
    private final boolean paired;
    private long checks;

    /**
     * Checks nodes.
     *
     * @param exact whether it does so after every single event
     * @param paired whether there is never more than one connection between the first two nodes, so that their books
     *     agree
     */
    Invariants(List<LnetNode> nodes, boolean exact, boolean paired) {
        this.nodes = nodes;
        grants = exact ? nodes.stream().map(Grants::new).toList() : List.of();
        this.paired = paired;
    }

    long checks() {
        return checks;
    }

    /** Returns how often a node granted a peer memory to write to. */
    long grants() {
        return grants.stream().mapToLong(Grants::seen).sum();
    }

    void check() {
        checks++;
        for (LnetNode node : nodes) {
            synchronized (DriverParts.lock(node)) {
                connections(node).forEach(Invariants::check);
            }
        }
        grants.forEach(Grants::check);
        if (paired) {
            checkPair();
        }
    }

    private static void check(Connection connection) {
        ConnectionEngine<TxDescriptor> engine = connection.engine();
        int depth = connection.queueDepth();
        require(isWithin(engine.credits(), depth), connection, "credits");
        require(isWithin(engine.outstanding(), depth), connection, "owed credits");
        require(isWithin(engine.reserved(), depth), connection, "reserved credits");
        require(isWithin(engine.noopsPosted(), MAX_NOOPS), connection, "NOOPs");
        Endpoint endpoint = connection.endpoint();
        require(endpoint != null, connection, "endpoint");
        require(isWithin(engine.sendsPosted(), endpoint.concurrentSends()), connection, "SENDs");
        require(isWithin(endpoint.posted(), 2 * depth + MAX_NOOPS), connection, "receives");
    }

    /**
     * One end's credits plus the credits that the other end has to return never exceed the depth; the others are in
     * flight or being handled.
     */
    private void checkPair() {
        List<Connection> left = connections(nodes.get(0));
        List<Connection> right = connections(nodes.get(1));
        if (left.size() == 1 && right.size() == 1) {
            requireBooks(left.getFirst(), right.getFirst());
            requireBooks(right.getFirst(), left.getFirst());
        }
    }

    private static List<Connection> connections(LnetNode node) {
        return DriverParts.allPeers(node).stream()
                .flatMap(peer -> peer.connections().stream())
                .toList();
    }

    private static void requireBooks(Connection one, Connection other) {
        require(
                one.engine().credits() + other.engine().outstanding() <= one.queueDepth(),
                one,
                "the sum with what is owed by " + other);
    }

    private static boolean isWithin(int value, int most) {
        return value >= 0 && value <= most;
    }

    private static void require(boolean holds, Connection connection, String what) {
        if (!holds) {
            throw new AssertionError(what + " out of bounds: " + connection);
        }
    }
}
