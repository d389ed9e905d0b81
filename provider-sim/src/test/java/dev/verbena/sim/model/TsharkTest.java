// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.verbena.sim.capture.PcapngTap;
import dev.verbena.sim.fixture.Sweep;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.pcapng.PcapngWriter;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.jqwik.api.RandomGenerator;
import net.jqwik.api.sessions.JqwikSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Wireshark dissects every packet that the programs send, of every kind. */
class TsharkTest {
    private static final int PROGRAMS = 100;
    private static final int MANY_PROGRAMS = 2000;
    private static final int SIZE_HINT = 1000;

    /** Dissectors that accept any first bytes, and so any payload of a program. */
    private static final List<String> GREEDY = List.of("--disable-protocol", "rpcordma", "--disable-protocol", "lnet");

    private static final List<String> WITHOUT_EOIB = List.of("--disable-heuristic", "mellanox_eoib");

    /** Opcode and UDP length of a datagram without payload, with and without immediate data. */
    private static final Set<String> EMPTY_DATAGRAMS = Set.of("100\t32", "101\t36");

    @TempDir
    private Path directory;

    @Test
    void findsNoMalformedPacketAmongThoseSent() throws Exception {
        check(PROGRAMS);
    }

    @Test
    @Tag("sweep")
    void findsNoMalformedPacketAmongAGreatMany() throws Exception {
        check(Sweep.amount("programs", MANY_PROGRAMS));
    }

    private void check(int programs) throws IOException, InterruptedException {
        assumeTrue(
                isInstalled(),
                "tshark is not on the PATH, so the capture is not checked; apt-get install tshark, or install Wireshark"
                        + " in another way");
        Path capture = directory.resolve("model.pcapng");
        long sent = capture(programs, capture);
        List<String> lines = tshark(capture, GREEDY);
        assertThat(lines).hasSize(Math.toIntExact(sent));
        // A line has the opcode and the UDP length, followed by the defect.
        List<String> malformed =
                lines.stream().filter(line -> !line.endsWith("\t")).toList();
        // The heuristic for Mellanox EoIB reads the first payload byte of every datagram, even of an empty one.
        assertThat(malformed).allMatch(line -> EMPTY_DATAGRAMS.contains(line.substring(0, line.lastIndexOf('\t'))));
        assertThat(tshark(
                        capture,
                        Stream.concat(GREEDY.stream(), WITHOUT_EOIB.stream()).toList()))
                .hasSameSizeAs(lines)
                .allMatch(line -> line.endsWith("\t"));
        System.out.printf("tshark read %,d packets; %,d datagrams without payload%n", lines.size(), malformed.size());
        Set<Integer> seen = lines.stream()
                .map(line -> Integer.valueOf(line.substring(0, line.indexOf('\t'))))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(seen)
                .containsAll(Coverage.packets().stream().map(Opcode::code).toList());
    }

    private static boolean isInstalled() {
        return Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(place -> Files.isExecutable(Path.of(place, "tshark")));
    }

    /** Runs programs into one file; returns the number of its packets. */
    private static long capture(int programs, Path file) throws IOException {
        List<PcapngTap> taps = new ArrayList<>();
        try (PcapngWriter writer = PcapngWriter.open(file)) {
            JqwikSession.run(() -> {
                RandomGenerator<Program> generator = Programs.all().generator(SIZE_HINT);
                for (int seed = 0; seed < programs; seed++) {
                    Run.of(generator.next(new Random(seed)).value(), runtime -> {
                        taps.add(new PcapngTap(writer, runtime));
                        return taps.getLast();
                    });
                }
            });
        }
        assertThat(taps).allSatisfy(tap -> assertThat(tap.dropped()).isZero());
        return taps.stream().mapToLong(PcapngTap::written).sum();
    }

    private static List<String> tshark(Path capture, List<String> options) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("tshark", "-r", capture.toString()));
        command.addAll(options);
        command.addAll(
                List.of("-T", "fields", "-e", "infiniband.bth.opcode", "-e", "udp.length", "-e", "_ws.malformed"));
        Process process =
                new ProcessBuilder(command).redirectError(Redirect.DISCARD).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as("exit status of tshark").isZero();
        return output.lines().toList();
    }
}
