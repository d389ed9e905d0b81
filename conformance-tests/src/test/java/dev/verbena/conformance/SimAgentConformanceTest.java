// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance;

import dev.verbena.conformance.side.ConformanceAgent;
import dev.verbena.conformance.side.Endpoint;
import dev.verbena.conformance.side.Side;
import dev.verbena.sim.runtime.SimRuntime;
import dev.verbena.sim.runtime.ThreadRuntime;
import dev.verbena.verbs.VerbsException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The software device with threads, its second side driven by an agent over a control channel. */
@Tag("sweep")
class SimAgentConformanceTest extends VerbsConformance {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static @Nullable SimRuntime runtime;

    @BeforeAll
    static void start() {
        runtime = new ThreadRuntime(1);
    }

    @AfterAll
    static void stop() {
        runtime.close();
    }

    @Override
    public ProviderRig openRig() throws VerbsException, IOException {
        SimRig rig = new SimRig(runtime);
        InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        return new AgentRig(
                rig,
                ConformanceAgent.listen(anyPort, rig.secondDevice(), PATIENCE).withConnections(rig.connections()));
    }

    @Override
    protected int tries() {
        return 3;
    }

    /** Runs the agent in a thread of its own until it is closed. */
    private static final class AgentRig implements ProviderRig {
        private final SimRig rig;
        private final ConformanceAgent agent;
        private final Thread thread;

        AgentRig(SimRig rig, ConformanceAgent agent) {
            this.rig = rig;
            this.agent = agent;
            thread = Thread.ofPlatform().name("conformance agent").start(this::serve);
        }

        private void serve() {
            try {
                agent.run();
            } catch (IOException broken) {
                throw new UncheckedIOException(broken);
            }
        }

        @Override
        public Endpoint first() {
            return rig.first();
        }

        @Override
        public Endpoint second() throws IOException {
            return Endpoint.remote(agent.address(), PATIENCE);
        }

        @Override
        public Optional<LinkControl> link() {
            return rig.link();
        }

        @Override
        public Side.Waiting waiting() {
            return rig.waiting();
        }

        @Override
        public void close() throws VerbsException {
            try {
                agent.close();
                thread.join();
            } catch (IOException | InterruptedException failed) {
                throw new IllegalStateException(failed);
            } finally {
                rig.close();
            }
        }
    }
}
