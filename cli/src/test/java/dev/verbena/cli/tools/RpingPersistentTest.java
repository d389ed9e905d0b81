// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.cli.tools.TwoHosts.Output;
import dev.verbena.cm.ConnectionId;
import dev.verbena.cm.EventChannel;
import dev.verbena.cm.PortSpace;
import dev.verbena.fault.FaultPlan;
import dev.verbena.fault.LinkRule;
import dev.verbena.fault.Verdict;
import dev.verbena.sim.profile.DeviceProfile;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/**
 * A persistent server of rping with clients that fail, stop responding or connect in large numbers; the time limits of an
 * end.
 */
class RpingPersistentTest {
    private static final Duration SHORT = Duration.ofSeconds(5);
    private static final Duration LONG = Duration.ofMinutes(10);

    private final InetSocketAddress address = TwoHosts.serverAt(RpingSettings.PORT);
    private final Output heard = new Output();

    private Rping server(TwoHosts hosts) throws Exception {
        Rping server = new Rping(
                hosts.serverManager(),
                hosts.runtime,
                new RpingSettings(true, address, null, 64, 0, false, false, false, true, SHORT),
                heard.writer);
        server.start();
        return server;
    }

    private Rping client(TwoHosts hosts, int count, Duration patience) throws Exception {
        Rping client = new Rping(
                hosts.clientManager(),
                hosts.runtime,
                new RpingSettings(false, address, null, 64, count, false, true, false, false, patience),
                new Output().writer);
        client.start();
        return client;
    }

    private void pass(TwoHosts hosts, Duration time) throws InterruptedException {
        assertThat(hosts.runtime.await(() -> false, time)).isFalse();
    }

    private void assertServes(TwoHosts hosts) throws Exception {
        try (Rping client = client(hosts, 3, LONG)) {
            client.await();
        }
    }

    @Test
    void clientsForWhomTheDeviceHasNoQueuePairAreRejectedAndTheOthersServed() throws Exception {
        DeviceProfile specification = DeviceProfile.specification();
        DeviceProfile few = specification.toBuilder()
                .attributes(specification.attributes().toBuilder().maxQp(4).build())
                .build();
        try (TwoHosts hosts = new TwoHosts(3, FaultPlan.none(), few);
                Rping server = server(hosts)) {
            List<Rping> clients = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                clients.add(client(hosts, 0, LONG));
                pass(hosts, Duration.ofMillis(50));
            }
            assertThat(server.isOver()).isFalse();
            List<Rping> refused = clients.stream().filter(Rping::isOver).toList();
            assertThat(refused)
                    .isNotEmpty()
                    .hasSizeLessThan(8)
                    .allSatisfy(client -> assertThatThrownBy(client::await)
                            .hasMessageStartingWith("cma event RDMA_CM_EVENT_REJECTED, error 28\n"));
            for (Rping client : clients) {
                client.interrupt(Duration.ofSeconds(1));
                client.close();
            }
            pass(hosts, LONG);
            assertServes(hosts);
        }
    }

    @Test
    void aClientThatFallsSilentBeforeItsLastHandshakeMessageDoesNotEndTheServer() throws Exception {
        AtomicBoolean cut = new AtomicBoolean();
        FaultPlan plan = FaultPlan.builder()
                .rule(LinkRule.always(
                        packet -> cut.get() && packet.source().toString().contains("192.0.2.1"), Verdict.DROP))
                .build();
        try (TwoHosts hosts = new TwoHosts(4, plan);
                Rping server = server(hosts)) {
            Rping silent = client(hosts, 0, LONG);
            hosts.runtime.await(() -> hosts.opcodes.size() == 1, SHORT);
            cut.set(true);
            pass(hosts, LONG);
            assertThat(heard.lines()).first().asString().startsWith("cma event RDMA_CM_EVENT_UNREACHABLE, error -110");
            assertThat(server.isOver()).isFalse();
            cut.set(false);
            silent.close();
            assertServes(hosts);
        }
    }

    @Test
    void aCrowdOfClientsIsServed() throws Exception {
        try (TwoHosts hosts = new TwoHosts(5, FaultPlan.none());
                Rping server = server(hosts)) {
            List<Rping> clients = new ArrayList<>();
            for (int i = 0; i < 128; i++) {
                clients.add(client(hosts, 3, LONG));
            }
            long start = hosts.runtime.nanoTime();
            for (Rping client : clients) {
                client.await();
                client.close();
            }
            assertThat(hosts.runtime.nanoTime() - start)
                    .as("no request had to be repeated")
                    .isLessThan(Duration.ofSeconds(4).toNanos());
            assertThat(server.isOver()).isFalse();
        }
    }

    @Test
    void anEndWhosePingsTakeLongerThanItsPatienceGoesOn() throws Exception {
        Duration patience = Duration.ofMillis(1);
        try (TwoHosts hosts = new TwoHosts(6, FaultPlan.none());
                Rping server = server(hosts);
                Rping client = client(hosts, 1000, patience)) {
            long start = hosts.runtime.nanoTime();
            client.await();
            assertThat(hosts.runtime.nanoTime() - start)
                    .as("time of 1000 pings")
                    .isGreaterThan(patience.multipliedBy(5).toNanos());
            assertThat(server.isOver()).isFalse();
        }
    }

    @Test
    void aServerThatStopsAnsweringEndsAClientAfterItsPatience() throws Exception {
        try (TwoHosts hosts = new TwoHosts(7, FaultPlan.none());
                Rping client = client(hosts, 0, Duration.ofSeconds(3))) {
            EventChannel channel = hosts.serverManager().createEventChannel();
            ConnectionId listener = hosts.serverManager().createId(channel, PortSpace.TCP, null);
            listener.bind(address);
            listener.listen(1);
            assertThatThrownBy(client::await).hasMessage("no event or completion arrived for 3 seconds (--wait)");
        }
    }
}
