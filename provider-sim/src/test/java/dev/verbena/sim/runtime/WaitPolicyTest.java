// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.verbena.sim.runtime.WaitPolicy.Step;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WaitPolicyTest {
    private static final long SECOND = 1_000_000_000;

    @Property
    void theStepsComeInTheirOrderAndEachForItsTime(
            @ForAll @LongRange(max = SECOND) long spinning,
            @ForAll @LongRange(max = SECOND) long yielding,
            @ForAll @LongRange(max = 3 * SECOND) long waited) {
        WaitPolicy policy = new WaitPolicy(Duration.ofNanos(spinning), Duration.ofNanos(yielding));
        Step first = Runtime.getRuntime().availableProcessors() > 1 ? Step.SPIN : Step.YIELD;

        assertThat(policy.after(waited))
                .isEqualTo(waited < spinning ? first : waited < spinning + yielding ? Step.YIELD : Step.PARK);
    }

    @Test
    void aPolicyIsReadFromText() {
        assertThat(WaitPolicy.parse("50us,50us")).isEqualTo(WaitPolicy.DEFAULT);
        assertThat(WaitPolicy.parse("0ns,0ms")).isEqualTo(WaitPolicy.PARKING);
        assertThat(WaitPolicy.parse("1ms,7ns")).isEqualTo(new WaitPolicy(Duration.ofMillis(1), Duration.ofNanos(7)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "50us", "spin", "50us,50us,50us", "-1us,0us", "5h,0us", "1us, 1us", "1001ms,0us"})
    void anythingElseIsRefusedAndTheMessageSaysWhatToWrite(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> WaitPolicy.parse(text))
                .withMessageMatching(".*(such as 50us,50us|0 to 1 s).*");
    }

    @Test
    void aParkedWaiterPollsOnceAMillisecond() throws InterruptedException {
        AtomicInteger looks = new AtomicInteger();
        try (ThreadRuntime runtime = new ThreadRuntime(1, 1, WaitPolicy.PARKING)) {
            boolean come = runtime.await(() -> looks.incrementAndGet() < 0, Duration.ofMillis(20));
            assertThat(come).isFalse();
        }
        // One before it sleeps, one each millisecond, one at the end; spinning would make thousands.
        assertThat(looks.get()).isLessThanOrEqualTo(30);
    }

    @Test
    void aRuntimeThatIsGivenNoneTakesTheConfiguredOne() {
        try (ThreadRuntime runtime = new ThreadRuntime(1)) {
            assertThat(runtime.waitPolicy()).isEqualTo(WaitPolicy.configured());
        }
    }
}
