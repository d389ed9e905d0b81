package dev.verbena.benchmarks;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class StubComparisonTest {
    @Test
    void refusesListsThatNothingIsAskedOf() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> StubComparison.main(new String[] {"2"}))
                .withMessage("nothing is asked of lists of 2");
    }
}
