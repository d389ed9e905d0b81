// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class GidAddressTest {
    @Property
    void everyIpv4AddressSurvivesMapping(@ForAll int ipv4) {
        long mapped = GidAddress.mapIpv4(ipv4);

        assertThat(GidAddress.isIpv4(0, mapped)).isTrue();
        assertThat(GidAddress.toIpv4(mapped)).isEqualTo(ipv4);
    }

    @Property
    void anAddressIsAnIpv4AddressIfTheJdkSaysSo(@ForAll long hi, @ForAll long lo) throws UnknownHostException {
        byte[] bytes = ByteBuffer.allocate(16).putLong(hi).putLong(lo).array();

        assertThat(GidAddress.isIpv4(hi, lo))
                .isEqualTo(InetAddress.getByAddress(bytes).getAddress().length == 4);
    }

    @Property
    void ipv4AddressesAreWrittenAsTheJdkWritesThem(@ForAll int ipv4) throws UnknownHostException {
        byte[] bytes = ByteBuffer.allocate(4).putInt(ipv4).array();

        assertThat(GidAddress.format(ipv4))
                .isEqualTo(InetAddress.getByAddress(bytes).getHostAddress());
        assertThat(GidAddress.format(0, GidAddress.mapIpv4(ipv4))).isEqualTo(GidAddress.format(ipv4));
    }

    @Property
    void multicastAgreesWithTheJdk(@ForAll long hi, @ForAll long lo, @ForAll int ipv4) throws UnknownHostException {
        byte[] six = ByteBuffer.allocate(16).putLong(hi).putLong(lo).array();
        byte[] four = ByteBuffer.allocate(4).putInt(ipv4).array();

        assertThat(GidAddress.isMulticast(hi, lo))
                .isEqualTo(InetAddress.getByAddress(six).isMulticastAddress());
        assertThat(GidAddress.isMulticast(0, GidAddress.mapIpv4(ipv4)))
                .isEqualTo(InetAddress.getByAddress(four).isMulticastAddress());
    }

    @Example
    void groupsAreMulticastInBothVersions() {
        assertThat(GidAddress.isMulticast(0, GidAddress.mapIpv4(0xef00_004d))).isTrue();
        assertThat(GidAddress.isMulticast(0xff02_0000_0000_0000L, 1)).isTrue();
        assertThat(GidAddress.isMulticast(0xfe80_0000_0000_0000L, 1)).isFalse();
        assertThat(GidAddress.isMulticast(0, GidAddress.mapIpv4(0x0a4d_0002))).isFalse();
    }

    @Example
    void otherAddressesAreWrittenAsGids() {
        assertThat(GidAddress.format(0xfe80_0000_0000_0000L, 0x5054_00ff_fe57_1211L))
                .isEqualTo("fe80:0000:0000:0000:5054:00ff:fe57:1211");
    }
}
