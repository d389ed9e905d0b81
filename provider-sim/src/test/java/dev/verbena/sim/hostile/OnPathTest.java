// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.sim.fixture.Sweep;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.Aeth;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A peer sends invalid packets to its own queue pairs: the addresses, the PSN and the ICRC are valid, the rest is
 * nearly so. At most its own queue pair fails, with a report of the reason; no byte changes that the peer may not
 * change.
 */
class OnPathTest {
    private static final String SEED = "verbena.hostile.seed";
    private static final int PER_ROUND = 250;
    private static final int PER_LIFE = 40;

    @Test
    void atMostTheQueuePairOfThatPeerEnds() throws VerbsException {
        attack(20_000);
    }

    @Test
    @Tag("sweep")
    void atMostTheQueuePairOfThatPeerEndsAfterAMillionPackets() throws VerbsException {
        attack(Sweep.amount("hostilePeerPackets", 1_000_000));
    }

    private static void attack(int packets) throws VerbsException {
        long seed = Long.getLong(SEED, System.nanoTime());
        System.out.printf("seed %d (-D%s=%d repeats it)%n", seed, SEED, seed);
        SplittableRandom random = new SplittableRandom(seed);
        Map<String, Integer> ends = new TreeMap<>();
        Map<Counter, Long> counters;
        try (Scene scene = new Scene(seed)) {
            AttackingPeer intruder = new AttackingPeer(scene);
            for (int i = 0; i < packets; i++) {
                if (i % PER_ROUND == 0) {
                    scene.honestRound();
                    scene.check();
                    assertThat(intruder.overwritten())
                            .as("byte overwritten, seed %d", seed)
                            .isEqualTo(-1);
                }
                SimPacket packet = scene.attacker.newPacket();
                intruder.write(packet, random);
                long judged = scene.judged();
                scene.injector.inject(Scene.VICTIM, packet);
                scene.lab.settle();
                assertThat(scene.judged()).as("packet %d, seed %d", i, seed).isEqualTo(judged + 1);
                if (intruder.hasEnded()) {
                    String why = why(scene.naks(), intruder.recover());
                    assertThat(why).as("packet %d, seed %d", i, seed).isNotEmpty();
                    ends.merge(why, 1, Integer::sum);
                    intruder.reconnect();
                } else if (i % PER_LIFE == 0) {
                    intruder.recover();
                    scene.naks();
                    intruder.reconnect();
                }
            }
            scene.honestRound();
            scene.check();
            counters = scene.victim.simDevice().counters().values();
            assertThat(intruder.overwritten())
                    .as("byte overwritten, seed %d", seed)
                    .isEqualTo(-1);
        }
        System.out.println("queue pairs ended with " + ends + ", counters " + counters);
        assertThat(ends.keySet()).anyMatch(end -> end.contains("NAK 0x61")).anyMatch(end -> end.contains("NAK 0x62"));
        assertThat(ends.keySet()).anyMatch(end -> end.contains("BAD_RESP_ERR"));
    }

    /** Returns the NAK to the peer, or the completion of the user. */
    private static String why(List<Integer> naks, List<String> completions) {
        for (int syndrome : naks) {
            if (syndrome > Aeth.NAK_PSN_SEQUENCE) {
                return "NAK 0x" + Integer.toHexString(syndrome);
            }
        }
        return completions.stream()
                .map(completion -> completion.split(" ")[0])
                .filter(status -> status.endsWith("_ERR") && !status.startsWith("WR_FLUSH"))
                .findFirst()
                .orElse("");
    }
}
