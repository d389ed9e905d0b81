// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.side;

import dev.verbena.fault.FaultPlan;
import dev.verbena.fault.LinkRule;
import dev.verbena.verbs.Capability;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * The two tested devices, and the link between them.
 *
 * @param first the requester's device
 * @param second the responder's device
 * @param link the link between the devices
 */
public record Pair(Side first, Side second, Link link) implements AutoCloseable {
    /**
     * The link between the two devices. The link is closed after the devices.
     *
     * @param connector connects two queue pairs
     * @param faults the function that adds a fault rule, which can drop, delay or corrupt packets on the link, or empty if
     *     faults cannot be injected
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

    /** Connects two new queue pairs, which use the protection domains, memory regions and SRQs of {@code ends}. */
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

    /** Applies a fault rule to each packet between the devices until this {@code Pair} is closed. */
    public void fault(LinkRule rule) {
        link.faults().orElseThrow().accept(rule);
    }

    /** Applies the fault rules of a fault plan to each packet between the devices, in the order of the plan. */
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
