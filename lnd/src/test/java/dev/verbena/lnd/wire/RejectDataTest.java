// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rejections come whole, padded, or in the short forms of old peers, and in either byte order. */
class RejectDataTest {

    private final MemorySegment buffer = MemorySegment.ofArray(new byte[148]);
    private final RejectData data = new RejectData();

    private void write(int version, RejectReason reason, ByteOrder order) {
        data.begin(buffer, 0, version, reason, order)
                .incarnation(0x0006123456789ABCL)
                .connParams()
                .set(8, 257, 4096);
    }

    @Property
    void bothByteOrdersSayTheSame(
            @ForAll RejectReason reason, @ForAll boolean bigEndian, @ForAll @IntRange(min = 24, max = 148) int length) {
        write(0x12, reason, bigEndian ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
        RejectData read = new RejectData();
        assertThat(read.parse(buffer, 0, length)).isEqualTo(MessageDefect.NONE);
        assertThat(read.isComplete()).isTrue();
        assertThat(RejectReason.of(read.reasonCode())).isEqualTo(reason);
        assertThat(read.version()).isEqualTo(0x12);
        assertThat(read.magic()).isEqualTo(Protocol.MAGIC);
        assertThat(read.incarnation()).isEqualTo(0x0006123456789ABCL);
        assertThat(read.connParams().queueDepth()).isEqualTo(8);
        assertThat(read.connParams().maxFragments()).isEqualTo(257);
        assertThat(read.connParams().maxMessageSize()).isEqualTo(4096);
    }

    @ParameterizedTest
    @ValueSource(ints = {7, 8, 23})
    void theShortFormHasNoIncarnationAndNoLimits(int length) {
        write(0x12, RejectReason.CONN_RACE, ByteOrder.LITTLE_ENDIAN);
        assertThat(data.parse(buffer, 0, length)).isEqualTo(MessageDefect.NONE);
        assertThat(data.isComplete()).isFalse();
        assertThat(data.incarnation()).isEqualTo(RejectData.UNKNOWN_INCARNATION);
        assertThat(data.reasonCode()).isEqualTo(RejectReason.CONN_RACE.code());
    }

    @Test
    void theLongFormOfVersionOneIsReadAsTheShortOne() {
        write(0x11, RejectReason.FATAL, ByteOrder.LITTLE_ENDIAN);
        assertThat(data.parse(buffer, 0, 148)).isEqualTo(MessageDefect.NONE);
        assertThat(data.isComplete()).isFalse();
    }

    @Test
    void sixBytesAreTooFew() {
        write(0x12, RejectReason.FATAL, ByteOrder.LITTLE_ENDIAN);
        assertThat(data.parse(buffer, 0, 6)).isEqualTo(MessageDefect.TOO_SHORT_FOR_VERSION);
    }

    @Test
    void theMagicOfFutureVersionsIsTaken() {
        write(0x12, RejectReason.FATAL, ByteOrder.BIG_ENDIAN);
        buffer.set(ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN), 0, Protocol.FUTURE_MAGIC);
        assertThat(data.parse(buffer, 0, 24)).isEqualTo(MessageDefect.NONE);
        assertThat(data.magic()).isEqualTo(Protocol.FUTURE_MAGIC);
    }

    @Test
    void otherMagicsAndVersionsAreRefused() {
        write(0x13, RejectReason.FATAL, ByteOrder.LITTLE_ENDIAN);
        assertThat(data.parse(buffer, 0, 24)).isEqualTo(MessageDefect.BAD_VERSION);
        buffer.set(ValueLayout.JAVA_INT_UNALIGNED, 0, 0);
        assertThat(data.parse(buffer, 0, 24)).isEqualTo(MessageDefect.BAD_MAGIC);
    }

    @Test
    void reasonsOutsideTheTableAreUnknown() {
        assertThat(RejectReason.of(0)).isNull();
        assertThat(RejectReason.of(10)).isNull();
        for (RejectReason reason : RejectReason.values()) {
            assertThat(RejectReason.of(reason.code())).isSameAs(reason);
        }
    }
}
