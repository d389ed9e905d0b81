// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.stress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every control verb that is legal in RTS together with every data verb, on real threads. SUCCESS means that all bytes
 * have arrived, an error that at most a prefix has, and no byte outside of the granted ranges changes.
 *
 * <p>The build runs {@value #SHORT} connections on each fabric. {@code -Dverbena.stress.minutes=60
 * -Dverbena.stress.fabric=udp} runs for an hour on one; {@code -Dverbena.stress.seed} repeats the choices of a run,
 * though not the interleaving of its threads.
 */
class ControlVerbStressTest {
    private static final int SHORT = 20;
    private static final String SEED = "verbena.stress.seed";
    private static final String FABRIC = "verbena.stress.fabric";
    private static final String MINUTES = "verbena.stress.minutes";

    @ParameterizedTest
    @EnumSource(StressFabric.class)
    void successMeansAllBytesWhateverIsCalledBesides(StressFabric stressFabric) throws Exception {
        String wanted = System.getProperty(FABRIC);
        assumeTrue(wanted == null || wanted.equals(stressFabric.label()), "another fabric was asked for");
        long seed = Long.getLong(SEED, new SplittableRandom().nextLong());
        int minutes = Integer.getInteger(MINUTES, 0);
        System.out.printf("stress on %s: -D%s=%d%n", stressFabric.label(), SEED, seed);
        Counts counts = new Counts();
        long begin = System.nanoTime();
        long length = minutes * 60_000_000_000L;
        SplittableRandom random = new SplittableRandom(seed);
        try (StressFabric.Place place = stressFabric.open(1 + random.nextInt(2));
                Side.Memories left = new Side.Memories(place, 0, Life.MOST_BYTES);
                Side.Memories right = new Side.Memories(place, 1, Life.MOST_BYTES);
                Side.Memories other = new Side.Memories(place, 0, Life.MOST_BYTES)) {
            Side.Memories[] memories = {left, right, other};
            for (int i = 0; minutes > 0 ? System.nanoTime() - begin < length : i < SHORT; i++) {
                new Life(place, memories, random.nextLong(), counts).run();
            }
        } finally {
            System.out.printf(
                    "stress on %s, %.1f s: %s%n", stressFabric.label(), (System.nanoTime() - begin) / 1e9, counts);
        }
        for (DataVerb verb : DataVerb.values()) {
            assertThat(counts.of(verb)).as("%s over RC", verb).isPositive();
        }
    }
}
