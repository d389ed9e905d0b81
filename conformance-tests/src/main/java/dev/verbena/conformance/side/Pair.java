// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.side;

import dev.verbena.fault.FaultPlan;
import dev.verbena.fault.LinkRule;
import dev.verbena.verbs.Capability;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * The two devices of a rig, and the connections between their queue pairs.
 *
 * @param first the requesting device
 * @param second the responding device
 * @param link the link between the devices
 */
public record Pair(Side first, Side second, Link link) implements AutoCloseable {
    /**
     * The link between the two devices. The link is closed after the devices.
     *
     * @param connector connects two ends
     * @param faults the function with which a rule drops, delays or changes packets on the link, or empty if no faults
     *     can be injected
     * @param tap the function that adds an observer of all packets on the link, or empty if packets cannot be observed
     * @param canLose whether the fabric can lose packets without an injected fault
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

    /** Returns two connected queue pairs, one on each device, with the default sizes and settings. */
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

    /** Returns two queue pairs in RESET, one on each device. */
    public Ends unconnected(Shape requester, Shape responder) {
        return new Ends(End.open(first, requester), End.open(second, responder));
    }

    /** Returns whether the queue pairs are connected by {@code modify}, and not by the connection manager. */
    public boolean connectsByModify() {
        return first.facts().capabilities().contains(Capability.MANUAL_CONNECT)
                && second.facts().capabilities().contains(Capability.MANUAL_CONNECT);
    }

    /** Connects a further pair of queue pairs, with the protection domains, memory and SRQs of {@code ends}. */
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

    /** Applies a link rule to all packets until this pair is closed. */
    public void fault(LinkRule rule) {
        link.faults().orElseThrow().accept(rule);
    }

    /** Applies the link rules of a fault plan, in the order of the plan. */
    public void fault(FaultPlan plan) {
        plan.rules().forEach(this::fault);
    }

    /** Closes the first device, the second device and the link, even if closing one of them fails. */
    @Override
    public void close() {
        try (link;
                second;
                first) {
            // The try statement closes the devices and the link.
        }
    }
}
