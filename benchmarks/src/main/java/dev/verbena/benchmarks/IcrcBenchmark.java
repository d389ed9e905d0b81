// SPDX-License-Identifier: Apache-2.0
package dev.verbena.benchmarks;

import dev.verbena.verbs.Gid;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.RocePacket;
import java.lang.foreign.Arena;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** Measures the time to compute the ICRC of a packet, for several payload lengths. */
public class IcrcBenchmark extends Piece {
    private static final Gid GID = Gid.parse("::ffff:192.0.2.1");
    private static final int SOURCE_PORT = 0xC000;
    private static final int HOP_LIMIT = 64;

    /** The length of the payload in bytes. */
    @Param({"64", "1024", "4096"})
    public int payload;

    private final RocePacket packet = new RocePacket(Arena.ofAuto());

    @Setup
    public void build() {
        packet.begin(GID.high(), GID.low(), GID.high(), GID.low(), SOURCE_PORT, 0, HOP_LIMIT);
        packet.beginTransport(Opcode.RC_RDMA_WRITE_MIDDLE);
        packet.payloadLength(payload).seal();
    }

    /** Computes the packet's ICRC once, and returns whether the result equals the ICRC field of the packet. */
    @Benchmark
    public boolean check() {
        return packet.icrcValid();
    }
}
