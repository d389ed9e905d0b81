// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.network;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.cli.options.EndpointConverter;
import dev.verbena.sim.SimDeviceSpec;
import dev.verbena.sim.runtime.ThreadRuntime;
import dev.verbena.sim.udp.UdpFabric;
import dev.verbena.verbs.Gid;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Devices at addresses of either IP version. */
@Tag("udp")
class UdpNetworkTest {
    private static @Nullable InetSocketAddress at(@Nullable String text) {
        return text == null ? null : new EndpointConverter().convert(text);
    }

    /** A GID and the address of its endpoint have the same IP version, for a device of this process and for the peer's device. */
    @ParameterizedTest
    @CsvSource({
        "INITIATOR, ,",
        "INITIATOR, , ::1",
        "INITIATOR, [::1]:0, ::1",
        "INITIATOR, 127.0.0.1:0, 127.0.0.1",
        "INITIATOR, , [::1%lo]:4791",
        "TARGET, ,",
        "TARGET, ::1,",
        "TARGET, [::1]:0,",
        "TARGET, ::1, ::1",
        "TARGET, 10.0.0.1, 10.0.0.2",
        "TARGET, fd00::1, fd00::2",
        "INITIATOR, fd00::1, fd00::2",
        ",,",
        ", ::1,",
        ", , ::1",
        ", [::1]:0, [::1]:0",
        ", 127.0.0.1:0,"
    })
    void gidsAndAddressesAreOfOneVersion(@Nullable Role role, @Nullable String local, @Nullable String peer)
            throws Exception {
        UdpNetwork network = UdpNetwork.of(role, at(local), at(peer));
        boolean ipv4 = !String.valueOf(local).contains(":0:") && !(local + "" + peer).contains("::");
        assertThat(List.of(network.initiator().isIpv4(), network.target().isIpv4()))
                .containsOnly(ipv4);
        assertThat(network.initiator()).isNotEqualTo(network.target());
        assertThat(network.devices().stream().map(SimDeviceSpec::addresses).flatMap(List::stream))
                .isSubsetOf(Arrays.asList(network.initiator(), network.target()));
        try (ThreadRuntime runtime = new ThreadRuntime(1);
                UdpFabric fabric = new UdpFabric(runtime)) {
            network.describeTo(fabric);
        }
    }

    /** A GID has no zone; without a zone, a datagram to a link-local address cannot be delivered. */
    @Test
    void theZoneOfALinkLocalAddressIsPreserved() throws Exception {
        UdpNetwork network = UdpNetwork.of(Role.INITIATOR, at("[fe80::1%1]:4791"), at("[fe80::2%1]:4791"));
        try (ThreadRuntime runtime = new ThreadRuntime(1);
                UdpFabric fabric = new UdpFabric(runtime)) {
            network.describeTo(fabric);
            assertThat(fabric.endpoint(Gid.parse("fe80::2"))).isEqualTo(at("[fe80::2%1]:4791"));
        }
    }
}
