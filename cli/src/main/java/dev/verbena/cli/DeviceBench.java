package dev.verbena.cli;

import dev.verbena.conformance.Divergences;
import dev.verbena.conformance.LinkControl;
import dev.verbena.conformance.ProviderRig;
import dev.verbena.conformance.side.Endpoint;
import dev.verbena.conformance.side.Introduction;
import dev.verbena.conformance.side.Side;
import dev.verbena.sim.fault.FaultyFabric;
import dev.verbena.sim.runtime.Registration;
import dev.verbena.verbs.Device;
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
 * An open device that stays open from the first rule to the last: against itself in loop-back, or against that of an agent in
 * another process.
 *
 * @param title what it is
 * @param device the open device
 * @param agent who has the other one; none for loop-back
 * @param introduction what the two processes tell each other first
 * @param link what can command faults, and look at packets
 * @param divergences the rules that it is known not to keep
 * @param waiting how long to wait
 * @param owner what is to be closed at the end
 */
record DeviceBench(
        String title,
        Device device,
        Optional<InetSocketAddress> agent,
        Introduction introduction,
        Optional<FaultyFabric> link,
        Divergences divergences,
        Side.Waiting waiting,
        Opened owner)
        implements Bench {
    /** How long the other process may take for an answer beyond the wait that a step asks for. */
    static final Duration ANSWER = Duration.ofSeconds(20);

    @Override
    public Map<String, String> facts() {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("Device", device.name());
        facts.put("Far side", agent.map(Endpoints::format).orElse("the same device, in loop-back"));
        return facts;
    }

    @Override
    public ProviderRig open() {
        return new Rig();
    }

    @Override
    public void close() throws VerbsException {
        owner.close();
    }

    private final class Rig implements ProviderRig {
        private final List<Registration> orders = new ArrayList<>();

        @Override
        public Endpoint first() {
            return Endpoint.local(device);
        }

        @Override
        public Endpoint second() throws IOException {
            return agent.isPresent() ? Endpoint.remote(agent.get(), ANSWER, introduction) : Endpoint.local(device);
        }

        @Override
        public Optional<LinkControl> link() {
            return link.map(fabric -> rule -> orders.add(fabric.add(rule)));
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
