package dev.verbena.benchmarks;

import dev.verbena.verbs.Gid;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.RocePacket;
import java.lang.foreign.Arena;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The ICRC of a packet, by length of its payload. */
@State(Scope.Thread)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class IcrcBenchmark {
    private static final Gid GID = Gid.parse("::ffff:192.0.2.1");
    private static final int SOURCE_PORT = 0xC000;
    private static final int HOP_LIMIT = 64;

    /** Bytes of payload. */
    @Param({"64", "1024", "4096"})
    public int payload;

    private final RocePacket packet = new RocePacket(Arena.ofAuto());

    /** Builds the packet. */
    @Setup
    public void build() {
        packet.begin(GID.high(), GID.low(), GID.high(), GID.low(), SOURCE_PORT, 0, HOP_LIMIT);
        packet.beginTransport(Opcode.RC_RDMA_WRITE_MIDDLE);
        packet.payloadLength(payload).seal();
    }

    /**
     * Computes it once.
     *
     * @return whether it is the one in the packet
     */
    @Benchmark
    public boolean check() {
        return packet.icrcValid();
    }
}
