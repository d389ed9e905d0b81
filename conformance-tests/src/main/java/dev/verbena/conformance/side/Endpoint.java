// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.side;

import dev.verbena.cm.ConnectionManager;
import dev.verbena.verbs.Device;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;

/**
 * Executes the operations of a rule ({@link Step}), such as verbs and CM calls, on the tested device. The device is open in
 * this process, or in another process with a {@link ConformanceAgent}. Not thread-safe.
 */
public sealed interface Endpoint extends AutoCloseable permits LocalEndpoint, RemoteEndpoint {
    /**
     * {@return a new {@code Endpoint} for a device of this process}
     *
     * @param device an open device, which {@link #close} does not close
     */
    static Endpoint local(Device device) {
        return local(device, Optional.empty());
    }

    /**
     * {@return a new {@code Endpoint} for a device of this process, with an optional connection manager}
     *
     * @param device an open device, which {@link #close} does not close
     * @param connections the provider's {@code extension(ConnectionManager.class)}
     */
    static Endpoint local(Device device, Optional<ConnectionManager> connections) {
        return local(device, PortChoice.usual(), connections);
    }

    /**
     * {@return a new {@code Endpoint} for a port of a device of this process}
     *
     * @param device an open device, which {@link #close} does not close
     * @param choice the port that the rules use
     * @param connections the provider's {@code extension(ConnectionManager.class)}
     */
    static Endpoint local(Device device, PortChoice choice, Optional<ConnectionManager> connections) {
        return new LocalEndpoint(device, choice, connections);
    }

    /**
     * {@return a new {@code Endpoint} for the device of a {@link ConformanceAgent}}
     *
     * @param agent the address on which the agent listens
     * @param patience the maximum time in which the conformance agent must reply to a {@link Step}. If the {@code Step}
     *     waits, the limit is {@code patience} plus {@link Step#patience}
     * @throws IOException if no agent of this version listens on the address
     */
    static Endpoint remote(InetSocketAddress agent, Duration patience) throws IOException {
        return remote(agent, patience, Optional.empty(), Introduction.NONE);
    }

    /**
     * {@return a new {@code Endpoint} for a conformance agent's device. The agent may require a secret. Before the first
     * {@link Step}, this process and the conformance agent exchange handshake strings ({@link Introduction})}
     *
     * @param agent the address on which the agent listens
     * @param patience the maximum time in which the conformance agent must reply to a {@link Step}. If the {@code Step}
     *     waits, the limit is {@code patience} plus {@link Step#patience}
     * @param secret the secret that the agent requires, or empty
     * @param introduction the handshake strings that the agent and this process exchange at the start of a connection
     * @throws IOException if no agent of this version listens on the address
     */
    static Endpoint remote(
            InetSocketAddress agent, Duration patience, Optional<SharedSecret> secret, Introduction introduction)
            throws IOException {
        return RemoteEndpoint.connect(agent, patience, secret, introduction);
    }

    /**
     * Executes one operation of a rule, such as a verbs call, a CM call or a wait.
     *
     * @return the result of the operation; a {@link Reply.Refusal} if a call threw an exception
     * @throws ControlChannelException if the conformance agent is unreachable or does not reply in time
     */
    Reply perform(Step step);

    /** Closes all verbs objects, CM objects and buffers of this {@code Endpoint}, in reverse order of creation. */
    @Override
    void close();
}
