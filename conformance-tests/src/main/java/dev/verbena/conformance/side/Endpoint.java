// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.side;

import dev.verbena.cm.ConnectionManager;
import dev.verbena.verbs.Device;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;

/**
 * Executes the steps of a rule on a device of this process, or on a device that the conformance agent of another
 * process has opened. Not thread-safe.
 */
public sealed interface Endpoint extends AutoCloseable permits LocalEndpoint, RemoteEndpoint {
    /**
     * {@return a new endpoint for a device of this process}
     *
     * @param device an open device; closing the endpoint does not close it
     */
    static Endpoint local(Device device) {
        return local(device, Optional.empty());
    }

    /**
     * {@return a new endpoint for a device of this process, with an optional connection manager}
     *
     * @param device an open device; closing the endpoint does not close it
     * @param connections the provider's {@code extension(ConnectionManager.class)}
     */
    static Endpoint local(Device device, Optional<ConnectionManager> connections) {
        return local(device, PortChoice.usual(), connections);
    }

    /**
     * {@return a new endpoint for a port of a device of this process}
     *
     * @param device an open device; closing the endpoint does not close it
     * @param choice the port that the rules use
     * @param connections the provider's {@code extension(ConnectionManager.class)}
     */
    static Endpoint local(Device device, PortChoice choice, Optional<ConnectionManager> connections) {
        return new LocalEndpoint(device, choice, connections);
    }

    /**
     * {@return a new endpoint for the device of a {@link ConformanceAgent}}
     *
     * @param agent the address on which the agent listens
     * @param patience the maximum time in which the conformance agent must reply to a step of the rule. For a step that
     *     waits, the limit is {@code patience} plus the step's maximum waiting time
     * @throws IOException if no agent of this version listens on the address
     */
    static Endpoint remote(InetSocketAddress agent, Duration patience) throws IOException {
        return remote(agent, patience, Optional.empty(), Introduction.NONE);
    }

    /**
     * {@return a new endpoint for a conformance agent's device. The agent may require a secret. Before the first step
     * of a rule, this process and the conformance agent send each other a text ({@link Introduction})}
     *
     * @param agent the address on which the agent listens
     * @param patience the maximum time in which the conformance agent must reply to a step of the rule. For a step that
     *     waits, the limit is {@code patience} plus the step's maximum waiting time
     * @param secret the secret that the agent requires, or empty
     * @param introduction the texts that the two processes exchange at the start of a connection
     * @throws IOException if no agent of this version listens on the address
     */
    static Endpoint remote(
            InetSocketAddress agent, Duration patience, Optional<SharedSecret> secret, Introduction introduction)
            throws IOException {
        return RemoteEndpoint.connect(agent, patience, secret, introduction);
    }

    /**
     * Executes a step.
     *
     * @return the result of the rule's step; the provider may have refused the verbs call of the step
     * @throws ControlChannelException if the conformance agent is unreachable or does not answer in time
     */
    Reply perform(Step step);

    /** Closes all open objects of this endpoint, in reverse order of creation. */
    @Override
    void close();
}
