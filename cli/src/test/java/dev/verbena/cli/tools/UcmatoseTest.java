// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.cli.tools.TwoHosts.Output;
import dev.verbena.cm.PortSpace;
import dev.verbena.fault.FaultPlan;
import dev.verbena.fault.Probability;
import dev.verbena.wire.Opcode;
import java.time.Duration;
import java.util.Collections;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UcmatoseTest {
    private static UcmatoseSettings settings(
            boolean server, PortSpace portSpace, int connections, int messages, int size, boolean migrate) {
        return new UcmatoseSettings(
                server,
                TwoHosts.serverAt(UcmatoseSettings.PORT),
                null,
                portSpace,
                connections,
                messages,
                size,
                OptionalInt.of(0x60),
                null,
                migrate,
                TwoHosts.PATIENCE);
    }

    @ParameterizedTest
    @CsvSource({"TCP, 1, 4, 100, false", "TCP, 16, 10, 1000, true", "IB, 3, 2, 1, false", "TCP, 2, 0, 0, false"})
    void allMessagesGoBothWaysOnAllConnections(
            PortSpace portSpace, int connections, int messages, int size, boolean migrate) throws Exception {
        Output heard = new Output();
        Output said = new Output();
        try (TwoHosts hosts = new TwoHosts(1, FaultPlan.none())) {
            run(
                    hosts,
                    settings(true, portSpace, connections, messages, size, migrate),
                    heard,
                    settings(false, portSpace, connections, messages, size, migrate),
                    said);
            assertThat(hosts.open()).isZero();
            assertThat(hosts.data()).hasSize(2 * connections * messages).allMatch(Opcode.RC_SEND_ONLY::equals);
            assertThat(Collections.frequency(hosts.opcodes, Opcode.UD_SEND_ONLY))
                    .isEqualTo(5 * connections);
        }
        assertThat(heard.lines())
                .startsWith("cmatose: starting server")
                .endsWith("cmatose: disconnecting", "disconnected", "test complete", "return status 0");
        assertThat(said.lines())
                .startsWith("cmatose: starting client", "cmatose: connecting")
                .endsWith("test complete", "return status 0");
        if (messages > 0) {
            assertThat(heard.lines())
                    .containsSequence(
                            "initiating data transfers",
                            "completing sends",
                            "receiving data transfers",
                            "data transfers complete");
            assertThat(said.lines())
                    .containsSequence("receiving data transfers", "sending replies", "data transfers complete");
        }
    }

    /** Runs both ends, which must return 0. */
    private static void run(
            TwoHosts hosts, UcmatoseSettings serving, Output heard, UcmatoseSettings asking, Output said)
            throws Exception {
        try (Ucmatose server = new Ucmatose(hosts.serverManager(), hosts.runtime, serving, heard.writer);
                Ucmatose client = new Ucmatose(hosts.clientManager(), hosts.runtime, asking, said.writer)) {
            server.start();
            client.start();
            assertThat(client.await()).isZero();
            assertThat(server.await()).isZero();
        }
    }

    /** Ten messages of 3,000 bytes on each of 16 connections. */
    private static void passMessages(TwoHosts hosts, boolean migrate) throws Exception {
        run(
                hosts,
                settings(true, PortSpace.TCP, 16, 10, 3000, migrate),
                new Output(),
                settings(false, PortSpace.TCP, 16, 10, 3000, migrate),
                new Output());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void completesDespiteLoss(long seed) throws Exception {
        FaultPlan faults = FaultPlan.builder().drop(Probability.parse("3%")).build();
        try (TwoHosts hosts = new TwoHosts(seed, faults)) {
            passMessages(hosts, false);
        }
    }

    @Test
    void messagesGoThroughSockets() throws Exception {
        try (TwoHosts hosts = TwoHosts.overUdp(1)) {
            passMessages(hosts, true);
        }
    }

    @Test
    void aRejectionIsTheStatus() throws Exception {
        Output said = new Output();
        try (TwoHosts hosts = new TwoHosts(1, FaultPlan.none());
                Ucmatose client = new Ucmatose(
                        hosts.clientManager(),
                        hosts.runtime,
                        settings(false, PortSpace.TCP, 2, 1, 1, false),
                        said.writer)) {
            client.start();
            assertThat(client.await()).isEqualTo(8);
            assertThat(said.lines()).contains("cmatose: event: RDMA_CM_EVENT_REJECTED, error: 8", "return status 8");
        }
    }

    @Test
    void moreConnectionsThanWereAskedForAreRefused() throws Exception {
        try (TwoHosts hosts = new TwoHosts(1, FaultPlan.none());
                Ucmatose server = new Ucmatose(
                        hosts.serverManager(),
                        hosts.runtime,
                        settings(true, PortSpace.TCP, 1, 1, 1, false),
                        new Output().writer);
                Ucmatose client = new Ucmatose(
                        hosts.clientManager(),
                        hosts.runtime,
                        settings(false, PortSpace.TCP, 2, 1, 1, false),
                        new Output().writer)) {
            server.start();
            client.start();
            assertThat(client.await()).isEqualTo(28);
        }
    }

    @Test
    void aPeerThatGoesInTheMiddleIsAnError() throws Exception {
        try (TwoHosts hosts = new TwoHosts(1, FaultPlan.none());
                Ucmatose server = new Ucmatose(
                        hosts.serverManager(),
                        hosts.runtime,
                        settings(true, PortSpace.TCP, 2, 1000, 100_000, false),
                        new Output().writer);
                Ucmatose client = new Ucmatose(
                        hosts.clientManager(),
                        hosts.runtime,
                        settings(false, PortSpace.TCP, 2, 1000, 100_000, false),
                        new Output().writer)) {
            server.start();
            client.start();
            hosts.runtime.await(() -> hosts.data().size() > 1000, TwoHosts.PATIENCE);
            server.interrupt(Duration.ofSeconds(1));
            assertThatThrownBy(client::await).hasMessageContaining("the peer has disconnected");
        }
    }
}
