// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The time is read once in a step, and is never that of a step before, or of another thread. */
class StepClockTest {

    private final AtomicLong source = new AtomicLong();
    private final StepClock clock = new StepClock(source::incrementAndGet);

    @Test
    void outsideOfAStepEveryReadingIsNew() {
        assertThat(clock.now()).isEqualTo(1);
        assertThat(clock.now()).isEqualTo(2);
    }

    @Test
    void aStepReadsTheClockAtMostOnceAndOnDemand() {
        clock.begin();
        assertThat(source).hasValue(0);
        assertThat(clock.now()).isEqualTo(1);
        assertThat(clock.now()).isEqualTo(1);
        clock.end();
        clock.begin();
        clock.end();
        assertThat(source).hasValue(1);
    }

    @Test
    void aStepWithinAStepIsPartOfIt() {
        clock.begin();
        assertThat(clock.now()).isEqualTo(1);
        clock.begin();
        assertThat(clock.now()).isEqualTo(1);
        clock.end();
        assertThat(clock.now()).isEqualTo(1);
        clock.end();
        assertThat(clock.now()).isEqualTo(2);
    }

    @Test
    void afterAStepNothingIsLeftOfIt() {
        for (int step = 0; step < 3; step++) {
            source.set(100L * step);
            clock.begin();
            assertThat(clock.now()).isEqualTo(100L * step + 1);
            clock.end();
            assertThat(clock.now()).isEqualTo(100L * step + 2);
        }
    }

    @Test
    void anotherThreadSeesTheClockItself() throws InterruptedException {
        clock.begin();
        assertThat(clock.now()).isEqualTo(1);
        long[] seen = new long[2];
        Thread other = Thread.ofPlatform().start(() -> {
            seen[0] = clock.now();
            seen[1] = clock.now();
        });
        other.join();
        assertThat(seen).containsExactly(2, 3);
        assertThat(clock.now()).isEqualTo(1);
        clock.end();
    }
}
