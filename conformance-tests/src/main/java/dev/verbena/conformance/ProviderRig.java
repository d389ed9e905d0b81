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
 * The conformance kit's access to a provider: two endpoints that reach each other, a way to connect their queue pairs,
 * control of the packets between the endpoints, and time limits. The kit tries each rule several times with different
 * parameter values. The kit opens a {@code ProviderRig} for each try of a rule, and closes it after the try. Several
 * {@code ProviderRig} objects may share an open device.
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
     * @return a new endpoint, which the kit closes before it closes this {@code ProviderRig}
     * @throws VerbsException if the device of the endpoint is not found; the rule then fails
     * @throws IOException if the conformance agent of the endpoint is not found; the rule then fails
     */
    Endpoint first() throws VerbsException, IOException;

    /**
     * Opens the responding endpoint. The two endpoints may use one device in loop-back, two devices of this process, or
     * devices of two processes.
     *
     * @return a new endpoint, which the kit closes before it closes this {@code ProviderRig}
     * @throws VerbsException if the device of the endpoint is not found; the rule then fails
     * @throws IOException if the conformance agent of the endpoint is not found; the rule then fails
     */
    Endpoint second() throws VerbsException, IOException;

    /**
     * Connects a queue pair of the first endpoint with a queue pair of the second endpoint. The default method modifies
     * both queue pairs to RTS, each with the attributes of the other queue pair.
     *
     * @param first the requesting queue pair, in RESET or INIT
     * @param second the responding queue pair, in RESET or INIT
     * @param connection the requested settings
     */
    default void connect(Qp first, Qp second, Connection connection) {
        connection.establish(first, second);
    }

    /** {@return the object that injects faults on the link between the devices, or empty if faults cannot be injected} */
    default Optional<LinkControl> link() {
        return Optional.empty();
    }

    /** {@return the link between the devices, if a rule can observe the packets on this link; otherwise empty} */
    default Optional<LinkControl> tap() {
        return link();
    }

    /**
     * Returns whether the fabric between the devices can lose packets without an injected fault, as a wire or a socket
     * can. The kit {@linkplain VerbsConformance#repeats() repeats} a failed try of a rule only if packets can be lost.
     *
     * @return false unless overridden
     */
    default boolean canLose() {
        return false;
    }

    /**
     * Returns the waiting times: by default ten seconds for an expected event, and 20 milliseconds to show that no event
     * arrives. Override this method for slower machines. A rule that expects an event continues as soon as the event
     * arrives. A rule that expects no event always waits 20 milliseconds. In virtual time, waiting takes no wall time.
     *
     * @return the waiting times of all conformance rules
     */
    default Side.Waiting waiting() {
        return new Side.Waiting(Duration.ofSeconds(10), Duration.ofMillis(20));
    }

    /**
     * Opens both endpoints.
     *
     * @return both endpoints; closing the endpoints also closes this {@code ProviderRig}
     * @throws IllegalStateException if an endpoint cannot be opened; this {@code ProviderRig} is then closed
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
     * Closes the devices and other objects that this {@code ProviderRig} owns.
     *
     * @throws VerbsException if an object of this {@code ProviderRig} cannot be closed; the rule then fails
     */
    @Override
    void close() throws VerbsException;
}
