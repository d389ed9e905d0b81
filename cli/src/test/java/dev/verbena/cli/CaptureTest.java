// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CaptureTest {
    private static final int INTERFACE_DESCRIPTION = 1;
    private static final int ENHANCED_PACKET = 6;
    private static final int RAW_IP = 101;
    private static final int UDP = 17;
    private static final int ROCE_PORT = 4791;

    @TempDir
    private Path directory;

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"--loss 0", "--loss 5% --corrupt 5%"})
    void holdsEveryPacketAsItWasSent(String faults) throws IOException {
        Path file = directory.resolve("x.pcapng");
        Cli run = Cli.run(("demo --size 300000 --seed 5 --capture " + file + " " + faults).split(" "))
                .succeeded();
        List<ByteBuffer> packets = packets(file);
        assertThat(packets).hasSize(Math.toIntExact(run.sum("packets")));
        assertThat(run.sum("sent_pkts")).isEqualTo(packets.size());
        assertThat(packets).allSatisfy(packet -> {
            assertThat(packet.get(0)).isEqualTo((byte) 0x45);
            assertThat(packet.getShort(2)).isEqualTo((short) packet.remaining());
            assertThat(packet.get(9)).isEqualTo((byte) UDP);
            assertThat(packet.getShort(22)).isEqualTo((short) ROCE_PORT);
        });
    }

    @Test
    void looksBeforeTheFaultsBehindThemOrAtBothPlaces() throws IOException {
        List<Integer> counts = new ArrayList<>();
        for (String place : List.of("sent", "survived", "both")) {
            Path file = directory.resolve(place);
            Cli run = Cli.run(("demo --size 300000 --seed 5 --loss 5% --capture-tap " + place + " --capture " + file)
                            .split(" "))
                    .succeeded();
            counts.add(packets(file).size());
            assertThat(Math.toIntExact(run.sum("sent_pkts"))).isEqualTo(counts.getFirst());
        }
        assertThat(counts.get(1)).isLessThan(counts.get(0)).isGreaterThan(counts.get(0) / 2);
        assertThat(counts.get(2)).isEqualTo(counts.get(0) + counts.get(1));
    }

    @Test
    void aSeedRepeatsTheFileToTheLastByte() throws IOException {
        Path first = directory.resolve("first.pcapng");
        Path second = directory.resolve("second.pcapng");
        Files.writeString(second, "an earlier file");
        for (Path file : List.of(first, second)) {
            Cli.run(("demo --size 100000 --seed 5 --loss 5% --capture " + file).split(" "))
                    .succeeded();
        }
        assertThat(second).hasSameBinaryContentAs(first);
    }

    @Test
    void aDiskThatIsFullMeanwhileIsReportedWithTheNameOfTheFile() {
        Path full = Path.of("/dev/full");
        assumeTrue(Files.exists(full), "this system has no device that is always full");
        Cli.run("demo", "--size", "1M", "--seed", "5", "--capture", full.toString())
                .failed(1, "capture '/dev/full' is not complete: ");
    }

    @Test
    void streamsThroughAPipe() throws IOException, InterruptedException {
        assumeInstalled("mkfifo");
        Path pipe = directory.resolve("pipe");
        Path copy = directory.resolve("copy");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        Process reader = new ProcessBuilder("cat", pipe.toString())
                .redirectOutput(copy.toFile())
                .start();
        try {
            // Opening a pipe without a reader blocks without end.
            Cli run = assertTimeoutPreemptively(
                    Duration.ofMinutes(1),
                    () -> Cli.run("demo", "--size", "1M", "--seed", "5", "--capture", pipe.toString()));
            assertThat(reader.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(packets(copy)).hasSize(Math.toIntExact(run.succeeded().sum("packets")));
        } finally {
            reader.destroyForcibly();
        }
    }

    @Test
    void wiresharkTakesEveryPacketForRoce() throws IOException, InterruptedException {
        assumeInstalled("tshark");
        Path file = directory.resolve("x.pcapng");
        Cli.run("demo", "--size", "3M", "--capture", file.toString()).succeeded();
        assertThat(tshark(file, "infiniband")).hasSameSizeAs(packets(file));
        assertThat(tshark(file, "not infiniband or _ws.malformed")).isEmpty();
    }

    private static void assumeInstalled(String program) {
        assumeTrue(
                Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                        .anyMatch(place -> Files.isExecutable(Path.of(place, program))),
                program + " is not installed");
    }

    /** The numbers of the packets that pass a display filter. */
    private List<String> tshark(Path capture, String filter) throws IOException, InterruptedException {
        Path out = directory.resolve("tshark");
        Process process = new ProcessBuilder(
                        "tshark",
                        "-r",
                        capture.toString(),
                        "-Y",
                        filter,
                        "-T",
                        "fields",
                        "-e",
                        "frame.number",
                        "--disable-protocol",
                        "rpcordma",
                        "--disable-protocol",
                        "lnet")
                .redirectOutput(out.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(process.exitValue()).isZero();
        return Files.readAllLines(out);
    }

    /** The datagrams of a little-endian pcapng file. */
    private static List<ByteBuffer> packets(Path file) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        List<ByteBuffer> packets = new ArrayList<>();
        while (bytes.hasRemaining()) {
            int start = bytes.position();
            int type = bytes.getInt(start);
            if (type == INTERFACE_DESCRIPTION) {
                assertThat(bytes.getShort(start + 8)).isEqualTo((short) RAW_IP);
            } else if (type == ENHANCED_PACKET) {
                packets.add(bytes.slice(start + 28, bytes.getInt(start + 20)).order(ByteOrder.BIG_ENDIAN));
            }
            bytes.position(start + bytes.getInt(start + 4));
        }
        return packets;
    }
}
