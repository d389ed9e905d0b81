// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.net.InetAddress;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GidTest {
    /** Mostly zero groups, so that the runs which text abbreviates are met in every place and length. */
    @Provide
    Arbitrary<Gid> gids() {
        Arbitrary<Long> half = Arbitraries.of(0, 0, 0, 1, 0xFFFF, 0xA00, 0xFE80)
                .list()
                .ofSize(4)
                .map(groups ->
                        groups.stream().mapToLong(Integer::longValue).reduce(0, (all, group) -> all << 16 | group));
        return Arbitraries.oneOf(
                Combinators.combine(half, half).as(Gid::new),
                Combinators.combine(Arbitraries.longs(), Arbitraries.longs()).as(Gid::new));
    }

    @Property
    void bytesAndTextLeadBackToTheSameGid(@ForAll("gids") Gid gid) {
        assertThat(Gid.of(gid.toBytes())).isEqualTo(gid);
        assertThat(Gid.parse(gid.toString())).isEqualTo(gid);
        assertThat(Gid.ofAddress(gid.toAddress())).isEqualTo(gid);
    }

    @Property
    void theEightGroupsOfSysfsAreRead(@ForAll("gids") Gid gid) {
        StringBuilder sysfs = new StringBuilder();
        byte[] bytes = gid.toBytes();
        for (int i = 0; i < bytes.length; i += 2) {
            sysfs.append(i == 0 ? "" : ":").append(String.format("%02x%02x", bytes[i], bytes[i + 1]));
        }
        assertThat(Gid.parse(sysfs.toString())).isEqualTo(gid);
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.1, ::ffff:10.0.0.1",
        "0000:0000:0000:0000:0000:ffff:0a00:0001, ::ffff:10.0.0.1",
        "FE80:0:0:0:5054:FF:FE12:3456, fe80::5054:ff:fe12:3456",
        "0:0:0:0:0:0:0:0, ::",
        "0:0:0:0:0:0:0:1, ::1",
        "::10.0.0.1, ::10.0.0.1",
        "1:0:0:2:0:0:0:3, 1:0:0:2::3",
        "1:0:0:2:3:0:0:4, 1::2:3:0:0:4",
        "1:0:2:3:4:5:6:7, 1:0:2:3:4:5:6:7",
        "1:2:3:4:5:6:0:0, 1:2:3:4:5:6::",
        "ff02:0:0:0:0:0:0:fb, ff02::fb"
    })
    void textEqualsThatOfInetNtop(String text, String printed) {
        assertThat(Gid.parse(text)).hasToString(printed);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "10.0.1", "16", "localhost", "fe80::1%eth0", "[::1]", "1::2::3", "10.0.0.256", ":", "12345::"
            })
    void anInvalidAddressIsRefusedWithTheCure(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Gid.parse(text))
                .withMessageContaining("'" + text + "'")
                .withMessageContaining("write IPv6");
    }

    @Test
    void aWrongLengthIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Gid.of(new byte[4]))
                .withMessageContaining("4 bytes");
    }

    @Test
    void anIpv4AddressIsMapped() throws Exception {
        Gid gid = Gid.ofAddress(InetAddress.getByAddress(new byte[] {(byte) 192, (byte) 168, 0, (byte) 200}));
        assertThat(gid.isIpv4()).isTrue();
        assertThat(gid.ipv4()).isEqualTo(0xC0A8_00C8);
        assertThat(gid).isEqualTo(new Gid(0, 0x0000_FFFF_C0A8_00C8L));
    }

    @Test
    void anIpv6AddressHasNoIpv4Part() {
        Gid gid = Gid.parse("fe80::1");
        assertThat(gid.isIpv4()).isFalse();
        assertThatIllegalStateException().isThrownBy(gid::ipv4).withMessageContaining("fe80::1");
    }

    @ParameterizedTest
    @CsvSource({
        "fe80::1, true, false",
        "febf::1, true, false",
        "fec0::1, false, false",
        "ff12::1, false, true",
        "224.0.0.1, false, true",
        "239.255.255.255, false, true",
        "240.0.0.1, false, false",
        "10.0.0.1, false, false",
        "::, false, false"
    })
    void thePrefixDeterminesTheScope(String text, boolean linkLocal, boolean multicast) {
        assertThat(Gid.parse(text).isLinkLocal()).isEqualTo(linkLocal);
        assertThat(Gid.parse(text).isMulticast()).isEqualTo(multicast);
    }

    @Property
    void aGuidParsesItsOwnTextAndThatOfIbstat(@ForAll long value) {
        Guid guid = new Guid(value);
        assertThat(Guid.parse(guid.toString())).isEqualTo(guid);
        assertThat(Guid.parse(String.format("0x%016x", value))).isEqualTo(guid);
    }

    @Test
    void aGuidPrintsFourGroups() {
        assertThat(new Guid(0x0002_C903_00A1_B2C0L)).hasToString("0002:c903:00a1:b2c0");
        assertThatIllegalArgumentException().isThrownBy(() -> Guid.parse("2:c903"));
    }
}
