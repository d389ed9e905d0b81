// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class TimersTest {
    private static final long LONGEST_ACK = 4096L << 31;
    private static final long LONGEST_RNR = 655_360_000L;
    private static final List<Long> ACK_SPANS =
            IntStream.rangeClosed(1, 31).mapToObj(code -> 4096L << code).toList();
    private static final List<Long> RNR_SPANS = IntStream.rangeClosed(0, 31)
            .mapToObj(code -> RnrTimer.ofCode(code).nanos())
            .sorted()
            .toList();

    private static void assertRoundsUpTightly(long wanted, long got, List<Long> legalAscending) {
        assertThat(got).isGreaterThanOrEqualTo(wanted);
        int place = legalAscending.indexOf(got);
        assertThat(place).as("%d is legal", got).isNotNegative();
        if (place > 0) {
            assertThat(legalAscending.get(place - 1))
                    .as("the next shorter would not do")
                    .isLessThan(wanted);
        }
    }

    @Property
    void anAckTimeoutIsTheShortestNotBelow(@ForAll @LongRange(max = LONGEST_ACK) long nanos) {
        assertRoundsUpTightly(nanos, AckTimeout.atLeast(Duration.ofNanos(nanos)).nanos(), ACK_SPANS);
    }

    @Property
    void anRnrTimerIsTheShortestNotBelow(@ForAll @LongRange(max = LONGEST_RNR) long nanos) {
        assertRoundsUpTightly(nanos, RnrTimer.atLeast(Duration.ofNanos(nanos)).nanos(), RNR_SPANS);
    }

    @Property
    void aLegalSpanIsKeptAndOneNanosecondMoreIsTheNext(@ForAll @IntRange(max = 29) int place) {
        Function<Long, Long> ack =
                span -> AckTimeout.atLeast(Duration.ofNanos(span)).nanos();
        Function<Long, Long> rnr =
                span -> RnrTimer.atLeast(Duration.ofNanos(span)).nanos();
        assertThat(ack.apply(ACK_SPANS.get(place))).isEqualTo(ACK_SPANS.get(place));
        assertThat(ack.apply(ACK_SPANS.get(place) + 1)).isEqualTo(ACK_SPANS.get(place + 1));
        assertThat(rnr.apply(RNR_SPANS.get(place))).isEqualTo(RNR_SPANS.get(place));
        assertThat(rnr.apply(RNR_SPANS.get(place) + 1)).isEqualTo(RNR_SPANS.get(place + 1));
    }

    @Test
    void theRnrTableHasTheSpecifiedCornerstones() {
        assertThat(RnrTimer.ofCode(0).duration()).isEqualTo(Duration.ofNanos(655_360_000));
        assertThat(RnrTimer.ofCode(1).duration()).isEqualTo(Duration.ofNanos(10_000));
        assertThat(RnrTimer.ofCode(12).duration()).isEqualTo(Duration.ofNanos(640_000));
        assertThat(RnrTimer.ofCode(25).duration()).isEqualTo(Duration.ofNanos(61_440_000));
        assertThat(RnrTimer.ofCode(31).duration()).isEqualTo(Duration.ofNanos(491_520_000));
        assertThat(RNR_SPANS).doesNotHaveDuplicates().hasSize(32);
        assertThat(RnrTimer.atLeast(Duration.ofMillis(500)).code()).isZero();
    }

    @Test
    void aSpanBeyondTheLongestTimerIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AckTimeout.atLeast(Duration.ofNanos(LONGEST_ACK + 1)))
                .withMessageContaining("AckTimeout.NONE");
        assertThatIllegalArgumentException().isThrownBy(() -> AckTimeout.atLeast(Duration.ofSeconds(Long.MAX_VALUE)));
        assertThatIllegalArgumentException().isThrownBy(() -> AckTimeout.atLeast(Duration.ofNanos(-1)));
        assertThatIllegalArgumentException().isThrownBy(() -> AckTimeout.ofCode(32));
        assertThatIllegalArgumentException().isThrownBy(() -> RnrTimer.atLeast(Duration.ofNanos(LONGEST_RNR + 1)));
        assertThatIllegalArgumentException().isThrownBy(() -> RnrTimer.atLeast(Duration.ofNanos(-1)));
        assertThatIllegalArgumentException().isThrownBy(() -> RnrTimer.ofCode(-1));
    }

    @Test
    void noTimeoutIsLongerThanAnyTimeout() {
        assertThat(AckTimeout.NONE.isNone()).isTrue();
        assertThat(AckTimeout.NONE.nanos()).isGreaterThan(AckTimeout.ofCode(31).nanos());
        assertThat(AckTimeout.NONE).hasToString("0 (no timeout)");
    }

    @Test
    void textHasCodeAndSpan() {
        assertThat(AckTimeout.ofCode(14)).hasToString("14 (67.108864 ms)");
        assertThat(AckTimeout.ofCode(18)).hasToString("18 (1.073741824 s)");
        assertThat(RnrTimer.ofCode(12)).hasToString("12 (640 us)");
        assertThat(RnrTimer.ofCode(0)).hasToString("0 (655.36 ms)");
    }

    @Test
    void sevenRnrRetriesCannotBeAskedForByNumber() {
        assertThat(RnrRetryCount.of(6).isForever()).isFalse();
        assertThat(RnrRetryCount.ofCode(7)).isEqualTo(RnrRetryCount.FOREVER).hasToString("forever");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RnrRetryCount.of(7))
                .withMessageContaining("RnrRetryCount.FOREVER");
    }
}
