// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class PingPongDataTest {
    private static final int PAGE = 4096;
    private static final int SIZE = 2 * PAGE + 7;

    private final MemorySegment message = MemorySegment.ofArray(new byte[SIZE]);
    private final PingPongData data = new PingPongData(0x7B, true);

    @Property(tries = 200)
    void oneWrongByteIsFoundInItsPage(
            @ForAll @IntRange(max = SIZE - 1) int index, @ForAll @IntRange(max = 5000) int number) {
        PingPongData.fillNumbered(message, number);
        assertThat(PingPongData.wrongNumbered(message, number)).isEqualTo(-1);
        flip(index);
        assertThat(PingPongData.wrongNumbered(message, number)).isEqualTo(index / PAGE);
        data.fillPlain(message);
        assertThat(data.wrongPlain(message)).isEqualTo(-1);
        flip(index);
        assertThat(data.wrongPlain(message)).isEqualTo(index / PAGE);
    }

    private void flip(int index) {
        message.set(ValueLayout.JAVA_BYTE, index, (byte) ~message.get(ValueLayout.JAVA_BYTE, index));
    }

    @Test
    void theMessageBeforeIsNotTakenForThisOne() {
        PingPongData.fillNumbered(message, 7);
        assertThat(PingPongData.wrongNumbered(message, 8)).isZero();
        PingPongData.poison(message);
        assertThat(PingPongData.wrongNumbered(message, 8)).isZero();
    }

    @Test
    void pagesBeginWithTheZeroThatAnOriginalServerLooksFor() {
        data.fillPlain(message);
        assertThat(new byte[] {at(0), at(1), at(PAGE), at(2 * PAGE)}).containsExactly(0, 0x7B, 0, 0);
        PingPongData.fillNumbered(message, 3);
        assertThat(new byte[] {at(0), at(PAGE), at(2 * PAGE)}).containsOnly(0);
        new PingPongData(0x7B, false).fillPlain(message);
        assertThat(at(PAGE)).isEqualTo((byte) 0x7B);
    }

    private byte at(int index) {
        return message.get(ValueLayout.JAVA_BYTE, index);
    }
}
