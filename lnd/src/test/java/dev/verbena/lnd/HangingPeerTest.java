// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.lnd.HeldMessage.WaitsFor;
import dev.verbena.lnd.wire.MessageType;
import dev.verbena.lnet.LnetEvent;
import dev.verbena.lnet.LnetMessageType;
import dev.verbena.lnet.MdOption;
import dev.verbena.lnet.selftest.SelftestPlan;
import dev.verbena.lnet.selftest.SelftestRun;
import dev.verbena.lnet.selftest.SelftestServer;
import dev.verbena.verbs.VerbsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests a node's reports about peers that hang, disappear, or return. */
class HangingPeerTest {

    private static final Duration SOON = Duration.ofMinutes(2);

    private final Lab lab;
    private final LnetNode a;
    private final List<LnetEvent> events = new ArrayList<>();

    HangingPeerTest() throws VerbsException {
        lab = new Lab(5);
        a = lab.start(1);
    }

    @AfterEach
    void close() throws VerbsException {
        lab.close();
    }

    private void put(LnetNode target, int length) {
        a.put(Lab.active(lab.memory(length, 1), 2, events), true, target.id(), Lab.PORTAL, Lab.BITS, 0, 0);
    }

    private void serve(LnetNode node, int length) {
        Lab.serve(node, lab.memory(length, 2), new ArrayList<>(), MdOption.OP_PUT);
    }

    @Test
    void aSilentPeerIsShownByTheMessagesThatItHolds() throws VerbsException {
        LnetNode b = lab.start(2);
        serve(b, 100);
        put(b, 100);
        assertThat(lab.await(() -> events.size() == 2, SOON)).isTrue();
        assertThat(a.held()).isEmpty();
        assertThat(a.peers()).singleElement().satisfies(peer -> {
            assertThat(peer.nid()).isEqualTo(b.nid());
            assertThat(peer.connections()).isEqualTo(1);
            assertThat(peer.incarnation()).isNotZero();
        });

        lab.fabric().silence("sim1");
        for (int i = 0; i < 20; i++) {
            put(b, 100);
        }
        put(b, 100_000);
        lab.pass(Duration.ofSeconds(2));
        List<HeldMessage> held = a.held();
        assertThat(held).hasSize(21).allMatch(message -> message.peer().equals(b.nid()));
        assertThat(held).allMatch(message -> message.lnetType() == LnetMessageType.PUT);
        assertThat(held)
                .filteredOn(message -> message.waitsFor() == WaitsFor.ACKNOWLEDGEMENT)
                .isNotEmpty()
                .allMatch(message -> message.age().compareTo(Duration.ofSeconds(2)) >= 0);
        assertThat(held)
                .filteredOn(message -> message.waitsFor() == WaitsFor.CREDIT)
                .isNotEmpty();
        assertThat(held)
                .filteredOn(message -> message.waitsFor() == WaitsFor.EARLIER_MESSAGES)
                .hasSize(13)
                .anyMatch(message -> message.type() == MessageType.PUT_REQ && message.length() == 100_000);
        assertThat(held.getFirst().toString())
                .contains("PUT of 100 bytes", b.nid().toString(), "waits 2 s for");
        lab.await(() -> a.held().isEmpty(), SOON);
        assertThat(a.held()).isEmpty();
    }

    @Test
    void anUnreachablePeerIsShownByTheMessagesThatWaitForAConnection() throws VerbsException {
        LnetNode b = lab.start(2);
        lab.fabric().silence("sim1");
        put(b, 100);
        lab.pass(Duration.ofSeconds(1));
        assertThat(a.held()).singleElement().satisfies(message -> {
            assertThat(message.waitsFor()).isEqualTo(WaitsFor.CONNECTION);
            assertThat(message.age()).isBetween(Duration.ofMillis(900), Duration.ofMillis(1100));
        });
        assertThat(a.peers()).singleElement().satisfies(peer -> {
            assertThat(peer.connections()).isZero();
            assertThat(peer.connecting()).isEqualTo(1);
            assertThat(peer.waiting()).isEqualTo(1);
        });
        assertThat(lab.await(() -> a.held().isEmpty(), SOON)).isTrue();
    }

    /** The peer, which is not restarted, learns of the new incarnation and continues. */
    @Test
    void aNodeThatIsStartedAgainIsUsedAgain() throws VerbsException {
        for (int life = 0; life < 3; life++) {
            LnetNode b = lab.start(2);
            SelftestServer server = SelftestServer.start(b);
            SelftestRun run = SelftestRun.start(
                    a,
                    SelftestPlan.builder(b.id(), SelftestPlan.Kind.WRITE)
                            .size(65_536)
                            .concurrency(4)
                            .loop(3)
                            .build());
            assertThat(lab.await(run::isOver, SOON)).isTrue();
            assertThat(run.progress().complaints()).as("life %d", life).isEmpty();
            assertThat(run.progress().done()).isEqualTo(12);
            server.close();
            lab.close(b);
        }
        assertThat(a.statistics().established()).isEqualTo(3);
    }
}
