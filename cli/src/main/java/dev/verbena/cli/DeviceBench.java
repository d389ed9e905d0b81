package dev.verbena.cli;

import dev.verbena.conformance.Divergences;
import dev.verbena.conformance.LinkControl;
import dev.verbena.conformance.ProviderRig;
import dev.verbena.conformance.side.Endpoint;
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
 * An open device against itself in loop-back, or against that of an agent in another process.
 *
 * @param title what it is
 * @param near the device
 * @param agent who has the other one; none for loop-back
 * @param link what can command faults, and look at packets
 * @param divergences the rules that it is known not to keep
 * @param waiting how long to wait
 */
record DeviceBench(
        String title,
        OpenDevice near,
        Optional<InetSocketAddress> agent,
        Optional<FaultyFabric> link,
        Divergences divergences,
        Side.Waiting waiting)
        implements Bench {
    private static final Duration ANSWER = Duration.ofSeconds(20);

    /**
     * How long the other process may be silent beyond the wait that a step asks for. Between two steps for an agent the near side waits
     * for what happens on its own device, so that this is longer than the patience.
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
            return Endpoint.local(near.device(), near.connections());
        }

        @Override
        public Endpoint second() throws IOException {
            return agent.isPresent()
                    ? Endpoint.remote(agent.get(), answer(waiting.patience()), near.introduction())
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

        /** Ends what was commanded; the device stays. */
        @Override
        public void close() {
            orders.forEach(Registration::close);
        }
    }
}
