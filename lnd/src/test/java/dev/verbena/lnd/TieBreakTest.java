// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.verbena.lnet.Nid;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ranks of nodes, and the clamps of the tunables. */
class TieBreakTest {

    @ParameterizedTest
    @CsvSource({
        "10.0.0.1, 0105000a",
        "10.0.0.2, 0205000a",
        "10.0.1.1, 0104000a",
        "10.0.0.9, 0905000a",
        "10.0.1.9, 0904000a",
        "10.0.4.9, 0901000a",
        "10.0.5.9, 0900000a",
    })
    void theRankIsThatOfALittleEndianNode(String address, String rank) {
        assertThat(TieBreak.NIDHASH.rank(Nid.parse(address + "@o2ib"))).isEqualTo(Long.parseLong(rank, 16));
    }

    @Test
    void theRulesDisagreeWhereLustreChangedThem() {
        Nid one = Nid.parse("10.0.0.9@o2ib");
        Nid other = Nid.parse("10.0.1.9@o2ib");
        assertThat(TieBreak.NUMERIC.isBelow(one, other)).isTrue();
        assertThat(TieBreak.NIDHASH.isBelow(one, other)).isFalse();
        assertThat(TieBreak.NIDHASH.isBelow(other, one)).isTrue();
        assertThat(TieBreak.NIDHASH.isBelow(one, one)).isFalse();
    }

    @Test
    void ranksAreUnsigned() {
        Nid low = Nid.parse("10.0.0.1@o2ib");
        Nid high = Nid.parse("10.0.0.200@o2ib");
        assertThat(TieBreak.NIDHASH.isBelow(low, high)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0, 0, 8, 4, 8",
        "8, 0, 0, 8, 4, 8",
        "300, 0, 0, 255, 127, 255",
        "32, 40, 100, 32, 31, 64",
        "32, 3, 1, 32, 16, 16",
        "16, 12, 8, 16, 12, 8",
    })
    void tunablesAreClampedAsTheKernelModuleDoes(
            int credits, int hiw, int sends, int clampedCredits, int clampedHiw, int clampedSends) {
        O2ibTunables tunables = O2ibTunables.builder()
                .peerCredits(credits)
                .peerCreditsHiw(hiw)
                .concurrentSends(sends)
                .build();
        assertThat(tunables.peerCredits()).isEqualTo(clampedCredits);
        assertThat(tunables.peerCreditsHiw()).isEqualTo(clampedHiw);
        assertThat(tunables.concurrentSends()).isEqualTo(clampedSends);
    }

    @Test
    void tunablesThatMakeNoSenseAreRefusedByName() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> O2ibTunables.builder().service(0).build())
                .withMessageContaining("service 0 is not in 1..65535");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> O2ibTunables.builder().memory(1).build())
                .withMessageContaining("memory 1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> O2ibTunables.builder().timeout(Duration.ZERO).build())
                .withMessageContaining("timeout PT0S");
    }

    @Test
    void theDefaultsAreThoseOfTheKernelModule() {
        O2ibTunables defaults = O2ibTunables.defaults();
        assertThat(defaults.service()).isEqualTo(987);
        assertThat(defaults.peerCredits()).isEqualTo(8);
        assertThat(defaults.timeout()).isEqualTo(Duration.ofSeconds(50));
        assertThat(defaults.keepalive()).isEqualTo(Duration.ofSeconds(100));
        assertThat(defaults.checksum()).isNull();
    }
}
