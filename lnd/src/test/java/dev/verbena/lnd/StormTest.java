package dev.verbena.lnd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.VerbsException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * In any traffic, by any parameters, whatever is lost and in whatever order completions come: no deadlock, never a message
 * without a buffer, credits conserved, every message finalized once, and no memory written after its operation ended.
 */
class StormTest {

    private static final int MESSAGES = Integer.getInteger("verbena.lnd.storm", 100_000);
    private static final int OPERATIONS = 400;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void theInvariantsHoldAfterEveryEvent(long seed) throws VerbsException {
        try (Lab lab = new Lab(seed)) {
            Storm storm = new Storm(seed, lab);
            assertThat(storm.run(40)).isGreaterThanOrEqualTo(40);
            assertThat(storm.checks()).isGreaterThan(200);
            assertThat(lab.counters(1)).anyMatch(counter -> counter.name().contains("rnr"));
        }
    }

    static Stream<Ground> grounds() {
        return Ground.all();
    }

    /** The same wherever the nodes are, without what only a fabric of ours does to packets. */
    @ParameterizedTest
    @MethodSource("grounds")
    @Tag("udp")
    void aStormEndsWhereverTheNodesAre(Ground ground) throws Exception {
        for (long seed = 1; seed <= 4; seed++) {
            long number = seed;
            ground.run(rig -> {
                Storm storm = new Storm(number, rig);
                assertThat(storm.run(40)).isGreaterThanOrEqualTo(40);
            });
        }
    }

    /** Prints its size; {@code -Dverbena.lnd.storm} changes it. */
    @Test
    @Tag("sweep")
    void theInvariantsHoldForAHundredThousandMessages() throws VerbsException {
        long messages = 0;
        long checks = 0;
        long seed = 1000;
        for (; messages < MESSAGES; seed++) {
            try (Lab lab = new Lab(seed)) {
                Storm storm = new Storm(seed, lab);
                messages += storm.run(OPERATIONS);
                checks += storm.checks();
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("storm of seed " + seed, e);
            }
        }
        System.out.println("LNet messages: " + messages + " in storms of seeds 1000 to " + (seed - 1)
                + ", invariants looked at " + checks + " times");
        assertThat(messages).isGreaterThanOrEqualTo(MESSAGES);
    }
}
