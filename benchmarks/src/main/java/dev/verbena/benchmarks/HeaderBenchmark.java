// SPDX-License-Identifier: Apache-2.0
package dev.verbena.benchmarks;

import dev.verbena.verbs.Gid;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.PacketDefect;
import dev.verbena.wire.RocePacket;
import java.lang.foreign.Arena;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Setup;

/** Measures writing and reading the headers of an RDMA WRITE of 64 bytes over IPv4. */
public class HeaderBenchmark extends Piece {
    private static final Gid FROM = Gid.parse("::ffff:192.0.2.1");
    private static final Gid TO = Gid.parse("::ffff:192.0.2.2");
    private static final int SOURCE_PORT = 0xC000;
    private static final int HOP_LIMIT = 64;
    private static final int BYTES = 64;
    private static final int PSN_MASK = 0xFF_FFFF;

    private final RocePacket built = new RocePacket(Arena.ofAuto());
    private final RocePacket come = new RocePacket(Arena.ofAuto());
    private int psn;

    @Setup
    public void build() {
        encode();
        built.seal();
        come.copyFrom(built);
    }

    @Benchmark
    public RocePacket encode() {
        psn = (psn + 1) & PSN_MASK;
        built.begin(FROM.high(), FROM.low(), TO.high(), TO.low(), SOURCE_PORT, 0, HOP_LIMIT);
        built.beginTransport(Opcode.RC_RDMA_WRITE_ONLY)
                .destinationQpn(17)
                .psn(psn)
                .ackRequest(true);
        built.reth().virtualAddress(0x1000).remoteKey(1).dmaLength(BYTES);
        return built.payloadLength(BYTES);
    }

    /**
     * Parses the headers, and returns the sum of their fields, so that the JIT compiler keeps all reads. Throws
     * {@link IllegalStateException} if the parser finds a defect.
     */
    @Benchmark
    public long parse() {
        if (come.parse(come.capacity()) != PacketDefect.OK) {
            throw new IllegalStateException(come + " is not what was written");
        }
        return come.bth().psn()
                + come.bth().destinationQpn()
                + come.reth().virtualAddress()
                + come.reth().remoteKey()
                + come.reth().dmaLength();
    }
}
