// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.conformance;

import dev.verbena.cli.output.Endpoints;
import dev.verbena.conformance.Divergences;
import dev.verbena.conformance.LinkControl;
import dev.verbena.conformance.ProviderRig;
import dev.verbena.conformance.side.Endpoint;
import dev.verbena.conformance.side.SharedSecret;
import dev.verbena.conformance.side.Side;
import dev.verbena.sim.fault.FaultyFabric;
import dev.verbena.sim.runtime.Registration;
import dev.verbena.verbs.VerbsException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An open device that is tested against itself in loopback, or against the device of an agent in another process.
 *
 * @param title the title in reports
 * @param agent the address of the agent with the other device, or empty for loopback
 * @param secret the secret that the agent requires, or empty
 * @param link injects faults and observes packets
 * @param divergences the known divergences of the device from the rules
 * @param waiting the deadlines
 */
record DeviceBench(
        String title,
        OpenDevice near,
        Optional<InetSocketAddress> agent,
        Optional<SharedSecret> secret,
        Optional<FaultyFabric> link,
        Divergences divergences,
        Side.Waiting waiting)
        implements Bench {
    private static final Duration ANSWER = Duration.ofSeconds(20);

    /**
     * Returns how long the process that executes the rules and the agent wait for each other. Between two operations of the
     * agent, the process that executes the rules may wait up to {@code patience} for an event of its own device. The
     * returned time is longer than {@code patience}, so the agent still waits when the wait for the event times out.
     */
    static Duration answer(Duration patience) {
        return ANSWER.plus(patience);
    }

    @Override
    public Map<String, String> facts() {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("Device", near.device().name());
        facts.put("Far side", agent.map(Endpoints::format).orElse("the same device, in loop-back"));
        return facts;
    }

    @Override
    public ProviderRig open() {
        return new Rig();
    }

    @Override
    public void close() throws VerbsException {
        near.owner().close();
    }

    private final class Rig implements ProviderRig {
        private final List<Registration> orders = new ArrayList<>();

        @Override
        public Endpoint first() {
            return Endpoint.local(near.device(), near.port(), near.connections());
        }

        @Override
        public Endpoint second() throws IOException {
            return agent.isPresent()
                    ? Endpoint.remote(agent.get(), answer(waiting.patience()), secret, near.introduction())
                    : first();
        }

        @Override
        public Optional<LinkControl> link() {
            return link.map(fabric -> rule -> orders.add(fabric.add(rule)));
        }

        @Override
        public boolean canLose() {
            return true;
        }

        @Override
        public Side.Waiting waiting() {
            return waiting;
        }

        /** Ends the injected faults, but keeps the device open. */
        @Override
        public void close() {
            orders.forEach(Registration::close);
        }
    }
}
