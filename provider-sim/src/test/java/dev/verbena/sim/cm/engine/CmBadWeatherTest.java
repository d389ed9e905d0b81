// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.sim.cm.engine.CmIndication.Kind;
import dev.verbena.sim.cm.engine.CmNetwork.Node;
import dev.verbena.sim.cm.engine.CmNetwork.Told;
import dev.verbena.sim.cm.engine.CmNetwork.Weather;
import dev.verbena.wire.mad.CmAttribute;
import dev.verbena.wire.mad.CmReply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/**
 * With any loss, duplication and reordering, both sides of a connection reach the same state in bounded time. Delays
 * stay below timewait, which exists for delayed packets.
 */
class CmBadWeatherTest {
    private static final int PORT = 987;
    private static final int TRIES = 16;

    /** Sixteen tries of a REQ, then sixteen of a REP; and likewise for a DREQ. */
    private static final Duration CONNECTING = Duration.ofMillis(TRIES * 4608 + TRIES * 4096);

    private static final Duration DISCONNECTING = Duration.ofMillis(TRIES * 4608 + 1000);
    private static final Duration MARGIN = Duration.ofSeconds(5);

    private static final Set<CmState> OVER = EnumSet.of(CmState.IDLE);

    private record Pair(CmConnection active, CmConnection passive) {}

    @Property(tries = 300)
    void bothSidesAreEstablishedOrNeitherIs(
            @ForAll long seed,
            @ForAll @IntRange(min = 0, max = 60) int loss,
            @ForAll @IntRange(min = 0, max = 50) int duplication,
            @ForAll @IntRange(min = 0, max = 400) int jitter,
            @ForAll @IntRange(min = 1, max = 5) int connections) {
        CmNetwork network = new CmNetwork(seed);
        network.weather(new Weather(loss, duplication, Duration.ofMillis(1), Duration.ofMillis(jitter)));
        Node client = network.node("10.0.0.1", 0x1111);
        Node server = network.node("10.0.0.2", 0x2222);
        server.listen(PORT, 100);
        int[] qpn = {1000};
        server.user = (connection, indication) -> {
            if (indication.kind() == Kind.REQUESTED) {
                network.after(think(network), () -> connection.accept(Requests.reply(qpn[0]++), network.now()));
            }
        };
        client.user = (connection, indication) -> {
            if (indication.kind() == Kind.REPLIED) {
                connection.establish();
            }
        };
        List<CmConnection> active = new ArrayList<>();
        for (int i = 0; i < connections; i++) {
            int number = i;
            network.after(think(network), () -> active.add(client.connect(server, PORT, 10 + number)));
        }
        network.run(CONNECTING.plus(MARGIN));

        assertThat(active).hasSize(connections);
        List<Pair> pairs = new ArrayList<>();
        for (CmConnection each : active) {
            List<CmConnection> requested = server.told.stream()
                    .filter(told -> told.kind() == Kind.REQUESTED)
                    .map(Told::connection)
                    .filter(passive -> passive.communication().remoteId()
                            == each.communication().localId())
                    .toList();
            assertThat(requested).as("requests seen of one connection").hasSizeLessThanOrEqualTo(1);
            CmConnection passive = requested.isEmpty() ? null : requested.getFirst();
            if (each.state() == CmState.ESTABLISHED) {
                assertThat(passive).isNotNull();
                assertPassiveIsEstablishedOrGotNoEvent(server, passive);
                pairs.add(new Pair(each, passive));
            } else {
                assertThat(each.state()).isIn(OVER);
                assertThat(client.kinds(each)).containsExactly(Kind.UNREACHABLE);
                if (passive != null) {
                    assertThat(passive.state()).isIn(OVER);
                    assertThat(server.kinds(passive)).doesNotContain(Kind.ESTABLISHED);
                }
            }
        }
        everyConnectionEnds(network, client, server, pairs);
    }

    /**
     * Checks the only difference that no protocol can prevent: all sixteen RTUs, or the REPs that request them, were
     * lost.
     */
    private static void assertPassiveIsEstablishedOrGotNoEvent(Node server, CmConnection passive) {
        if (passive.state() != CmState.ESTABLISHED) {
            assertThat(server.kinds(passive)).containsExactly(Kind.REQUESTED, Kind.UNREACHABLE);
            assertThat(server.sent)
                    .filteredOn(sent -> sent.message() == CmAttribute.REP)
                    .filteredOn(sent -> new CmReply().wrap(sent.mad(), 0).get(CmReply.LOCAL_COMM_ID)
                            == passive.communication().localId())
                    .hasSizeGreaterThanOrEqualTo(TRIES);
        }
    }

    private static void everyConnectionEnds(CmNetwork network, Node client, Node server, List<Pair> pairs) {
        client.user = destroyWhenDisconnected(network);
        server.user = client.user;
        for (Pair pair : pairs) {
            network.after(think(network), () -> pair.active().disconnect(network.now()));
            if (network.random().nextBoolean()) {
                network.after(think(network), () -> pair.passive().disconnect(network.now()));
            }
        }
        network.run(DISCONNECTING.plus(MARGIN));
        for (Pair pair : pairs) {
            assertThat(client.kinds(pair.active())).contains(Kind.DISCONNECTED);
            assertThat(pair.active().state()).isIn(OVER);
            // The passive side may never have received the DREQ; its user then ends the connection.
            pair.passive().destroy(network.now());
        }
        network.run(MARGIN);
        for (Pair pair : pairs) {
            assertThat(pair.passive().state()).isIn(OVER);
        }
        assertThat(client.engine.size()).isZero();
        assertThat(server.engine.size()).isZero();
    }

    private static CmNetwork.User destroyWhenDisconnected(CmNetwork network) {
        return (connection, indication) -> {
            if (indication.kind() == Kind.DISCONNECTED) {
                connection.destroy(network.now());
            }
        };
    }

    @Property(tries = 300)
    void aRejectedSideGetsTheRejectionOrFindsThePeerUnreachable(
            @ForAll long seed,
            @ForAll @IntRange(min = 0, max = 60) int loss,
            @ForAll @IntRange(min = 0, max = 50) int duplication,
            @ForAll @IntRange(min = 0, max = 400) int jitter) {
        CmNetwork network = new CmNetwork(seed);
        network.weather(new Weather(loss, duplication, Duration.ofMillis(1), Duration.ofMillis(jitter)));
        Node client = network.node("10.0.0.1", 0x1111);
        Node server = network.node("10.0.0.2", 0x2222);
        server.listen(PORT, 100);
        server.user = (connection, indication) -> {
            if (indication.kind() == Kind.REQUESTED) {
                network.after(think(network), () -> connection.reject(Bytes.ascii("no")));
            }
        };
        CmConnection connection = client.connect(server, PORT, 10);
        network.run(CONNECTING.plus(MARGIN));

        assertThat(client.kinds(connection)).hasSize(1).containsAnyOf(Kind.REJECTED, Kind.UNREACHABLE);
        assertThat(connection.state()).isIn(OVER);
        assertThat(server.kinds(connection)).doesNotContain(Kind.ESTABLISHED);
        assertThat(client.engine.size()).isZero();
        assertThat(server.engine.size()).isZero();
    }

    @Property(tries = 200)
    void destroyingEitherSideAtAnyTimeLeavesNoState(
            @ForAll long seed,
            @ForAll @IntRange(min = 0, max = 60) int loss,
            @ForAll @IntRange(min = 0, max = 12_000) int clientGoesAfter,
            @ForAll @IntRange(min = 0, max = 12_000) int serverGoesAfter) {
        CmNetwork network = new CmNetwork(seed);
        network.weather(new Weather(loss, 20, Duration.ofMillis(1), Duration.ofMillis(300)));
        Node client = network.node("10.0.0.1", 0x1111);
        Node server = network.node("10.0.0.2", 0x2222);
        server.listen(PORT, 100);
        Duration serverGoes = Duration.ofMillis(serverGoesAfter);
        server.user = (connection, indication) -> {
            if (indication.kind() == Kind.REQUESTED) {
                network.after(think(network), () -> connection.accept(Requests.reply(200), network.now()));
                network.after(serverGoes, () -> connection.destroy(network.now()));
            }
        };
        client.user = (connection, indication) -> {
            if (indication.kind() == Kind.REPLIED) {
                connection.establish();
            }
        };
        CmConnection active = client.connect(server, PORT, 10);
        network.after(Duration.ofMillis(clientGoesAfter), () -> active.destroy(network.now()));
        network.run(CONNECTING.plus(DISCONNECTING).plus(MARGIN));

        assertThat(active.state()).isIn(OVER);
        assertThat(client.engine.size()).isZero();
        assertThat(server.engine.size()).isZero();
    }

    /** Returns the time in which a user decides. */
    private static Duration think(CmNetwork network) {
        return Duration.ofMillis(network.random().nextLong(2000));
    }
}
