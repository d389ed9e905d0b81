// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.cli.cluster.ClusterDescription;
import dev.verbena.cli.cluster.ClusterDescription.Span;
import dev.verbena.sim.fabric.LinkProperties;
import java.io.StringReader;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClusterFileTest {
    private static ClusterDescription read(String text) {
        return ClusterFile.read("a.yaml", new StringReader(text));
    }

    @Test
    void everySettingCanBeWritten() {
        ClusterDescription description = read("""
                # All there is.
                nodes: 20
                peers: 6
                seed: 7
                time: 10m
                messages: 500
                puts: 25%
                sizes: [0, 4K, 1M]
                latency: 5us
                rate: 25Gbps
                loss: 0.01
                memory: 32M
                crashes: 3
                outage: 1s..90s
                partitions: 2
                split: 7s
                """);
        assertThat(description)
                .isEqualTo(new ClusterDescription(
                        7,
                        20,
                        6,
                        32 << 20,
                        Duration.ofMinutes(10),
                        new LinkProperties(Duration.ofNanos(5000), 3_125_000_000L, LinkProperties.DEFAULT.mtu()),
                        0.01,
                        500,
                        0.25,
                        List.of(0L, 4096L, 1L << 20),
                        3,
                        new Span(Duration.ofSeconds(1), Duration.ofSeconds(90)),
                        2,
                        new Span(Duration.ofSeconds(7), Duration.ofSeconds(7))));
    }

    @Test
    void missingSettingsHaveTheirDefaults() {
        ClusterDescription description = read("nodes: 3");
        assertThat(description.nodes()).isEqualTo(3);
        assertThat(description.peers()).isEqualTo(2);
        assertThat(description.crashes()).isZero();
        assertThat(description.links()).isEqualTo(LinkProperties.DEFAULT);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "nodes: 4%nods: 5 | a.yaml:2: unknown setting 'nods' in a description of a cluster",
                "nodes: four | a.yaml:1: nodes: 'four' is not a whole number",
                "%%nodes: -1 | a.yaml:3: nodes: '-1' is not a whole number",
                "nodes: 1 | nodes: 1 is not in 2..10000",
                "nodes: 8%peers: 3 | peers: 3 is neither 7 (all other nodes) nor an even number",
                "seed: 1%seed: 2 | a.yaml:2: seed is set twice",
                "loss: 1.2 | a.yaml:1: loss:",
                "time: 5 | a.yaml:1: time: '5' is not a time",
                "rate: fast | a.yaml:1: rate: 'fast' is not a rate",
                "sizes: [1, 2M] | sizes: 2097152 is not in 0..1048576",
                "sizes: [1, x] | a.yaml:1: sizes: 'x' is not a size",
                "outage: 9s..3s | a.yaml:1: outage: the longest time PT3S is below PT9S",
                "nodes: [1, 2] | a.yaml:1: a setting is a name and a value",
                "nodes: {a | a.yaml:1: this is not YAML",
                "hello | a.yaml:1: no settings",
                "memory: 1K | memory: a node needs 4M at least"
            })
    void errorsNameTheirLine(String text, String reason) {
        assertThatThrownBy(() -> read(text.replace('%', '\n')))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("a.yaml")
                .hasMessageContaining(reason);
    }
}
