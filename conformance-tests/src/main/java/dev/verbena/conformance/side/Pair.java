// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.side;

import dev.verbena.fault.FaultPlan;
import dev.verbena.fault.LinkRule;
import dev.verbena.verbs.Capability;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Two sides of a rig, and connections between them.
 *
 * @param first the side that requests
 * @param second the side that responds
 * @param link the link between them
 */
public record Pair(Side first, Side second, Link link) implements AutoCloseable {
    /**
     * The link between two sides, closed after them.
     *
     * @param connector connects two ends
     * @param faults applies a rule to every packet, or empty if faults cannot be commanded
     * @param tap adds a rule that only observes packets, or empty if packets cannot be observed
     * @param canLose whether packets can get lost though no rule commands it
     * @param closer closes the link
     */
    public record Link(
            BiConsumer<Ends, Connection> connector,
            Optional<Consumer<LinkRule>> faults,
            Optional<Consumer<LinkRule>> tap,
            boolean canLose,
            Runnable closer)
            implements AutoCloseable {
        @Override
        public void close() {
            closer.run();
        }
    }

    /**
     * Two ends that are connected, or are to be.
     *
     * @param requester the end on the first side
     * @param responder the end on the second side
     */
    public record Ends(End requester, End responder) {
        /** Sends a message of some bytes each way, to show that both still work. */
        public void assertAlive(long id) {
            pass(requester, responder, id);
            pass(responder, requester, id);
        }

        private static void pass(End from, End to, long id) {
            to.receive(id, 0, 16);
            from.send(id, 0, 16);
            from.sends().awaitIds(id);
            to.receives().awaitIds(id);
        }

        public void assertQuiet() {
            requester.qp().assertQuiet();
            responder.qp().assertQuiet();
        }
    }

    /** Two ends of the usual kind, connected in the usual way. */
    public Ends connected() {
        return connected(Shape.usual());
    }

    public Ends connected(Shape shape) {
        return connected(shape, Connection.usual());
    }

    public Ends connected(Connection connection) {
        return connected(Shape.usual(), connection);
    }

    public Ends connected(Shape shape, Connection connection) {
        return connected(shape, shape, connection);
    }

    public Ends connected(Shape requester, Shape responder, Connection connection) {
        if (!connectsByModify()) {
            return CmPairing.connect(this, id -> id.end(requester), id -> id.end(responder), connection);
        }
        Ends ends = unconnected(requester, responder);
        connect(ends, connection);
        return ends;
    }

    /** Two ends whose queue pairs are in RESET. */
    public Ends unconnected(Shape requester, Shape responder) {
        return new Ends(End.open(first, requester), End.open(second, responder));
    }

    /** Returns whether both devices' queue pairs are connected by modify; otherwise it is the connection manager that connects them. */
    public boolean connectsByModify() {
        return first.facts().capabilities().contains(Capability.MANUAL_CONNECT)
                && second.facts().capabilities().contains(Capability.MANUAL_CONNECT);
    }

    /** Another connection between the same domains, memories and shared receive queues. */
    public Ends another(Ends ends, Shape shape, Connection connection) {
        if (!connectsByModify()) {
            return CmPairing.connect(
                    this,
                    id -> id.endLike(ends.requester(), shape),
                    id -> id.endLike(ends.responder(), shape),
                    connection);
        }
        Ends more = new Ends(ends.requester().withQp(shape), ends.responder().withQp(shape));
        connect(more, connection);
        return more;
    }

    public void connect(Ends ends, Connection connection) {
        link.connector().accept(ends, connection);
    }

    /** Commands a fault on the link between the sides, until the pair is closed. */
    public void fault(LinkRule rule) {
        link.faults().orElseThrow().accept(rule);
    }

    /** Commands the faults of a plan, in its order. */
    public void fault(FaultPlan plan) {
        plan.rules().forEach(this::fault);
    }

    /** Closes both sides, the first before the second, and then the link, whichever of them fails. */
    @Override
    public void close() {
        try (link;
                second;
                first) {
            // All three are closed.
        }
    }
}
