// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.qp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.verbena.sim.fixture.Connection;
import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.sim.fixture.Lab;
import dev.verbena.sim.fixture.ScriptedPeer;
import dev.verbena.sim.profile.SendWindow;
import dev.verbena.verbs.AckTimeout;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.Aeth;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The number of packets in flight of a requester, and the effect of losses on it. Path MTU 256, first PSN 200. */
class WindowTest {
    private static final int MTU = 256;

    private final Lab lab = new Lab();

    @AfterEach
    void stop() {
        lab.close();
    }

    @Test
    void eachLossHalvesItDownToItsNarrowest() {
        Window window = new Window(new SendWindow(100, 20));
        assertThat(window.packets()).isEqualTo(100);
        window.lost();
        assertThat(window.packets()).isEqualTo(50);
        window.lost();
        assertThat(window.packets()).isEqualTo(25);
        window.lost();
        window.lost();
        assertThat(window.packets()).isEqualTo(20);
    }

    @Test
    void eachWindowThatIsAcknowledgedOpensItByAPacketUpToItsWidest() {
        Window window = new Window(new SendWindow(6, 3));
        window.lost();
        window.acknowledged(2);
        assertThat(window.packets()).isEqualTo(3);
        window.acknowledged(1);
        assertThat(window.packets()).isEqualTo(4);
        window.acknowledged(3);
        window.lost();
        // Acknowledgements from before a loss do not count.
        window.acknowledged(2);
        assertThat(window.packets()).isEqualTo(3);
        for (int i = 0; i < 100; i++) {
            window.acknowledged(10);
        }
        assertThat(window.packets()).isEqualTo(6);
    }

    @Test
    void aFixedOneStaysAsItIs() {
        Window window = new Window(SendWindow.FIXED);
        window.lost();
        window.acknowledged(1000);
        assertThat(window.packets()).isEqualTo(128);
    }

    @Test
    void limitsThatContradictEachOtherAreRefused() {
        for (int[] limits : List.of(new int[] {0, 0}, new int[] {5, 6}, new int[] {5, 0}, new int[] {1 << 23, 1})) {
            assertThatIllegalArgumentException().isThrownBy(() -> new SendWindow(limits[0], limits[1]));
        }
    }

    @Test
    void afterALossFewerPacketsAreSentAgainAndTheMiddleOneAsksForAnAcknowledgement() throws VerbsException {
        ScriptedPeer peer = lab.scriptedPeer("192.0.2.9");
        Endpoint endpoint = connected(peer, new SendWindow(16, 4));
        endpoint.send(1, 0, 100 * MTU);
        assertThat(peer.received())
                .hasSize(17)
                .filteredOn(packet -> packet.endsWith("A"))
                .containsExactly("SEND_MIDDLE 209 of 256 bytes A");
        peer.answers(Aeth.NAK_PSN_SEQUENCE, 203);
        assertThat(peer.received())
                .hasSize(9)
                .startsWith("SEND_MIDDLE 203 of 256 bytes")
                .contains("SEND_MIDDLE 208 of 256 bytes A");
        peer.answers(Aeth.NAK_PSN_SEQUENCE, 205);
        assertThat(peer.received())
                .containsExactly(
                        "SEND_MIDDLE 205 of 256 bytes",
                        "SEND_MIDDLE 206 of 256 bytes",
                        "SEND_MIDDLE 207 of 256 bytes",
                        "SEND_MIDDLE 208 of 256 bytes A",
                        "SEND_MIDDLE 209 of 256 bytes");
        peer.acknowledges(208);
        // Four were acknowledged, which is a complete window: the window is five now.
        assertThat(peer.received())
                .containsExactly(
                        "SEND_MIDDLE 210 of 256 bytes",
                        "SEND_MIDDLE 211 of 256 bytes",
                        "SEND_MIDDLE 212 of 256 bytes A",
                        "SEND_MIDDLE 213 of 256 bytes",
                        "SEND_MIDDLE 214 of 256 bytes");
        assertThat(endpoint.qp().explain().toString()).contains("window: 5 of 16 packets");
    }

    @Test
    void theNarrowestOfAllStillAsksForAnAcknowledgement() throws VerbsException {
        ScriptedPeer peer = lab.scriptedPeer("192.0.2.9");
        Endpoint endpoint = connected(peer, new SendWindow(1, 1));
        endpoint.send(1, 0, 4 * MTU);
        assertThat(peer.received()).containsExactly("SEND_FIRST 200 of 256 bytes", "SEND_MIDDLE 201 of 256 bytes A");
        peer.acknowledges(201);
        assertThat(peer.received()).containsExactly("SEND_MIDDLE 202 of 256 bytes", "SEND_LAST 203 of 256 bytes A");
        peer.acknowledges(203);
        assertThat(endpoint.sends()).containsExactly("SEND 1");
    }

    private Endpoint connected(ScriptedPeer peer, SendWindow window) throws VerbsException {
        Endpoint endpoint = lab.node(
                        "sim0",
                        "192.0.2.1",
                        profile -> profile.toBuilder().sendWindow(window).build())
                .endpoint();
        endpoint.connect(peer, Connection.USUAL.timeout(AckTimeout.ofCode(20), 7));
        return endpoint;
    }
}
