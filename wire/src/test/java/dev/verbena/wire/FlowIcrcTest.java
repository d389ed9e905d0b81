// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.util.Random;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** The ICRC of packets of one flow is that of each. */
class FlowIcrcTest {
    private static final long IPV4_HI = 0;
    private static final long IPV4_LO = 0xffff_c000_0200L;
    private static final long IPV6_HI = 0x2001_0db8_0000_0000L;
    private static final int PACKETS = 40;

    private final Icrc icrc = new Icrc();
    private final FlowIcrc flow = new FlowIcrc();
    private final RocePacket packet = new RocePacket(Arena.ofAuto());

    private void begin(Random random, boolean ipv6, int host, int payload) {
        long hi = ipv6 ? IPV6_HI : IPV4_HI;
        long lo = ipv6 ? 0 : IPV4_LO;
        packet.begin(hi, lo | host, hi, lo | (host + 1), 0xc000 + host, random.nextInt(256), 1 + random.nextInt(255));
        packet.beginTransport(Opcode.RC_RDMA_WRITE_ONLY);
        packet.payloadLength(payload);
    }

    private void fill(Random random) {
        for (int i = packet.bthOffset(); i < packet.length(); i++) {
            packet.buffer().put(i, (byte) random.nextInt());
        }
        if (random.nextInt(4) > 0) {
            packet.buffer().put(packet.bthOffset() + Bth.FECN_OFFSET, (byte) 0);
        }
    }

    private int ofFlow(int identification) {
        return flow.compute(identification, packet.buffer(), packet.bthOffset());
    }

    @Property(tries = 300)
    void matchesTheFullIcrcInAnyOrderOfPackets(@ForAll long seed, @ForAll @IntRange(min = 1, max = 3) int kinds) {
        Random random = new Random(seed);
        for (int i = 0; i < PACKETS; i++) {
            boolean ipv6 = random.nextInt(4) == 0;
            if (i == 0 || random.nextInt(4) == 0) {
                begin(
                        random,
                        ipv6,
                        random.nextInt(kinds),
                        Integer.BYTES * random.nextInt(kinds * (random.nextBoolean() ? 8 : 340)));
                flow.headers(packet);
            }
            fill(random);
            int identification = random.nextInt(8) == 0 ? random.nextInt(0x1_0000) : random.nextInt(128);
            if (!packet.ipv6()) {
                packet.ipv4Header().identification(identification);
            }
            int expected = icrc.compute(packet);
            assertThat(ofFlow(identification))
                    .as("packet %s, identification %s", i, identification)
                    .isEqualTo(expected);
        }
    }

    @Example
    void seesADamagedByte() {
        begin(new Random(1), false, 0, 64);
        flow.headers(packet);
        int before = ofFlow(0);
        packet.buffer().put(packet.payloadOffset(), (byte) 1);
        assertThat(ofFlow(0)).isNotEqualTo(before).isEqualTo(icrc.compute(packet));
    }

    @Property
    void theStartOfABthEqualsItsFields(
            @ForAll Opcode opcode,
            @ForAll boolean solicited,
            @ForAll boolean migration,
            @ForAll @IntRange(max = 3) int pad,
            @ForAll @IntRange(max = 0xffff) int partitionKey,
            @ForAll @IntRange(max = 0xff_ffff) int qpn) {
        packet.begin(IPV4_HI, IPV4_LO, IPV4_HI, IPV4_LO, 0xc000, 0, 1);
        packet.beginTransport(opcode)
                .solicitedEvent(solicited)
                .migrationRequest(migration)
                .padCount(pad)
                .partitionKey(partitionKey)
                .destinationQpn(qpn);
        assertThat(Bth.start(opcode, solicited, migration, pad, partitionKey, qpn))
                .isEqualTo(packet.buffer().getLong(packet.bthOffset()));
    }
}
