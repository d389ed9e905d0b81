// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ByteSizeTest {

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "1, 1",
        "3976, 3976",
        "64K, 65536",
        "64m, 67108864",
        "2G, 2147483648",
        "8388607G, 9007198180999168"
    })
    void readsNumbersWithAndWithoutSuffix(String text, long bytes) {
        assertThat(ByteSize.parse(text).bytes()).isEqualTo(bytes);
    }

    @Property
    void readsEveryPlainNumber(@ForAll @LongRange(min = 0, max = 999_999_999_999_999_999L) long bytes) {
        assertThat(ByteSize.parse(Long.toString(bytes)).bytes()).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "K", "-1", "1.5M", "1T", "1 M", "0x10", "9999999999999999999", "99999999999G"})
    void refusesEverythingElseWithTheText(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ByteSize.parse(text))
                .withMessageContaining("'" + text + "'");
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0 bytes",
        "1, 1 byte",
        "1023, 1023 bytes",
        "1024, 1 KiB",
        "67108864, 64 MiB",
        "67108865, 67108865 bytes"
    })
    void writesWholePowersShort(long bytes, String text) {
        assertThat(new ByteSize(bytes)).hasToString(text);
    }
}
