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
 * The conformance kit's access to a provider: two tested devices that reach each other, a way to connect their queue pairs,
 * control of the packets between the devices, and timeouts. The kit executes a rule with parameters several times with
 * different parameter values. The kit opens a {@code ProviderRig} for each execution of a rule, and closes it after the
 * execution. Several {@code ProviderRig} objects may share an open device.
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
     * Opens the {@link Endpoint} of the requester's device.
     *
     * @return a new {@link Endpoint}, which the kit closes before it closes this {@code ProviderRig}
     * @throws VerbsException if the tested device is not found; the rule then fails
     * @throws IOException if the conformance agent of the tested device is not found; the rule then fails
     */
    Endpoint first() throws VerbsException, IOException;

    /**
     * Opens the {@link Endpoint} of the responder's device. The requester and the responder may use one device in
     * loop-back, two devices of this process, or devices of two processes.
     *
     * @return a new {@link Endpoint}, which the kit closes before it closes this {@code ProviderRig}
     * @throws VerbsException if the tested device is not found; the rule then fails
     * @throws IOException if the conformance agent of the tested device is not found; the rule then fails
     */
    Endpoint second() throws VerbsException, IOException;

    /**
     * Connects a queue pair of the first tested device with a queue pair of the second tested device. The default method
     * modifies both queue pairs to RTS, each with the attributes of the other queue pair.
     *
     * @param first the requester's queue pair, in RESET or INIT
     * @param second the responder's queue pair, in RESET or INIT
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
     * Returns whether the fabric between the devices can lose packets without an injected fault, as a wire or a socket can.
     * The kit {@linkplain VerbsConformance#repeats() retries} a failed execution of a rule only if packets can be lost.
     *
     * @return false unless overridden
     */
    default boolean canLose() {
        return false;
    }

    /**
     * Returns two timeouts: by default ten seconds for an expected event, and 20 milliseconds to conclude that no event
     * arrives. Override this method for slower hosts. A rule that expects an event continues as soon as the event arrives.
     * A rule that expects no event always waits for the whole timeout. In virtual time, waiting takes no wall-clock time.
     *
     * @return the two timeouts of all conformance rules
     */
    default Side.Waiting waiting() {
        return new Side.Waiting(Duration.ofSeconds(10), Duration.ofMillis(20));
    }

    /**
     * Opens the {@link Endpoint} of each of the two tested devices.
     *
     * @return the two tested devices; closing the {@code Pair} also closes this {@code ProviderRig}
     * @throws IllegalStateException if a tested device cannot be used; this {@code ProviderRig} is then closed
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
     * Closes the devices and other resources that this {@code ProviderRig} owns.
     *
     * @throws VerbsException if a resource of this {@code ProviderRig} cannot be closed; the rule then fails
     */
    @Override
    void close() throws VerbsException;
}
