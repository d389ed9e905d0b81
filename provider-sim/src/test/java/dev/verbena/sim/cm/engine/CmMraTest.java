// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.sim.cm.engine.CmIndication.Kind;
import dev.verbena.sim.cm.engine.CmNetwork.Node;
import dev.verbena.wire.mad.CmAttribute;
import dev.verbena.wire.mad.Mra;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Users may answer late: a repeated message is answered by an MRA, which makes the peer wait. */
class CmMraTest {
    private static final int PORT = 987;
    private static final Duration SHORT = Duration.ofMillis(100);
    private static final long REQUEST_INTERVAL = 4608;
    private static final long REPLY_INTERVAL = 4096;
    private static final long SERVICE_TIME = 65_536 + 512;

    private final CmNetwork network = new CmNetwork(1);
    private final Node client = network.node("10.0.0.1", 0x1111);
    private final Node server = network.node("10.0.0.2", 0x2222);

    @BeforeEach
    void listen() {
        server.listen(PORT, 10);
    }

    private List<Long> millis(Node node, CmAttribute message) {
        return node.sent.stream()
                .filter(each -> each.message() == message)
                .map(each -> Duration.ofNanos(each.time()).toMillis())
                .toList();
    }

    @Test
    void aRequestThatIsRepeatedWhileTheUserThinksIsAnsweredWithAnMraAndNotRepeatedForItsTime() {
        CmConnection active = client.connect(server, PORT, 1);
        network.run(Duration.ofMillis(REQUEST_INTERVAL + SERVICE_TIME - 1000));
        assertThat(millis(client, CmAttribute.REQ)).containsExactly(0L, REQUEST_INTERVAL);
        assertThat(millis(server, CmAttribute.MRA)).hasSize(1);
        Mra mra = new Mra().wrap(server.sent.getLast().mad(), 0);
        assertThat(mra.get(Mra.MESSAGE_MRAED)).isEqualTo(Mra.REQ);
        assertThat(mra.get(Mra.SERVICE_TIMEOUT)).isEqualTo(24);
        assertThat(mra.get(Mra.REMOTE_COMM_ID)).isEqualTo(active.communication().localId());

        CmConnection passive = server.told.getFirst().connection();
        assertThat(passive.accept(Requests.reply(7), network.now())).isTrue();
        network.run(SHORT);
        assertThat(client.kinds(active)).containsExactly(Kind.REPLIED);
    }

    @Test
    void afterTheMraTimeoutTheRequestIsRetransmittedAndAnotherMraIsIgnored() {
        CmConnection active = client.connect(server, PORT, 1);
        network.run(Duration.ofMillis(REQUEST_INTERVAL + SERVICE_TIME + 14 * REQUEST_INTERVAL + 1000));
        List<Long> times = millis(client, CmAttribute.REQ);
        assertThat(times).hasSize(16);
        assertThat(times.get(2) - times.get(1)).isBetween(SERVICE_TIME, SERVICE_TIME + 10);
        assertThat(times.get(3) - times.get(2)).isEqualTo(REQUEST_INTERVAL);
        assertThat(client.statistics().duplicates().get(CmAttribute.MRA)).isPositive();
        assertThat(client.kinds(active)).containsExactly(Kind.UNREACHABLE);
    }

    @Test
    void aReplyThatIsRepeatedWhileTheUserThinksIsAnsweredWithAnMra() {
        server.user = (connection, indication) -> {
            if (indication.kind() == Kind.REQUESTED) {
                connection.accept(Requests.reply(7), network.now());
            }
        };
        CmConnection active = client.connect(server, PORT, 1);
        network.run(Duration.ofMillis(REPLY_INTERVAL + SERVICE_TIME - 1000));
        assertThat(millis(server, CmAttribute.REP)).hasSize(2);
        Mra mra = new Mra().wrap(client.sent.getLast().mad(), 0);
        assertThat(mra.get(Mra.MESSAGE_MRAED)).isEqualTo(Mra.REP);
        assertThat(active.establish()).isTrue();
        network.run(SHORT);
        CmConnection passive = server.told.getFirst().connection();
        assertThat(passive.state()).isEqualTo(CmState.ESTABLISHED);
    }

    @Test
    void anMraFromAStrangerOrForAnotherMessageDoesNotMakeAnybodyWait() {
        network.lose(mad -> true);
        CmConnection active = client.connect(server, PORT, 1);
        CmMessages strangers = new CmMessages(1, 15);
        int localId = active.communication().localId();
        client.engine.onMad(server.gid, client.gid, strangers.mra(5, 9, localId, Mra.REP), network.now());
        client.engine.onMad(server.gid, client.gid, strangers.mra(5, 9, localId + 1, Mra.REQ), network.now());
        client.engine.onMad(client.gid, client.gid, strangers.mra(5, 9, localId, Mra.REQ), network.now());
        network.run(Duration.ofMillis(REQUEST_INTERVAL));
        assertThat(millis(client, CmAttribute.REQ)).containsExactly(0L, REQUEST_INTERVAL);
        assertThat(client.statistics().unmatched()).isEqualTo(3);
    }
}
