// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.side;

import dev.verbena.fault.FaultPlan;
import dev.verbena.fault.LinkRule;
import dev.verbena.verbs.Capability;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * The two devices of a rig, and connections between them.
 *
 * @param first the requesting device
 * @param second the responding device
 * @param link the link between the devices
 */
public record Pair(Side first, Side second, Link link) implements AutoCloseable {
    /**
     * The link between two devices, closed after them.
     *
     * @param connector connects two ends
     * @param faults applies a link rule to every packet; empty if faults cannot be injected
     * @param tap adds a link rule that only observes packets; empty if packets cannot be observed
     * @param canLose whether packets can be lost although no link rule drops them
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

    public record Ends(End requester, End responder) {
        /** Sends a message of a few bytes in each direction, to check that both queue pairs still work. */
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

    /** Returns two connected ends with the usual shape and settings. */
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

    /** Returns two ends whose queue pairs are in RESET. */
    public Ends unconnected(Shape requester, Shape responder) {
        return new Ends(End.open(first, requester), End.open(second, responder));
    }

    /** Returns whether the queue pairs of both devices are connected by modify, and not by the connection manager. */
    public boolean connectsByModify() {
        return first.facts().capabilities().contains(Capability.MANUAL_CONNECT)
                && second.facts().capabilities().contains(Capability.MANUAL_CONNECT);
    }

    /** Returns another connection between the same domains, memories and shared receive queues. */
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

    /** Applies a link rule until the pair is closed. */
    public void fault(LinkRule rule) {
        link.faults().orElseThrow().accept(rule);
    }

    /** Applies the link rules of a plan, in its order. */
    public void fault(FaultPlan plan) {
        plan.rules().forEach(this::fault);
    }

    /** Closes the first device, the second one and the link, even if one of these fails to close. */
    @Override
    public void close() {
        try (link;
                second;
                first) {
            // The resources are closed at the end of this block.
        }
    }
}
