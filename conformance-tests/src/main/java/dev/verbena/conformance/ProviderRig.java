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
 * The conformance kit's access to a provider: two endpoints that reach each other, the way to connect queue pairs,
 * the control of the packets between them, and time limits. The kit opens a rig for every try of a rule and closes it
 * after the try. Several rigs may return endpoints on the same open device.
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
 * <p>Not thread-safe.
 */
public interface ProviderRig extends AutoCloseable {
    /**
     * Opens the requesting endpoint.
     *
     * @return a new endpoint, which the kit closes before the rig
     * @throws VerbsException if no device is found; then the rule fails
     * @throws IOException if no agent is found; then the rule fails
     */
    Endpoint first() throws VerbsException, IOException;

    /**
     * Opens the responding endpoint, which may be on the same device, in loop-back, or in another process.
     *
     * @return a new endpoint, which the kit closes before the rig
     * @throws VerbsException if no device is found; then the rule fails
     * @throws IOException if no agent is found; then the rule fails
     */
    Endpoint second() throws VerbsException, IOException;

    /**
     * Connects two queue pairs, one of each endpoint. The default is to exchange their numbers and to modify them to
     * RTS.
     *
     * @param first the requesting queue pair, in RESET or INIT
     * @param second the responding queue pair, in RESET or INIT
     * @param connection the requested settings
     */
    default void connect(Qp first, Qp second, Connection connection) {
        connection.establish(first, second);
    }

    /** {@return the control of faults on the link between the devices, or empty if faults cannot be injected} */
    default Optional<LinkControl> link() {
        return Optional.empty();
    }

    /** {@return the link on which the kit can observe packets with link rules that pass each packet, or empty} */
    default Optional<LinkControl> tap() {
        return link();
    }

    /**
     * Returns whether packets between the devices can be lost although no link rule drops them, as on a wire or in a
     * socket. A try may be {@linkplain VerbsConformance#repeats() repeated} only if packets can be lost.
     *
     * @return false unless overridden
     */
    default boolean canLose() {
        return false;
    }

    /**
     * Returns the waiting times: ten seconds for an expected event, and 20 milliseconds to show that an event does not
     * happen. Override this for slower machines. Only a failing rule uses up the first time, but each rule that
     * expects no event waits for the whole second time. In virtual time the waiting costs no time.
     *
     * @return the waiting times of all rules
     */
    default Side.Waiting waiting() {
        return new Side.Waiting(Duration.ofSeconds(10), Duration.ofMillis(20));
    }

    /**
     * Opens both endpoints.
     *
     * @return both endpoints; this rig is closed with them
     * @throws IllegalStateException if an endpoint cannot be opened; then this rig is closed
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
     * @throws VerbsException if an object cannot be closed; then the rule fails
     */
    @Override
    void close() throws VerbsException;
}
