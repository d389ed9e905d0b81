// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.sim.fixture.Sweep;
import dev.verbena.verbs.VerbsException;
import java.util.EnumMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * An attacker outside the path sends packets of all kinds to a device with connections of all types in use. No
 * connection fails, no protected byte changes, and each packet is counted by exactly the counter of its defect.
 */
class OffPathTest {
    private static final String SEED = "verbena.hostile.seed";
    private static final int PER_ROUND = 250;

    @Test
    void noConnectionEndsAndEachPacketIsCounted() throws VerbsException {
        attack(100_000);
    }

    @Test
    @Tag("sweep")
    void noConnectionEndsInFiveMillionPackets() throws VerbsException {
        attack(Sweep.amount("hostilePackets", 5_000_000));
    }

    private static void attack(int packets) throws VerbsException {
        long seed = Long.getLong(SEED, System.nanoTime());
        System.out.printf("seed %d (-D%s=%d repeats it)%n", seed, SEED, seed);
        SplittableRandom random = new SplittableRandom(seed);
        Map<Attack, Integer> made = new EnumMap<>(Attack.class);
        Map<Counter, Long> expected = new EnumMap<>(Counter.class);
        try (Scene scene = new Scene(seed)) {
            int sent = 0;
            while (sent < packets) {
                scene.honestRound();
                scene.note();
                for (int i = 0; i < PER_ROUND; i++, sent++) {
                    Attack attack = Attack.all().get(random.nextInt(Attack.all().size()));
                    SimPacket packet = scene.attacker.newPacket();
                    expected.merge(scene.throwAt(attack, packet, random), 1L, Long::sum);
                    made.merge(attack, 1, Integer::sum);
                }
                scene.lab.settle();
                scene.check();
            }
            scene.honestRound();
            scene.check();
            assertThat(scene.judged())
                    .as("packets in the counters, seed %d", seed)
                    .isEqualTo(sent + scene.honest.count(Counter.SENT_PKTS));
            for (Counter counter : Attack.AT_THE_PORT) {
                assertThat(scene.victim.count(counter))
                        .as("%s, seed %d", counter, seed)
                        .isEqualTo(expected.getOrDefault(counter, 0L));
            }
            assertThat(scene.victim.count(Counter.DROPPED_REFUSED))
                    .isEqualTo(made.get(Attack.KEYS).longValue());
            assertThat(scene.victim.count(Counter.DUPLICATE_REQUEST) + scene.victim.count(Counter.OUT_OF_SEQ_REQUEST))
                    .isEqualTo(made.get(Attack.PSN_OF_REQUEST).longValue());
            assertThat(scene.victim.count(Counter.DROPPED_RESPONSE))
                    .isEqualTo(made.get(Attack.PSN_OF_RESPONSE).longValue());
            System.out.println(made + ", seen as " + expected);
            assertThat(made).containsOnlyKeys(Attack.values());
            assertThat(expected.keySet()).containsAll(Attack.AT_THE_PORT);
        }
    }
}
