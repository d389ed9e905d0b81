// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.side;

import dev.verbena.cm.ConnectionManager;
import dev.verbena.verbs.Device;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;

/**
 * Executes one side of a rule, step by step: over a device of this process, or by an agent elsewhere. For one thread at
 * a time.
 */
public sealed interface Endpoint extends AutoCloseable permits LocalEndpoint, RemoteEndpoint {
    /**
     * Drives a device of this process.
     *
     * @param device an open device; it stays open when the endpoint is closed
     * @return a new endpoint
     */
    static Endpoint local(Device device) {
        return local(device, Optional.empty());
    }

    /**
     * Drives a device of this process whose provider may manage connections.
     *
     * @param device an open device; it stays open when the endpoint is closed
     * @param connections the provider's {@code extension(ConnectionManager.class)}
     * @return a new endpoint
     */
    static Endpoint local(Device device, Optional<ConnectionManager> connections) {
        return new LocalEndpoint(device, connections);
    }

    /**
     * Drives the device of a {@link ConformanceAgent}.
     *
     * @param agent where it listens
     * @param patience how long an answer may take beyond the wait of a step
     * @return a new endpoint
     * @throws IOException if no agent of this version listens there
     */
    static Endpoint remote(InetSocketAddress agent, Duration patience) throws IOException {
        return remote(agent, patience, Optional.empty(), Introduction.NONE);
    }

    /**
     * The same for agents that require a secret, and for networks whose addresses have to be exchanged first.
     *
     * @param agent where it listens
     * @param patience how long an answer may take beyond the wait of a step
     * @param secret the secret that the agent requires, if any
     * @param introduction the texts that the two processes exchange first
     * @return a new endpoint
     * @throws IOException if no agent of this version listens there
     */
    static Endpoint remote(
            InetSocketAddress agent, Duration patience, Optional<SharedSecret> secret, Introduction introduction)
            throws IOException {
        return RemoteEndpoint.connect(agent, patience, secret, introduction);
    }

    /**
     * Executes a step.
     *
     * @param step the step
     * @return the result, which may be a refusal by the provider
     * @throws ControlChannelException if the agent cannot be reached any more, or does not answer in time
     */
    Reply perform(Step step);

    /** Closes all objects that steps made and did not close, the last first. */
    @Override
    void close();
}
