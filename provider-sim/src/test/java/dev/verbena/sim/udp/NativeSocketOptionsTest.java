// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.udp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.sim.runtime.ThreadRuntime;
import dev.verbena.verbs.Gid;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Peers over IPv6 that send no UDP checksum. */
@Tag("udp")
class NativeSocketOptionsTest {
    private static final Gid GID = Gid.parse("2001:db8::1");

    private static InetSocketAddress anyPort() {
        return new InetSocketAddress(Gid.parse("::1").toAddress(), 0);
    }

    @ParameterizedTest
    @EnumSource(NativeUse.class)
    void datagramsWithoutChecksumComeWhereTheOptionIsSet(NativeUse use) throws Exception {
        assumeFalse(Loopback.isPortable(), "needs IPv6 and native calls");
        try (ThreadRuntime runtime = new ThreadRuntime(1);
                UdpFabric fabric = new UdpFabric(runtime, use);
                DatagramSocket sender = new DatagramSocket(anyPort())) {
            fabric.endpoint(GID, anyPort());
            fabric.attach("sim0", List.of(GID), SimPacket::release);
            send(sender, fabric);
            assertThat(runtime.await(() -> fabric.count(UdpCounter.RECEIVED) == 1, Duration.ofSeconds(30)))
                    .isTrue();
            NativeSocketOptions.enable(
                    (InetSocketAddress) sender.getLocalSocketAddress(), NativeSocketOptions.NO_CHECK6_TX);
            send(sender, fabric);
            try (DatagramSocket other = new DatagramSocket(anyPort())) {
                // Arrives after the previous datagram, if that arrives.
                send(other, fabric);
                int expected = use == NativeUse.NEVER ? 2 : 3;
                assertThat(runtime.await(() -> fabric.count(UdpCounter.RECEIVED) == expected, Duration.ofSeconds(30)))
                        .isTrue();
            }
        }
    }

    private static void send(DatagramSocket from, UdpFabric to) throws Exception {
        from.send(new DatagramPacket(new byte[20], 20, to.endpoint(GID)));
    }

    @Test
    void anAddressWithoutSocketIsReported() {
        assumeFalse(Loopback.isPortable(), "needs native calls");
        assertThatIOException()
                .isThrownBy(() -> NativeSocketOptions.enable(
                        new InetSocketAddress(Gid.parse("::1").toAddress(), 1), NativeSocketOptions.NO_CHECK6_RX))
                .withMessageContaining("no descriptor");
    }

    @Test
    void withoutNativeAccessTheReasonIsReported() {
        assumeTrue(NativeSocketOptions.unavailable().isPresent(), "native calls are allowed");
        assertThatIOException()
                .isThrownBy(() ->
                        NativeSocketOptions.enable(Loopback.ONE_ADDRESS.anyPort(0), NativeSocketOptions.NO_CHECK6_RX))
                .withMessage(NativeSocketOptions.unavailable().orElseThrow());
    }
}
