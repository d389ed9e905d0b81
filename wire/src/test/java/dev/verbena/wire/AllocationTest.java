// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.sun.management.ThreadMXBean;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/** Building, sealing, parsing and checking a packet leaves the heap alone. */
class AllocationTest {
    private static final int ROUNDS = 60;
    private static final int PACKETS_PER_ROUND = 2_000;

    /** Less than one byte per packet, which the measurement itself and late compilation may allocate. */
    private static final long TOLERATED_BYTES = PACKETS_PER_ROUND / 2;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final RocePacket sent = new RocePacket(Arena.ofAuto());
    private final RocePacket received = new RocePacket(Arena.ofAuto());

    @Test
    void aPacketIsBuiltSealedCopiedParsedAndCheckedWithoutAllocating() {
        assumeThat(threads.isThreadAllocatedMemorySupported()).isTrue();
        long accepted = 0;
        long least = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < PACKETS_PER_ROUND; i++) {
                accepted += roundTrip(i);
            }
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }

        assertThat(accepted).isEqualTo((long) ROUNDS * PACKETS_PER_ROUND);
        assertThat(least).isLessThan(TOLERATED_BYTES);
    }

    private int roundTrip(int i) {
        boolean ipv6 = (i & 1) != 0;
        long hi = ipv6 ? 0xfe80_0000_0000_0000L : 0;
        long lo = ipv6 ? 2 : GidAddress.mapIpv4(0x0a4d_0002);
        sent.begin(hi, lo, hi, lo + 1, 0xc000 + (i & 0xff), 0, 64);
        sent.beginTransport(Opcode.RC_RDMA_WRITE_ONLY)
                .destinationQpn(0x11)
                .psn(Psn.add(0xff_fff0, i))
                .ackRequest(true);
        sent.reth().virtualAddress(i).remoteKey(7).dmaLength(64);
        sent.payloadLength(61 + (i & 3)).seal();
        MemorySegment.copy(sent.segment(), 0, received.segment(), 0, sent.length());
        boolean ok = received.parse(sent.length()) == PacketDefect.OK
                && received.icrcValid()
                && received.reth().virtualAddress() == i;
        sent.copyFrom(received);
        return ok ? 1 : 0;
    }
}
