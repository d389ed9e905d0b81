// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.sim.fixture.Sweep;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.RandomGenerator;
import net.jqwik.api.sessions.JqwikSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A program does the same in every repetition: each packet has the same time, and each completion the same content. */
class DeterminismTest {
    private static final int SEEDS = 100;
    private static final int MANY_SEEDS = 500;
    private static final int SIZE_HINT = 1000;

    /** Prints the hashes of the programs of some seeds: the part of the test that another process runs. */
    static final class Child {
        private Child() {}

        public static void main(String[] arguments) {
            hashes(Integer.parseInt(arguments[0])).forEach(System.out::println);
        }
    }

    @Test
    void aProgramRunsTheSameWayAgainAlsoInAnotherProcess() throws Exception {
        compare(SEEDS);
    }

    @Test
    @Tag("sweep")
    void manyProgramsRunTheSameWayAgainAlsoInAnotherProcess() throws Exception {
        compare(Sweep.amount("seeds", MANY_SEEDS));
    }

    private static void compare(int seeds) throws IOException, InterruptedException {
        List<String> first = hashes(seeds);
        assertThat(first).doesNotHaveDuplicates();
        assertThat(hashes(seeds)).isEqualTo(first);
        assertThat(hashesOfAnotherProcess(seeds)).isEqualTo(first);
    }

    private static List<String> hashesOfAnotherProcess(int seeds) throws IOException, InterruptedException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process process = new ProcessBuilder(
                        java,
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path", File.separator),
                        Child.class.getName(),
                        Integer.toString(seeds))
                .redirectError(Redirect.INHERIT)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor())
                .as("exit status of the other process, which said: %s", output)
                .isZero();
        return output.lines().toList();
    }

    private static List<String> hashes(int seeds) {
        List<String> hashes = new ArrayList<>();
        JqwikSession.run(() -> {
            RandomGenerator<Program> generator = Programs.all().generator(SIZE_HINT);
            for (int seed = 0; seed < seeds; seed++) {
                Program program = generator.next(new Random(seed)).value();
                hashes.add(seed + " " + Run.of(program).fingerprint());
            }
        });
        return hashes;
    }
}
