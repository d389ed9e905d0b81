// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.lnet;

import dev.verbena.lnd.HeldMessage;
import dev.verbena.lnd.LnetNode;
import dev.verbena.lnd.O2ibStatistics;
import dev.verbena.lnd.O2ibStatistics.ConnectionStatistics;
import dev.verbena.lnd.PeerState;
import dev.verbena.lnet.Nid;
import dev.verbena.lnet.selftest.SelftestServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Replies to the queries of {@code verbena lnet stats} and {@code verbena lnet show} about a running LNet node. */
public final class NodeView {

    /** The time after which a waiting message is reported as stalled. */
    public static final Duration PATIENCE = Duration.ofSeconds(5);

    private static final int MOST_MESSAGES = 20;

    private final LnetNode node;
    private final SelftestServer selftest;

    public NodeView(LnetNode node, SelftestServer selftest) {
        this.node = node;
        this.selftest = selftest;
    }

    /**
     * Returns the lines of the reply to the query {@code stats}, {@code peers}, {@code conns}, {@code credits} or {@code
     * pools}; empty for any other query.
     */
    public Optional<List<String>> answer(String question) {
        return switch (question) {
            case "stats" -> Optional.of(stats());
            case "peers" -> Optional.of(peers());
            case "conns" -> Optional.of(connections());
            case "credits" -> Optional.of(credits());
            case "pools" -> Optional.of(pools());
            default -> Optional.empty();
        };
    }

    private List<String> stats() {
        List<String> lines = new ArrayList<>();
        NodeCounters.read(node, selftest.statistics()).forEach((name, value) -> lines.add(name + " " + value));
        return lines;
    }

    private List<String> peers() {
        List<String> lines = new ArrayList<>(List.of("peer incarnation connections connecting waiting"));
        for (PeerState peer : node.peers()) {
            lines.add(peer.nid() + " " + Long.toHexString(peer.incarnation()) + " " + peer.connections() + " "
                    + peer.connecting() + " " + peer.waiting());
        }
        return lines;
    }

    private List<String> connections() {
        List<String> lines = new ArrayList<>(List.of("peer depth credits owed reserved pending"));
        for (ConnectionStatistics each : node.statistics().connections()) {
            lines.add(each.peer() + " " + each.queueDepth() + " " + each.credits() + " " + each.owed() + " "
                    + each.reserved() + " " + each.pending());
        }
        return lines;
    }

    private List<String> credits() {
        List<String> lines = new ArrayList<>();
        for (ConnectionStatistics each : node.statistics().connections()) {
            lines.add(each.peer() + ": holds " + (each.queueDepth() - each.credits()) + " of " + each.queueDepth()
                    + " credits, is owed " + each.owed() + "; messages pending " + each.pending());
        }
        node.held().stream().limit(MOST_MESSAGES).map(HeldMessage::toString).forEach(lines::add);
        return lines;
    }

    private List<String> pools() {
        O2ibStatistics driver = node.statistics();
        return List.of(
                "transmits in use " + driver.transmitsInUse(),
                "registration " + driver.registration().kind(),
                "registration objects " + driver.registration().objects(),
                "registration pools " + driver.registration().pools(),
                "registrations in use " + driver.registration().inUse(),
                "free memory " + driver.freeMemory());
    }

    /**
     * Returns one line for each peer for which a message has waited at least the given duration. The line of a peer
     * contains the peer's credits and the oldest waiting message.
     */
    public List<String> hanging(Duration longer) {
        List<String> lines = new ArrayList<>();
        List<Nid> told = new ArrayList<>();
        for (HeldMessage message : node.held()) {
            if (message.age().compareTo(longer) >= 0 && !told.contains(message.peer())) {
                told.add(message.peer());
                lines.add(message.peer() + " hangs" + holds(message.peer()) + ": " + message);
            }
        }
        return lines;
    }

    private String holds(Nid peer) {
        int depth = 0;
        int credits = 0;
        for (ConnectionStatistics each : node.statistics().connections()) {
            if (each.peer().equals(peer)) {
                depth += each.queueDepth();
                credits += each.credits();
            }
        }
        return depth == 0 ? ", without a connection" : ", holding " + (depth - credits) + " of " + depth + " credits";
    }
}
