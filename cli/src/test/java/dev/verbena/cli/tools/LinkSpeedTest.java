// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.tools;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.PortAttributes;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LinkSpeedTest {
    @ParameterizedTest
    @CsvSource({
        "2, 32, 4X (2), 25.0 Gbps (32)",
        "2, 128, 4X (2), 100.0 Gbps (128)",
        "8, 8, 12X (8), 10.0 Gbps (8)",
        "16, 256, 2X (16), 200.0 Gbps (256)",
        "0, 32, invalid width (0), 25.0 Gbps (32)",
        "3, 5, invalid width (3), invalid speed (5)"
    })
    void printsTheCodesThatThePortReports(int width, int speed, String expectedWidth, String expectedLane) {
        PortAttributes port = PortAttributes.builder()
                .activeWidthCode(width)
                .activeSpeedCode(speed)
                .activeSpeedMbps(2_500)
                .build();
        assertThat(LinkSpeed.of(port)).isEqualTo(new LinkSpeed(expectedWidth, expectedLane));
    }

    @ParameterizedTest
    @CsvSource({
        "2500, 1X (1), 2.5 Gbps (1)",
        "10000, 1X (1), 10.0 Gbps (4)",
        "400000, 2X (16), 200.0 Gbps (256)",
        "1, invalid width (0), invalid speed (0)",
        "0, invalid width (0), invalid speed (0)"
    })
    void printsTheSmallestWidthThatGivesTheSpeedIfThePortReportsNoCodes(long mbps, String width, String lane) {
        PortAttributes port = PortAttributes.builder().activeSpeedMbps(mbps).build();
        assertThat(LinkSpeed.of(port)).isEqualTo(new LinkSpeed(width, lane));
    }
}
