// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class GidSelectorTest {
    private static final GidEntry LINK_LOCAL = entry(0, "fe80::1", GidType.ROCE_V2);
    private static final GidEntry V1 = entry(1, "192.0.2.1", GidType.ROCE_V1);
    private static final GidEntry ROUTABLE = entry(2, "2001:db8::1", GidType.ROCE_V2);
    private static final GidEntry BEST = entry(3, "192.0.2.1", GidType.ROCE_V2);
    private static final GidEntry SECOND_IPV4 = entry(4, "192.0.2.9", GidType.ROCE_V2);

    private static GidEntry entry(int index, String address, GidType type) {
        return entry(index, address, type, "eth0");
    }

    private static GidEntry entry(int index, String address, GidType type, String interfaceName) {
        return GidEntry.builder()
                .port(1)
                .index(index)
                .gid(Gid.parse(address))
                .type(type)
                .interfaceName(interfaceName)
                .build();
    }

    private static Device deviceWith(List<GidEntry> table) throws VerbsException {
        Device device = mock(Device.class);
        when(device.name()).thenReturn("mlx5_0");
        when(device.gidTable(1)).thenReturn(table);
        return device;
    }

    @Property
    void theOrderOfTheTableDoesNotMatterToTheAutomaticChoice(@ForAll long seed) throws VerbsException {
        List<GidEntry> table = new ArrayList<>(List.of(LINK_LOCAL, V1, ROUTABLE, BEST, SECOND_IPV4));
        Collections.shuffle(table, new Random(seed));
        assertThat(GidSelector.automatic().select(deviceWith(table), 1)).isEqualTo(BEST);
    }

    @Test
    void aLessSuitableEntryIsChosenWithoutABetterOne() throws VerbsException {
        assertThat(GidSelector.automatic().select(deviceWith(List.of(LINK_LOCAL, V1, ROUTABLE)), 1))
                .isEqualTo(ROUTABLE);
        assertThat(GidSelector.automatic().select(deviceWith(List.of(V1, LINK_LOCAL)), 1))
                .isEqualTo(LINK_LOCAL);
        assertThat(GidSelector.automatic().select(deviceWith(List.of(V1)), 1)).isEqualTo(V1);
    }

    @Test
    void anAddressOrAnIndexNarrowsTheChoice() throws VerbsException {
        Device device = deviceWith(List.of(LINK_LOCAL, V1, ROUTABLE, BEST, SECOND_IPV4));
        assertThat(GidSelector.ofAddress(Gid.parse("192.0.2.1")).select(device, 1))
                .isEqualTo(BEST);
        assertThat(GidSelector.ofIndex(0).select(device, 1)).isEqualTo(LINK_LOCAL);
    }

    @Test
    void aVlanOrATypeNarrowsTheChoice() throws VerbsException {
        GidEntry vlan = entry(5, "198.51.100.1", GidType.ROCE_V2, "eth0.100");
        GidEntry vlanLinkLocal = entry(6, "fe80::1", GidType.ROCE_V2, "eth0.100");
        Device device = deviceWith(List.of(LINK_LOCAL, V1, BEST, vlanLinkLocal, vlan));
        assertThat(GidSelector.automatic().select(device, 1)).isEqualTo(BEST);
        assertThat(GidSelector.ofInterface("eth0.100").select(device, 1)).isEqualTo(vlan);
        assertThat(GidSelector.ofType(GidType.ROCE_V1).select(device, 1)).isEqualTo(V1);
        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(() -> GidSelector.ofInterface("eth0.200").select(device, 1))
                .withMessageContaining("no GID with interface eth0.200")
                .withMessageContaining("5 = ::ffff:198.51.100.1 ROCE_V2 on eth0.100");
    }

    @Test
    void theZoneOfALinkLocalAddressSelectsTheInterface() throws Exception {
        NetworkInterface real = NetworkInterface.networkInterfaces().findFirst().orElseThrow();
        GidEntry there = entry(7, "fe80::1", GidType.ROCE_V2, real.getName());
        Device device = deviceWith(List.of(entry(0, "fe80::1", GidType.ROCE_V2, "elsewhere0"), there));
        byte[] address = Gid.parse("fe80::1").toBytes();
        assertThat(GidSelector.ofAddress(Inet6Address.getByAddress(null, address, real.getIndex()))
                        .select(device, 1))
                .isEqualTo(there);
        assertThat(GidSelector.ofAddress(InetAddress.getByAddress(address))
                        .select(device, 1)
                        .index())
                .isZero();
        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(() -> GidSelector.ofAddress(Inet6Address.getByAddress(null, address, 99_999))
                        .select(device, 1))
                .withMessageContaining("on interface 99999");
    }

    @Test
    void aRefusalListsTheTable() throws VerbsException {
        Device device = deviceWith(List.of(LINK_LOCAL));
        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(() -> GidSelector.ofAddress(Gid.parse("192.0.2.7")).select(device, 1))
                .withMessageContaining("mlx5_0 has no GID with address ::ffff:192.0.2.7")
                .withMessageContaining("0 = fe80::1 ROCE_V2")
                .satisfies(refusal -> assertThat(refusal.errno()).isEqualTo(Errno.EADDRNOTAVAIL));
        Device bare = deviceWith(List.of());
        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(() -> GidSelector.automatic().select(bare, 1))
                .withMessageContaining("its table is empty");
    }
}
