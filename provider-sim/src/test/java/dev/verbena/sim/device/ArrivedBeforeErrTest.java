// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.sim.fabric.PacketPool;
import dev.verbena.sim.fabric.Route;
import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.sim.fixture.Connection;
import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.sim.fixture.Lab;
import dev.verbena.sim.fixture.ScriptedPeer;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.Aeth;
import dev.verbena.wire.Opcode;
import java.lang.foreign.Arena;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Packets that arrive while their task is scheduled but has not run yet are handled before the queue pair is modified to
 * ERR or RESET, or closed.
 */
class ArrivedBeforeErrTest {
    private enum End {
        ERR,
        RESET,
        CLOSE
    }

    private final Lab lab = new Lab();
    private Endpoint endpoint;
    private ScriptedPeer peer;

    @BeforeEach
    void connect() throws VerbsException {
        endpoint = lab.node("sim0", "192.0.2.1").endpoint();
        peer = lab.scriptedPeer("192.0.2.2");
        endpoint.connect(peer, Connection.USUAL);
    }

    @AfterEach
    void close() {
        lab.close();
    }

    /** Delivers a packet of the peer while a run of both tasks is requested, so that the packet is queued. */
    private void arrives(Opcode opcode, int psn, Consumer<SimPacket> fill) {
        SimQueuePair queuePair = (SimQueuePair) endpoint.qp();
        SimPacket packet = new PacketPool(Arena.ofAuto()).take();
        Gid from = peer.address();
        Gid to = endpoint.node().address();
        packet.begin(
                Route.of(from.high(), from.low(), to.high(), to.low(), 0xc000, 0, 64),
                opcode,
                queuePair.number(),
                psn,
                true);
        fill.accept(packet);
        queuePair.wake();
        queuePair.intake().onPacket(packet);
    }

    private void end(End end) throws VerbsException {
        switch (end) {
            case ERR -> endpoint.fail();
            case RESET ->
                endpoint.qp().modify(QpAttributes.builder().state(QpState.RESET).build());
            case CLOSE -> endpoint.qp().close();
        }
    }

    @Test
    void anAcknowledgementCompletesItsRequest() throws VerbsException {
        endpoint.send(1, 0, 10);
        endpoint.send(2, 0, 10);
        arrives(
                Opcode.RC_ACKNOWLEDGE,
                Connection.USUAL.sendPsn(),
                packet -> packet.acknowledge(Aeth.SYNDROME_ACK_UNLIMITED, 1));
        end(End.ERR);
        lab.settle();
        assertThat(endpoint.sends()).containsExactly("SEND 1", "WR_FLUSH_ERR 2");
    }

    @ParameterizedTest
    @EnumSource(End.class)
    void aReceivedMessageIsAcknowledged(End end) throws VerbsException {
        endpoint.receive(1, 0, 100);
        arrives(Opcode.RC_SEND_ONLY, Connection.USUAL.receivePsn(), packet -> {
            packet.ackRequest(true);
            packet.payloadLength(5);
        });
        end(end);
        assertThat(peer.received()).containsExactly("ACK 100 msn 1");
    }
}
