// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.cm.RejectReason;
import dev.verbena.sim.cm.engine.CmIndication.Kind;
import dev.verbena.sim.cm.engine.CmNetwork.Node;
import dev.verbena.sim.cm.engine.CmNetwork.Sent;
import dev.verbena.sim.cm.engine.CmNetwork.Told;
import dev.verbena.wire.mad.CmAttribute;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Communication ids, and the transaction ids made from them, across their wrap: late messages from before the wrap, and
 * ids that a peer still has from before.
 */
class CmWrapTest {
    private static final int PORT = 7;
    private static final int COUNT = 6;
    private static final Duration SHORT = Duration.ofMillis(20);
    private static final Duration TIMEWAIT = Duration.ofSeconds(1);

    private final CmNetwork network = new CmNetwork(1);

    private Node server(int beforeFirstId) {
        Node server = network.node("10.0.0.2", 0x2222, beforeFirstId);
        server.listen(PORT, 100);
        server.user = (connection, indication) -> {
            if (indication.kind() == Kind.REQUESTED) {
                connection.accept(
                        Requests.reply(connection.communication().request().qpn() + 1000), network.now());
            }
        };
        return server;
    }

    private Node client(int beforeFirstId) {
        Node client = network.node("10.0.0.1", 0x1111, beforeFirstId);
        client.user = (connection, indication) -> {
            if (indication.kind() == Kind.REPLIED) {
                connection.establish();
            }
        };
        return client;
    }

    private List<CmConnection> connect(Node client, Node server) {
        List<CmConnection> connections = new ArrayList<>();
        for (int i = 0; i < COUNT; i++) {
            connections.add(client.connect(server, PORT, 100 + i));
            network.run(SHORT);
        }
        assertThat(connections).extracting(CmConnection::state).containsOnly(CmState.ESTABLISHED);
        assertThat(connections)
                .extracting(each -> Integer.reverseBytes(each.communication().localId()))
                .as("ids on both sides of the wrap, none of them 0")
                .contains(-1, 1)
                .doesNotContain(0)
                .doesNotHaveDuplicates();
        return connections;
    }

    /** Delivers all MADs sent until now again, late. */
    private void repeatAll(Node from, Node to) {
        for (Sent sent : List.copyOf(from.sent)) {
            from.send(from.gid, to.gid, sent.mad());
        }
        network.run(SHORT);
    }

    private static List<Told> toldOf(Node node, List<CmConnection> connections) {
        return node.told.stream()
                .filter(told -> connections.contains(told.connection()))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(ints = {-2, -3, -5})
    void messagesFromBeforeTheWrapChangeNothingAfterIt(int beforeFirstId) {
        Node server = server(beforeFirstId - 1);
        Node client = client(beforeFirstId);
        List<CmConnection> active = connect(client, server);
        List<CmConnection> passive =
                server.told.stream().map(Told::connection).distinct().toList();
        List<Told> clientTold = List.copyOf(client.told);
        List<Told> serverTold = List.copyOf(server.told);

        repeatAll(client, server);
        repeatAll(server, client);

        assertThat(active).extracting(CmConnection::state).containsOnly(CmState.ESTABLISHED);
        assertThat(passive).hasSize(COUNT).extracting(CmConnection::state).containsOnly(CmState.ESTABLISHED);
        assertThat(client.told).isEqualTo(clientTold);
        assertThat(server.told).isEqualTo(serverTold);
        assertThat(server.engine.size()).isEqualTo(COUNT);
    }

    @Test
    void messagesFromBeforeTheWrapMeetTimewaitAndLeaveTheYoungerConnectionsAlone() {
        Node server = server(-4);
        Node client = client(-3);
        List<CmConnection> active = connect(client, server);
        CmConnection old = active.getFirst();
        CmConnection oldPassive = server.told.getFirst().connection();
        List<CmConnection> younger = active.subList(1, COUNT);
        old.disconnect(network.now());
        network.run(SHORT);
        oldPassive.disconnect(network.now());
        network.run(SHORT);
        assertThat(old.state()).isEqualTo(CmState.TIMEWAIT);
        assertThat(oldPassive.state()).isEqualTo(CmState.TIMEWAIT);
        List<Told> before = toldOf(client, younger);

        repeatAll(client, server);
        repeatAll(server, client);

        assertThat(old.state()).isEqualTo(CmState.TIMEWAIT);
        assertThat(oldPassive.state()).isEqualTo(CmState.TIMEWAIT);
        assertThat(younger).extracting(CmConnection::state).containsOnly(CmState.ESTABLISHED);
        assertThat(toldOf(client, younger)).isEqualTo(before);
        network.run(TIMEWAIT);
        assertThat(client.kinds(old)).endsWith(Kind.TIMEWAIT_EXIT);
        assertThat(server.kinds(oldPassive)).endsWith(Kind.TIMEWAIT_EXIT);
        assertThat(server.engine.size()).isEqualTo(COUNT - 1);
    }

    /**
     * After 2^32 connections, or by chance after a restart, an id is used again for which the peer still has a
     * connection.
     */
    @Test
    void anIdThatThePeerStillKnowsFromAnotherConnectionIsStaleAndNotTakenForADuplicate() {
        Node server = server(0);
        CmConnection forgotten = client(41).connect(server, PORT, 100);
        network.run(SHORT);
        CmConnection left = server.told.getFirst().connection();
        assertThat(left.state()).isEqualTo(CmState.ESTABLISHED);

        Node restarted = client(41);
        CmConnection again = restarted.connect(server, PORT, 101);
        assertThat(again.communication().localId())
                .isEqualTo(forgotten.communication().localId());
        network.run(SHORT);
        assertThat(restarted.last().kind()).isEqualTo(Kind.REJECTED);
        assertThat(restarted.last().indication().status()).isEqualTo(RejectReason.STALE_CONNECTION.code());
        assertThat(server.kinds(left)).endsWith(Kind.DISCONNECTED);
        assertThat(server.messages()).contains(CmAttribute.DREQ);

        network.run(TIMEWAIT);
        CmConnection third = restarted.connect(server, PORT, 101);
        network.run(SHORT);
        assertThat(third.state()).isEqualTo(CmState.ESTABLISHED);
    }

    @Test
    void aRequestThatReusesATransactionIdIsAnsweredAgain() {
        Node server = network.node("10.0.0.2", 0x2222, 0);
        server.listenForDatagrams(PORT, 10);
        List<Integer> asked = new ArrayList<>();
        server.onSidrRequest = request -> {
            asked.add(request.parameters().sourcePort());
            request.reply(
                    new SidrReplyParameters(SidrReplyParameters.VALID, 300 + asked.size(), 1, Bytes.ascii("")),
                    network.now());
        };
        network.node("10.0.0.1", 0x1111, 41).requestQueuePair(server, PORT, 5001);
        network.run(SHORT);
        Node restarted = network.node("10.0.0.1", 0x1111, 41);
        restarted.requestQueuePair(server, PORT, 5002);
        network.run(SHORT);
        assertThat(asked).containsExactly(5001, 5002);
        assertThat(restarted.repliedQpns).containsExactly(302);
    }
}
