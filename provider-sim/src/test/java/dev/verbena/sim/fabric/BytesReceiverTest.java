// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.sim.runtime.ThreadRuntime;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.Opcode;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A receiver that reads bytes gets packets with their own payload, even if the sender used a zero-copy payload. */
class BytesReceiverTest {
    private static final Gid FROM = Gid.parse("::ffff:192.0.2.1");
    private static final Gid TO = Gid.parse("::ffff:192.0.2.2");
    private static final int LENGTH = 256;
    private static final int PSN = 7;

    private final ThreadRuntime runtime = new ThreadRuntime(1);
    private final InProcessFabric fabric = new InProcessFabric(runtime);
    private final List<SimPacket> come = new ArrayList<>();
    private final MemorySegment memory = MemorySegment.ofArray(new byte[3 * LENGTH]);
    private int closed;

    @AfterEach
    void close() {
        runtime.close();
    }

    private void send(int packets) throws VerbsException {
        FabricPort port = fabric.attach("near", List.of(FROM), SimPacket::release);
        fabric.attach("far", List.of(TO), come::add);
        for (int i = 0; i < memory.byteSize(); i++) {
            memory.set(ValueLayout.JAVA_BYTE, i, (byte) (i / LENGTH + 1));
        }
        SimPacket packet = port.newPacket();
        Route route = Route.of(FROM.high(), FROM.low(), TO.high(), TO.low(), 0xC000, 0, 64);
        packet.begin(route, Opcode.RC_RDMA_WRITE_MIDDLE, 17, PSN, false);
        packet.ackRequest(true);
        packet.carries(LENGTH);
        packet.refer(new SimPacket.Payload() {
            @Override
            public MemorySegment segment() {
                return memory;
            }

            @Override
            public long offset() {
                return 0;
            }

            @Override
            public void close() {
                closed++;
            }
        });
        packet.count(packets);
        port.send(packet);
        // The sender may now change its memory.
        memory.fill((byte) 0);
    }

    private void check(int packets) {
        assertThat(closed).as("the zero-copy payload was closed").isOne();
        assertThat(come).hasSize(packets);
        for (int i = 0; i < packets; i++) {
            SimPacket packet = come.get(i);
            assertThat(packet.count()).isOne();
            assertThat(packet.bth().psn()).isEqualTo(PSN + i);
            assertThat(packet.bth().ackRequest()).isEqualTo(i == packets - 1);
            assertThat(packet.segment().asSlice(packet.payloadOffset(), LENGTH).toArray(ValueLayout.JAVA_BYTE))
                    .containsOnly(i + 1);
            packet.release();
        }
        assertThat(fabric.packetsInUse()).isZero();
    }

    @Test
    void aPacketHasItsPayload() throws VerbsException {
        send(1);
        check(1);
    }

    @Test
    void aSegmentBatchArrivesAsItsPackets() throws VerbsException {
        send(3);
        check(3);
    }
}
