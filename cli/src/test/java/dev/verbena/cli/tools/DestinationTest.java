// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.verbs.Gid;
import dev.verbena.verbs.Psn;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The text that the examples of libibverbs exchange. */
class DestinationTest {
    private static final String TEXT = "0000:000011:d19bf0:00000000000000000000ffff0a4d0002";
    private static final Destination SEEN = new Destination(0, 0x11, Psn.of(0xD19BF0), Gid.parse("10.77.0.2"));

    @Test
    void isWrittenAsTheOriginalWritesIt() {
        assertThat(SEEN.encode()).isEqualTo((TEXT + "\0").getBytes(StandardCharsets.US_ASCII));
        assertThat(SEEN.describe(",")).isEqualTo("LID 0x0000, QPN 0x000011, PSN 0xd19bf0, GID ::ffff:10.77.0.2");
    }

    @Test
    void isReadAsTheOriginalReadsIt() throws IOException {
        assertThat(Destination.decode((TEXT + "\0").getBytes(StandardCharsets.US_ASCII)))
                .isEqualTo(SEEN);
    }

    @Property(tries = 100)
    void isReadAsItWasWritten(
            @ForAll @IntRange(max = 0xFFFF) int lid,
            @ForAll @IntRange(max = 0xFFFFFF) int qpn,
            @ForAll @IntRange(max = 0xFFFFFF) int psn,
            @ForAll long high,
            @ForAll long low)
            throws IOException {
        Destination any = new Destination(lid, qpn, Psn.of(psn), new Gid(high, low));
        assertThat(any.encode()).hasSize(Destination.BYTES);
        assertThat(Destination.decode(any.encode())).isEqualTo(any);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "0000:000011:d19bf0:00000000000000000000ffff0a4d0002",
                "0000:000011:d19bf0:00000000000000000000ffff0a4d000\0",
                "0000:000011:1d19bf0:0000000000000000000ffff0a4d0002\0",
                "0000:000011:d19bf0:00000000000000000000ffff0a4d00g2\0"
            })
    void refusesOtherText(String text) {
        assertThatThrownBy(() -> Destination.decode(text.getBytes(StandardCharsets.US_ASCII)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("not LID:QPN:PSN:GID");
    }
}
