// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.cli.tools.TwoHosts.Output;
import dev.verbena.fault.FaultPlan;
import dev.verbena.fault.LinkRule;
import dev.verbena.fault.Probability;
import dev.verbena.fault.Verdict;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.Opcode;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MessageExchangeTest {
    private final Output heard = new Output();
    private final Output said = new Output();

    private MessageExchange server(TwoHosts hosts) throws VerbsException {
        return new MessageExchange(
                hosts.serverManager(),
                hosts.runtime,
                true,
                TwoHosts.serverAt(MessageExchange.PORT),
                TwoHosts.PATIENCE,
                heard.writer);
    }

    private MessageExchange client(TwoHosts hosts) throws VerbsException {
        return new MessageExchange(
                hosts.clientManager(),
                hosts.runtime,
                false,
                TwoHosts.serverAt(MessageExchange.PORT),
                TwoHosts.PATIENCE,
                said.writer);
    }

    private void exchange(TwoHosts hosts) throws Exception {
        try (MessageExchange server = server(hosts);
                MessageExchange client = client(hosts)) {
            server.start();
            client.start();
            client.await();
            server.await();
        }
    }

    @Test
    void aMessageGoesEachWayAsWithTheOriginals() throws Exception {
        try (TwoHosts hosts = new TwoHosts(1, FaultPlan.none())) {
            exchange(hosts);
            assertThat(hosts.data()).containsExactly(Opcode.RC_SEND_ONLY, Opcode.RC_SEND_ONLY);
            assertThat(hosts.open()).isZero();
        }
        assertThat(heard.lines()).containsExactly("rdma_server: start", "rdma_server: end 0");
        assertThat(said.lines()).containsExactly("rdma_client: start", "rdma_client: end 0");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void messagesArriveOverABadPath(long seed) throws Exception {
        FaultPlan faults = FaultPlan.builder()
                .drop(Probability.parse("10%"))
                .duplicate(Probability.parse("10%"))
                .reorder(Probability.parse("10%"), Duration.ofNanos(20_000))
                .build();
        try (TwoHosts hosts = new TwoHosts(seed, faults)) {
            exchange(hosts);
        }
    }

    @Test
    void messagesGoThroughSockets() throws Exception {
        try (TwoHosts hosts = TwoHosts.overUdp(1)) {
            exchange(hosts);
        }
    }

    @Test
    void withoutAServerTheConnectionIsRejected() throws Exception {
        try (TwoHosts hosts = new TwoHosts(1, FaultPlan.none());
                MessageExchange client = client(hosts)) {
            hosts.serverManager();
            client.start();
            assertThatThrownBy(client::await)
                    .isInstanceOf(ToolException.class)
                    .hasMessage("rdma_connect: RDMA_CM_EVENT_REJECTED, error 8");
            assertThat(said.lines().getLast()).isEqualTo("rdma_client: end -1");
        }
    }

    @Test
    void aServerWhoseClientGoesBeforeItHasSpokenFails() throws Exception {
        // All data packets of the client are lost, so that no message arrives before it disconnects.
        FaultPlan mute = FaultPlan.builder()
                .rule(LinkRule.always(packet -> packet.opcode() == Opcode.RC_SEND_ONLY.code(), Verdict.DROP))
                .build();
        try (TwoHosts hosts = new TwoHosts(1, mute);
                MessageExchange server = server(hosts);
                MessageExchange client = client(hosts)) {
            server.start();
            client.start();
            hosts.runtime.await(() -> hosts.data().size() > 1, TwoHosts.PATIENCE);
            client.interrupt(Duration.ofSeconds(1));
            assertThatThrownBy(server::await).hasMessage("the peer has disconnected before its message arrived");
            assertThat(heard.lines().getLast()).isEqualTo("rdma_server: end -1");
        }
    }
}
