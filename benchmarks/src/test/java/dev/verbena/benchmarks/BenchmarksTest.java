// SPDX-License-Identifier: Apache-2.0
package dev.verbena.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.benchmarks.Figures.Figure;
import dev.verbena.verbs.VerbsException;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Each benchmark does what it says, and the conclusions are drawn from the right figures. */
class BenchmarksTest {
    @Test
    void aSendIsPostedAndPolledAgainAndAgain() throws VerbsException {
        PostPollBenchmark benchmark = new PostPollBenchmark();
        benchmark.connect();
        try {
            for (int i = 0; i < 100; i++) {
                assertThat(benchmark.postAndPoll()).isOne();
            }
        } finally {
            benchmark.close();
        }
    }

    @Test
    void aMebibyteIsWritten() throws VerbsException {
        WriteBenchmark benchmark = new WriteBenchmark();
        benchmark.connect();
        try {
            assertThat(benchmark.write()).isOne();
            assertThat(benchmark.write()).isOne();
        } finally {
            benchmark.close();
        }
    }

    @Test
    void asMuchIsCopiedAsIsWritten() {
        CopyBenchmark benchmark = new CopyBenchmark();
        benchmark.allocate();
        try {
            assertThat(benchmark.copy().byteSize()).isEqualTo(WriteBenchmark.BYTES);
        } finally {
            benchmark.free();
        }
    }

    @Test
    void thePiecesOfTheDataPathDoTheirPart() throws VerbsException {
        RingBenchmark ring = new RingBenchmark();
        assertThat(ring.throughTheRing()).isNotEqualTo(ring.throughTheRing());

        HeaderBenchmark header = new HeaderBenchmark();
        header.build();
        long first = header.parse();
        header.build();
        assertThat(header.parse()).as("the next PSN").isEqualTo(first + 1);

        IcrcBenchmark icrc = new IcrcBenchmark();
        icrc.payload = 1024;
        icrc.build();
        assertThat(icrc.check()).isTrue();

        PacketBenchmark packets = new PacketBenchmark();
        packets.attach();
        try {
            assertThat(packets.carry()).isOne();
            assertThat(packets.carry()).isEqualTo(2);
        } finally {
            packets.close();
        }
    }

    @Test
    void eachHalfOfAWriteIsDoneAgainAndAgain() throws VerbsException {
        StepBenchmark steps = new StepBenchmark();
        steps.connect();
        try {
            for (int i = 1; i <= 100; i++) {
                assertThat(steps.request()).isOne();
                assertThat(steps.respond()).as("packets of both halves").isEqualTo(2 * i);
            }
        } finally {
            steps.close();
        }
    }

    @Test
    void theRatioIsThatOfTheRates() {
        Figures figures = new Figures(Map.of(
                "PostPollBenchmark", new Figure(812.4, 0.0012),
                "WriteBenchmark", new Figure(50, 0.1),
                "CopyBenchmark", new Figure(25, 0)));
        assertThat(figures.conclusions())
                .containsExactly(
                        "post and poll of 64 bytes: 812 ns, 0.0012 bytes allocated",
                        "RDMA WRITE of 1 MiB: 21.0 GB/s, plain copy: 41.9 GB/s, WRITE/copy: 0.50");
    }

    @Test
    void nothingIsConcludedFromABenchmarkThatWasNotRun() {
        assertThat(new Figures(Map.of("WriteBenchmark", new Figure(50, 0))).conclusions())
                .isEmpty();
    }

    @Test
    void eachFigureInProcessIsALineAndOneOfItsAllocation() throws VerbsException {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        try (PrintStream out = new PrintStream(text, true, StandardCharsets.UTF_8)) {
            InProcessSpeed.run(out, "--best", "--millis", "1", "copy", "write", "send", "qps_100");
        }
        assertThat(text.toString(StandardCharsets.UTF_8).lines())
                .allMatch(line -> line.matches("[a-z0-9_]+ [0-9]+\\.[0-9]+ (GB/s|ns|M/s|B)"))
                .map(line -> line.substring(0, line.indexOf(' ')))
                .filteredOn(name -> !name.endsWith("_allocated"))
                .containsExactly(
                        "copy_1m",
                        "write_1m_inline",
                        "write_1m_two_threads",
                        "write_1m_icrc",
                        "write_64_lat",
                        "write_64_batch32",
                        "send_pingpong_half_rtt",
                        "qps_100");
    }
}
