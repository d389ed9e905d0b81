// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance;

import dev.verbena.conformance.side.Connection;
import dev.verbena.conformance.side.Endpoint;
import dev.verbena.conformance.side.Pair;
import dev.verbena.conformance.side.Qp;
import dev.verbena.conformance.side.Side;
import dev.verbena.fault.LinkRule;
import dev.verbena.verbs.VerbsException;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The kit's access to a provider: two endpoints that reach each other, the way to connect queue pairs, control over the
 * packets between them, and time limits. The kit opens a rig for every try of a rule and closes it after the try. A rig
 * may return the same open devices again.
 *
 * <pre>{@code
 * class MyRig implements ProviderRig {
 *     private final Device device = VerbsProviders.named("mine").open("dev0");
 *
 *     public Endpoint first() {
 *         return Endpoint.local(device);
 *     }
 *
 *     public Endpoint second() {
 *         return Endpoint.local(device);        // loop-back, or another device, or Endpoint.remote(...)
 *     }
 *
 *     public void close() throws VerbsException {
 *         device.close();
 *     }
 * }
 * }</pre>
 *
 * <p>For one thread at a time.
 */
public interface ProviderRig extends AutoCloseable {
    /**
     * Opens the side that requests.
     *
     * @return a new endpoint, which the kit closes before the rig
     * @throws VerbsException if no device is found; the rule fails then
     * @throws IOException if no agent is found; the rule fails then
     */
    Endpoint first() throws VerbsException, IOException;

    /**
     * Opens the side that responds. This side may be on the same device, in loop-back, or in another process.
     *
     * @return a new endpoint, which the kit closes before the rig
     * @throws VerbsException if no device is found; the rule fails then
     * @throws IOException if no agent is found; the rule fails then
     */
    Endpoint second() throws VerbsException, IOException;

    /**
     * Connects two queue pairs, one of each side. Unless overridden the sides exchange their numbers.
     *
     * @param first the requesting side, in RESET or INIT
     * @param second the responding side, in RESET or INIT
     * @param connection the requested settings
     */
    default void connect(Qp first, Qp second, Connection connection) {
        connection.establish(first, second);
    }

    /**
     * Returns the control of faults on the link between the sides.
     *
     * @return the link, or empty if its faults cannot be commanded
     */
    default Optional<LinkControl> link() {
        return Optional.empty();
    }

    /**
     * Returns the tap for the packets between the sides. Link rules that the kit adds here only observe; they pass
     * every packet.
     *
     * @return the link, or empty if its packets cannot be observed
     */
    default Optional<LinkControl> tap() {
        return link();
    }

    /**
     * Returns whether packets between the sides can get lost though no rule commands it, as on a wire or in a socket. Only then may
     * a try be {@linkplain VerbsConformance#repeats() repeated}.
     *
     * @return false unless overridden
     */
    default boolean canLose() {
        return false;
    }

    /**
     * Returns how long to wait: ten seconds for an expected event, and 20 milliseconds to show that an event does not
     * happen. Override for machines that are slower; the first is only used up by failures, the second by every rule
     * that asserts silence. On simulated time both cost nothing.
     *
     * @return the deadlines of all rules
     */
    default Side.Waiting waiting() {
        return new Side.Waiting(Duration.ofSeconds(10), Duration.ofMillis(20));
    }

    /**
     * Opens both sides.
     *
     * @return both sides; this rig is closed with them
     * @throws IllegalStateException if a side cannot be opened; this rig is closed then
     */
    default Pair pair() {
        Side first = null;
        try {
            Side.Waiting waiting = waiting();
            first = new Side(first(), waiting);
            return new Pair(first, new Side(second(), waiting), openedLink());
        } catch (Exception refused) {
            try {
                if (first != null) {
                    first.close();
                }
                close();
            } catch (Exception another) {
                refused.addSuppressed(another);
            }
            throw new IllegalStateException("the rig cannot be used: " + refused.getMessage(), refused);
        }
    }

    private Pair.Link openedLink() {
        return new Pair.Link(
                (ends, connection) ->
                        connect(ends.requester().qp(), ends.responder().qp(), connection),
                link().<Consumer<LinkRule>>map(control -> control::add),
                tap().<Consumer<LinkRule>>map(control -> control::add),
                canLose(),
                () -> {
                    try {
                        close();
                    } catch (VerbsException refused) {
                        throw new IllegalStateException("the rig cannot be closed: " + refused.getMessage(), refused);
                    }
                });
    }

    /**
     * Closes the objects that this rig opened for itself.
     *
     * @throws VerbsException if something cannot be closed; the rule fails then
     */
    @Override
    void close() throws VerbsException;
}
