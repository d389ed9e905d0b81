// SPDX-License-Identifier: Apache-2.0
package dev.verbena.benchmarks;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StubComparisonTest {
    @ParameterizedTest
    @CsvSource({"stub0, 2", "mlx5_0, 1"})
    void refusesAnUnknownMeasurement(String device, String list) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> StubComparison.main(new String[] {device, list}))
                .withMessage("lists of " + list + " on " + device + " are not measured");
    }
}
