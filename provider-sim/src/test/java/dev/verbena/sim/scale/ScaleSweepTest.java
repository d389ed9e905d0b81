// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.scale;

import dev.verbena.sim.fixture.Sweep;
import java.time.Duration;
import org.junit.jupiter.api.Tag;

/** The same with as many queue pairs as the device guarantees. */
@Tag("sweep")
class ScaleSweepTest extends ScaleTest {
    private static final int AT_ONCE = Sweep.amount("queue-pairs-at-once", 10_000);
    private static final int IN_TURN = Sweep.amount("queue-pairs-in-turn", 1_000_000);
    private static final Duration WINDOW = Duration.ofSeconds(10);

    @Override
    int atOnce() {
        return AT_ONCE;
    }

    @Override
    int inTurn() {
        return IN_TURN;
    }

    @Override
    Duration window() {
        return WINDOW;
    }
}
