// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.udp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.sim.fabric.FabricPort;
import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.sim.runtime.ThreadRuntime;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.Aeth;
import dev.verbena.wire.Extension;
import dev.verbena.wire.Opcode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The order of delayed ACKs: they may wait for others, but do not overtake an earlier response. A packet that ends a
 * connection does not overtake them.
 */
@Tag("udp")
class AnswersTest {
    private static final Loopback PLACE = Loopback.ONE_ADDRESS;
    private static final int MANY = 200;
    private static final long PATIENCE_NANOS = 60_000_000_000L;

    private final ThreadRuntime runtime = new ThreadRuntime(1);
    private final UdpFabric fabric = new UdpFabric(runtime);
    private final List<Integer> come = new ArrayList<>();
    private FabricPort port;

    @BeforeEach
    void attach() throws VerbsException {
        fabric.endpoint(PLACE.gid(0), PLACE.anyPort(0));
        fabric.endpoint(PLACE.gid(1), PLACE.anyPort(1));
        port = fabric.attach("sim0", List.of(PLACE.gid(0)), SimPacket::release);
        fabric.attach("sim1", List.of(PLACE.gid(1)), this::receive);
    }

    @AfterEach
    void close() {
        fabric.close();
        runtime.close();
    }

    private void receive(SimPacket packet) {
        synchronized (come) {
            come.add(packet.bth().psn());
        }
        packet.release();
    }

    private List<Integer> arrived(int count) {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (true) {
            synchronized (come) {
                if (come.size() >= count) {
                    return List.copyOf(come);
                }
                assertThat(System.nanoTime()).as("arrived: %s", come).isLessThan(deadline);
            }
            Thread.onSpinWait();
        }
    }

    private SimPacket packet(Opcode opcode, int psn) {
        SimPacket packet = port.newPacket();
        Gid from = PLACE.gid(0);
        Gid to = PLACE.gid(1);
        packet.begin(from.high(), from.low(), to.high(), to.low(), 0xc000, 0, 64);
        packet.beginTransport(opcode).destinationQpn(17).psn(psn);
        if (opcode.has(Extension.AETH)) {
            packet.aeth().initialize(Aeth.SYNDROME_ACK_UNLIMITED, psn);
        }
        packet.payloadLength(0);
        return packet;
    }

    @Test
    void anAcknowledgementIsSentAfterAnEarlierResponse() {
        port.add(packet(Opcode.RC_ATOMIC_ACKNOWLEDGE, 10));
        port.add(packet(Opcode.RC_ACKNOWLEDGE, 11));
        port.add(packet(Opcode.RC_ATOMIC_ACKNOWLEDGE, 12));
        port.flush();

        assertThat(arrived(3)).containsExactly(10, 11, 12);
    }

    @Test
    void anyNumberOfAcknowledgementsIsSentAfterAnEarlierResponse() {
        port.add(packet(Opcode.RC_RDMA_READ_RESPONSE_ONLY, 0));
        for (int psn = 1; psn <= MANY; psn++) {
            port.add(packet(Opcode.RC_ACKNOWLEDGE, psn));
        }
        port.flush();

        assertThat(arrived(MANY + 1))
                .isEqualTo(IntStream.rangeClosed(0, MANY).boxed().toList());
    }

    @Test
    void aPacketSentAtOnceFollowsTheHeldOnes() {
        port.add(packet(Opcode.RC_ACKNOWLEDGE, 1));
        port.send(packet(Opcode.UD_SEND_ONLY, 2));

        assertThat(arrived(2)).containsExactly(1, 2);
    }

    @Test
    void drainSendsHeldPackets() {
        port.add(packet(Opcode.RC_ACKNOWLEDGE, 5));
        port.drain();

        assertThat(arrived(1)).containsExactly(5);
    }

    @Test
    void heldPacketsAreSentBeforeThePortIsClosed() {
        port.add(packet(Opcode.RC_ACKNOWLEDGE, 5));
        port.close();

        assertThat(arrived(1)).containsExactly(5);
    }
}
