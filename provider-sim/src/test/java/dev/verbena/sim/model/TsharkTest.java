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
import net.jqwik.api.RandomGenerator;
import net.jqwik.api.sessions.JqwikSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Wireshark reads every packet that the programs send, of every kind. */
class TsharkTest {
    private static final int PROGRAMS = 100;
    private static final int MANY_PROGRAMS = 2000;
    private static final int SIZE_HINT = 1000;

    /** What takes a payload of random bytes, or the padding of none at all, for its own. */
    private static final List<String> GUESSES = List.of(
            "--disable-protocol",
            "rpcordma",
            "--disable-protocol",
            "lnet",
            "--disable-heuristic",
            "mellanox_eoib",
            "--disable-heuristic",
            "eth_over_ib");

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
        assumeTrue(isInstalled(), "tshark is not on the PATH, so nobody looks at the capture");
        Path capture = directory.resolve("model.pcapng");
        long sent = capture(programs, capture);
        List<String> lines = tshark(capture);
        System.out.printf("tshark read %,d packets%n", lines.size());
        assertThat(lines).hasSize(Math.toIntExact(sent));
        // A line is the opcode, and behind it what is wrong.
        assertThat(lines).allMatch(line -> line.matches("\\d+\t"));
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

    /** Runs programs into one file; returns how many packets it has. */
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

    private static List<String> tshark(Path capture) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("tshark", "-r", capture.toString()));
        command.addAll(GUESSES);
        command.addAll(List.of("-T", "fields", "-e", "infiniband.bth.opcode", "-e", "_ws.malformed"));
        Process process =
                new ProcessBuilder(command).redirectError(Redirect.DISCARD).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as("exit status of tshark").isZero();
        return output.lines().toList();
    }
}
