// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.cli.tools.TwoHosts.Output;
import dev.verbena.fault.FaultPlan;
import dev.verbena.fault.Probability;
import dev.verbena.wire.Opcode;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RpingTest {
    private static final String FIRST_PING = "rdma-ping-0: ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqr";

    private static RpingSettings settings(boolean server, InetSocketAddress address, int size, int count) {
        return new RpingSettings(server, address, null, size, count, true, true, false, false, TwoHosts.PATIENCE);
    }

    private static RpingSettings server() {
        return settings(true, TwoHosts.serverAt(RpingSettings.PORT), RpingSettings.USUAL_SIZE, 0);
    }

    private static RpingSettings client(int size, int count) {
        return settings(false, TwoHosts.serverAt(RpingSettings.PORT), size, count);
    }

    private static RpingSettings persistent() {
        return new RpingSettings(
                true,
                TwoHosts.serverAt(RpingSettings.PORT),
                null,
                RpingSettings.USUAL_SIZE,
                0,
                false,
                false,
                false,
                true,
                TwoHosts.PATIENCE);
    }

    @ParameterizedTest
    @ValueSource(ints = {23, 64, 1024, 1025, 4096, 65_535})
    void pingsOfAnySizeComeBackAsTheyWent(int size) throws Exception {
        Output heard = new Output();
        Output said = new Output();
        try (TwoHosts hosts = new TwoHosts(1, FaultPlan.none())) {
            try (Rping server = new Rping(hosts.serverManager(), hosts.runtime, server(), heard.writer);
                    Rping client = new Rping(hosts.clientManager(), hosts.runtime, client(size, 3), said.writer)) {
                server.start();
                client.start();
                client.await();
                server.await();
            }
            assertThat(hosts.open()).isZero();
        }
        List<String> pings = said.lines().subList(0, 3);
        assertThat(pings).allSatisfy(line -> assertThat(line).startsWith("ping data: rdma-ping-"));
        assertThat(pings.getFirst()).hasSize("ping data: ".length() + size - 1);
        assertThat(said.lines().getLast()).isEqualTo("client DISCONNECT EVENT...");
        assertThat(heard.lines())
                .containsExactly(
                        "server " + pings.get(0),
                        "server " + pings.get(1),
                        "server " + pings.get(2),
                        "server DISCONNECT EVENT...");
        if (size == RpingSettings.USUAL_SIZE) {
            assertThat(pings.getFirst()).isEqualTo("ping data: " + FIRST_PING);
        }
    }

    @Test
    void thePacketsOfAPingAreThoseOfTheOriginal() throws Exception {
        try (TwoHosts hosts = new TwoHosts(1, FaultPlan.none())) {
            run(hosts, client(64, 2));
            List<Opcode> ping = List.of(
                    Opcode.RC_SEND_ONLY,
                    Opcode.RC_RDMA_READ_REQUEST,
                    Opcode.RC_RDMA_READ_RESPONSE_ONLY,
                    Opcode.RC_SEND_ONLY,
                    Opcode.RC_SEND_ONLY,
                    Opcode.RC_RDMA_WRITE_ONLY,
                    Opcode.RC_SEND_ONLY);
            List<Opcode> twice = new ArrayList<>(ping);
            twice.addAll(ping);
            assertThat(hosts.data()).isEqualTo(twice);
            assertThat(Collections.frequency(hosts.opcodes, Opcode.UD_SEND_ONLY))
                    .as("REQ, REP, RTU, DREQ, DREP")
                    .isEqualTo(5);
        }
    }

    private static void run(TwoHosts hosts, RpingSettings settings) throws Exception {
        try (Rping server = new Rping(hosts.serverManager(), hosts.runtime, server(), new Output().writer);
                Rping client = new Rping(hosts.clientManager(), hosts.runtime, settings, new Output().writer)) {
            server.start();
            client.start();
            client.await();
            server.await();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void completesDespiteLossDuplicatesAndReordering(long seed) throws Exception {
        FaultPlan faults = FaultPlan.builder()
                .drop(Probability.parse("3%"))
                .duplicate(Probability.parse("3%"))
                .reorder(Probability.parse("3%"), Duration.ofNanos(20_000))
                .build();
        try (TwoHosts hosts = new TwoHosts(seed, faults)) {
            run(hosts, client(9000, 20));
        }
    }

    @Test
    void pingsGoThroughSockets() throws Exception {
        try (TwoHosts hosts = TwoHosts.overUdp(1)) {
            run(hosts, client(65_535, 10));
        }
    }

    @Test
    void theCharactersTurnRoundFromPingToPing() {
        byte[] bytes = new byte[100];
        RpingClient.fill(MemorySegment.ofArray(bytes), 12, 'y');
        assertThat(RpingEnd.text(MemorySegment.ofArray(bytes), bytes.length))
                .startsWith("rdma-ping-12: yzABCDE")
                .hasSize(99);
    }

    @Test
    void withoutAServerTheConnectionIsRejected() throws Exception {
        try (TwoHosts hosts = new TwoHosts(1, FaultPlan.none());
                Rping client = new Rping(hosts.clientManager(), hosts.runtime, client(64, 1), new Output().writer)) {
            hosts.serverManager();
            client.start();
            assertThatThrownBy(client::await)
                    .isInstanceOf(ToolException.class)
                    .hasMessage("cma event RDMA_CM_EVENT_REJECTED, error 8\nwait for CONNECTED state 4");
        }
    }

    @Test
    void aHostThatIsNotThereIsGivenUpAfterTwoSeconds() throws Exception {
        InetSocketAddress nobody = new InetSocketAddress("192.0.2.77", RpingSettings.PORT);
        try (TwoHosts hosts = new TwoHosts(1, FaultPlan.none());
                Rping client = new Rping(
                        hosts.clientManager(), hosts.runtime, settings(false, nobody, 64, 1), new Output().writer)) {
            long start = hosts.runtime.nanoTime();
            client.start();
            assertThatThrownBy(client::await)
                    .hasMessageStartingWith("cma event RDMA_CM_EVENT_ADDR_ERROR, error -110\n");
            assertThat(hosts.runtime.nanoTime() - start)
                    .isEqualTo(Duration.ofSeconds(2).toNanos());
        }
    }

    @Test
    void aPersistentServerTakesOneClientAfterTheOtherAndSeveralAtATime() throws Exception {
        Output heard = new Output();
        try (TwoHosts hosts = new TwoHosts(1, FaultPlan.none());
                Rping server = new Rping(hosts.serverManager(), hosts.runtime, persistent(), heard.writer)) {
            server.start();
            for (int round = 0; round < 2; round++) {
                try (Rping one = new Rping(hosts.clientManager(), hosts.runtime, client(64, 5), new Output().writer);
                        Rping two =
                                new Rping(hosts.clientManager(), hosts.runtime, client(1000, 7), new Output().writer)) {
                    one.start();
                    two.start();
                    one.await();
                    two.await();
                }
            }
            hosts.settle();
            assertThat(server.isOver()).isFalse();
            assertThat(heard.lines()).hasSize(4).containsOnly("server DISCONNECT EVENT...");
            server.interrupt(Duration.ofSeconds(1));
            assertThat(server.isOver()).isTrue();
        }
    }

    @Test
    void anInterruptedClientDisconnects() throws Exception {
        Output heard = new Output();
        try (TwoHosts hosts = new TwoHosts(1, FaultPlan.none());
                Rping server = new Rping(hosts.serverManager(), hosts.runtime, server(), heard.writer);
                Rping client = new Rping(hosts.clientManager(), hosts.runtime, client(64, 0), new Output().writer)) {
            server.start();
            client.start();
            hosts.runtime.await(() -> hosts.data().size() > 20, TwoHosts.PATIENCE);
            client.interrupt(Duration.ofSeconds(1));
            server.await();
            assertThat(heard.lines().getLast()).isEqualTo("server DISCONNECT EVENT...");
        }
    }

    @Test
    void aClientWhoseServerGoesInTheMiddleFails() throws Exception {
        try (TwoHosts hosts = new TwoHosts(1, FaultPlan.none());
                Rping server = new Rping(hosts.serverManager(), hosts.runtime, server(), new Output().writer);
                Rping client =
                        new Rping(hosts.clientManager(), hosts.runtime, client(64, 1_000_000), new Output().writer)) {
            server.start();
            client.start();
            hosts.runtime.await(() -> hosts.data().size() > 20, TwoHosts.PATIENCE);
            server.interrupt(Duration.ofSeconds(1));
            assertThatThrownBy(client::await).isInstanceOf(ToolException.class);
        }
    }
}
