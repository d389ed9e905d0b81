// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.verbena.verbs.Gid;
import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** How the header in a UD receive buffer is recognized: the rules of {@code ib_get_rdma_header_version}. */
class ReceivedRouteTest {
    private static final String NOTHING = "00".repeat(20);

    /** Type of service 0x68, TTL 64. */
    private static final String IPV4 = "4568005c674400004011ec470a4d09020a4d0902";

    private static final String IPV6 =
            "6ab12345002c1140fd770000000000000000000000000003fd770000000000000000000000000002";
    private static final Gid OWN = Gid.parse("10.77.9.2");
    private static final ReceivedRoute IPV4_ROUTE = new ReceivedRoute(OWN, OWN, 0, 0x68, 64);

    static Stream<Arguments> areas() {
        // As in a receive buffer of rdma_rxe 6.12, before the interface computed the checksum.
        String wrongChecksum = IPV4.replace("ec47", "ff02");
        return Stream.of(
                argumentSet("IPv4 after zeros", NOTHING + IPV4, IPV4_ROUTE),
                argumentSet("IPv4 after other bytes", "f7".repeat(20) + IPV4, IPV4_ROUTE),
                argumentSet("IPv4 with a checksum that is not checked", NOTHING + wrongChecksum, IPV4_ROUTE),
                argumentSet("IPv4 after bytes similar to IPv6", "60" + "00".repeat(19) + IPV4, IPV4_ROUTE),
                argumentSet(
                        "IPv6", IPV6, new ReceivedRoute(Gid.parse("fd77::3"), Gid.parse("fd77::2"), 0x12345, 0xAB, 64)),
                argumentSet("neither", NOTHING + "55" + "00".repeat(19), null),
                argumentSet("nothing", NOTHING + NOTHING, null));
    }

    @ParameterizedTest
    @MethodSource("areas")
    void isReadFromTheStartOfTheBuffer(String hex, ReceivedRoute expected) {
        MemorySegment area = MemorySegment.ofArray(HexFormat.of().parseHex(hex));
        assertThat(ReceivedRoute.read(area)).isEqualTo(expected);
    }

    /**
     * An IPv6 header with a last half that would be an IPv4 header except for the checksum, or for the length of the
     * header.
     */
    static Stream<Arguments> ambiguous() {
        String first = "6000000000181140fd770000000000000000000000";
        return Stream.of(
                argumentSet("wrong checksum", first.substring(0, 40) + IPV4.replace("ec47", "ec48")),
                argumentSet("options", first.substring(0, 40) + IPV4.replace("4568", "4668")));
    }

    @ParameterizedTest
    @MethodSource("ambiguous")
    void isIpv6UnlessTheIpv4HeaderIsRightInAll(String hex) {
        MemorySegment area = MemorySegment.ofArray(HexFormat.of().parseHex(hex));
        ReceivedRoute route = ReceivedRoute.read(area);
        assertThat(route).isNotNull();
        assertThat(route.source().isIpv4()).isFalse();
        assertThat(route.hopLimit()).isEqualTo(0x40);
    }
}
