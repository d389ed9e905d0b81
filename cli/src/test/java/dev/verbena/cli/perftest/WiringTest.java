// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.perftest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.cm.ConnectionManager;
import dev.verbena.sim.SimDeviceSpec;
import dev.verbena.sim.SimProvider;
import dev.verbena.sim.fabric.InProcessFabric;
import dev.verbena.sim.runtime.ThreadRuntime;
import dev.verbena.verbs.AckTimeout;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CqInitAttributes;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.GidSelector;
import dev.verbena.verbs.PathMtu;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.VerbsException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The queue pairs of an end, and how they are connected. */
class WiringTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private ThreadRuntime runtime;
    private SimProvider provider;

    @BeforeEach
    void open() throws VerbsException {
        runtime = new ThreadRuntime(1);
        provider = new SimProvider(
                runtime,
                new InProcessFabric(runtime),
                List.of(SimDeviceSpec.of("sim0", "192.0.2.1"), SimDeviceSpec.of("sim1", "192.0.2.2")));
    }

    @AfterEach
    void close() throws VerbsException {
        provider.close();
        runtime.close();
    }

    private static PerftestSettings settings(int queuePairs, GidSelector gid) {
        return new PerftestSettings(
                PerftestVerb.SEND,
                true,
                QpType.RC,
                List.of(64),
                10,
                Optional.empty(),
                queuePairs,
                8,
                8,
                1,
                1,
                0,
                false,
                PathMtu.MTU_1024,
                gid,
                AckTimeout.ofCode(14),
                false,
                1,
                PATIENCE);
    }

    @Test
    void aQueuePairWhoseConnectorIsRefusedIsClosed() throws VerbsException {
        try (Device device = provider.open("sim0")) {
            PerftestSettings settings = settings(1, GidSelector.ofIndex(99));
            assertThatThrownBy(() -> new PerftestEnd(new ExchangeWiring(device, settings), settings))
                    .isInstanceOf(VerbsException.class)
                    .hasMessageContaining("no GID with index 99");
        }
        assertThat(provider.leaks()).isEmpty();
    }

    /** The connecting end has two queue pairs instead of one, and connects the second one first. */
    @Test
    void aConnectionRequestOfAStrangerIsRejectedAndTheWaitGoesOn() throws Exception {
        ConnectionManager manager = provider.extension(ConnectionManager.class).orElseThrow();
        try (PeerListener listener = new PeerListener(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                ExecutorService thread = Executors.newSingleThreadExecutor();
                Device server = provider.open("sim1");
                PeerLink link = PeerLink.connect(
                        listener.address().getAddress().getHostAddress(),
                        listener.address().getPort(),
                        PATIENCE)) {
            link.say(Perftest.GREETING);
            PeerLink accepted = listener.accept(PATIENCE, PATIENCE);
            Future<CmListener> waiting = thread.submit(
                    () -> new CmListener(manager, server, settings(1, GidSelector.automatic()), accepted));
            CmCaller caller = new CmCaller(manager, settings(2, GidSelector.automatic()), link);
            QpCapabilities one = QpCapabilities.of(1, 1);
            try (ProtectionDomain domain = caller.device().allocatePd();
                    CompletionQueue cq = caller.device().createCq(CqInitAttributes.ofCapacity(16));
                    QueuePair _ = caller.create(domain, QpInitAttributes.rc(cq, one));
                    QueuePair _ = caller.create(domain, QpInitAttributes.rc(cq, one))) {
                for (int i = 1; i >= 0; i--) {
                    caller.ids().get(i).connect(caller.parameters(i));
                }
                CmListener connected = waiting.get();
                assertThat(connected.ids()).hasSize(1);
                assertThatThrownBy(caller::await).hasMessageContaining("RDMA_CM_EVENT_REJECTED");
                connected.close();
            } finally {
                caller.close();
                accepted.close();
            }
        }
    }
}
