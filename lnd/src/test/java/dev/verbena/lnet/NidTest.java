// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NidTest {

    @ParameterizedTest
    @CsvSource({
        "10.0.0.1@o2ib, 0x000500000A000001, 10.0.0.1@o2ib",
        "10.0.0.1@o2ib0, 0x000500000A000001, 10.0.0.1@o2ib",
        "192.168.255.254@o2ib12, 0x0005000CC0A8FFFE, 192.168.255.254@o2ib12",
        "10.0.0.1, 0x000200000A000001, 10.0.0.1@tcp",
        "10.0.0.1@tcp65535, 0x0002FFFF0A000001, 10.0.0.1@tcp65535",
        "0@lo, 0x0009000000000000, 0@lo",
        "4294967295@gni, 0x000D0000FFFFFFFF, 4294967295@gni",
        "1.2.3.4@efa2, 0x0012000201020304, 1.2.3.4@efa2",
    })
    void textAndValueAgree(String text, String value, String printed) {
        Nid nid = Nid.parse(text);
        assertThat(nid.value()).isEqualTo(Long.decode(value));
        assertThat(nid).hasToString(printed);
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0@o2ib, '\"10.0.0\" is not an IPv4 address'",
        "10.0.0.256@o2ib, '\"256\"'",
        "10.0.0.@o2ib, '\"\" in the IPv4 address'",
        "10.0.0.-1@o2ib, '\"-1\"'",
        "10.0.0.1@ib, 'network \"ib\" is unknown'",
        "10.0.0.1@, 'network \"\" is unknown'",
        "10.0.0.1@o2ib65536, 'network number 65536'",
        "10.0.0.1@o2ib99999999999, 'network number 99999999999'",
        "@o2ib, 'address before the @ is missing'",
        "x@lo, 'address \"x\" is not a number'",
        "4294967296@gni, 'address \"4294967296\"'",
        "localhost@o2ib, 'not an IPv4 address'",
    })
    void anErrorNamesTheTextAndThePartThatIsWrong(String text, String part) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Nid.parse(text))
                .withMessageContaining("\"" + text + "\" is no NID")
                .withMessageContaining(part);
    }

    @Property
    void printedTextIsParsedBack(
            @ForAll LndType type, @ForAll @IntRange(min = 0, max = 65535) int number, @ForAll int address) {
        Nid nid = Nid.of(type, number, address);
        assertThat(Nid.parse(nid.toString())).isEqualTo(nid);
        assertThat(nid.type()).isEqualTo(type);
        assertThat(nid.networkNumber()).isEqualTo(number);
        assertThat(nid.address()).isEqualTo(address);
        assertThat(nid.network()).isEqualTo(type.code() << 16 | number);
    }

    @Property
    void anyValueCanBePrinted(@ForAll long value) {
        assertThat(new Nid(value).toString()).isNotBlank();
    }

    @Property
    void anyTextIsReadOrRefusedButNothingElse(@ForAll String text) {
        try {
            assertThat(Nid.parse(text).toString()).isNotBlank();
        } catch (IllegalArgumentException e) {
            assertThat(e).hasMessageContaining("is no NID");
        }
    }

    @Test
    void theWildcardIsAStar() {
        assertThat(Nid.parse("*")).isEqualTo(Nid.ANY).hasToString("*");
        assertThat(Nid.ANY.isAny()).isTrue();
        assertThat(Nid.LOOPBACK).hasToString("0@lo");
    }

    @Test
    void anUnknownDriverIsPrintedByNumber() {
        assertThat(new Nid(0x0063_0001_0a00_0001L)).hasToString("a000001@<99:1>");
    }

    @ParameterizedTest
    @CsvSource({
        "12345-10.0.0.1@o2ib, 12345, 12345-10.0.0.1@o2ib",
        "10.0.0.1@o2ib, 12345, 12345-10.0.0.1@o2ib",
        "U7-10.0.0.1@o2ib, -2147483641, U7-10.0.0.1@o2ib",
        "*-10.0.0.1@o2ib, -1, *-10.0.0.1@o2ib",
    })
    void processIdsAreReadAndPrinted(String text, int pid, String printed) {
        ProcessId id = ProcessId.parse(text);
        assertThat(id.pid()).isEqualTo(pid);
        assertThat(id).hasToString(printed);
    }

    @ParameterizedTest
    @CsvSource({"x-10.0.0.1@o2ib, '\"x\" before the dash'", "-1-10.0.0.1@o2ib, is no NID", "1-10.0.0.1@ib, is no NID"})
    void aWrongProcessIdIsRefused(String text, String part) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ProcessId.parse(text))
                .withMessageContaining(part);
    }

    @Test
    void wildcardsCoverEverything() {
        ProcessId one = ProcessId.parse("10.0.0.1@o2ib");
        assertThat(ProcessId.ANY.covers(one)).isTrue();
        assertThat(one.covers(one)).isTrue();
        assertThat(ProcessId.parse("*-10.0.0.1@o2ib").covers(one)).isTrue();
        assertThat(ProcessId.parse("1-10.0.0.1@o2ib").covers(one)).isFalse();
        assertThat(ProcessId.parse("10.0.0.2@o2ib").covers(one)).isFalse();
    }
}
