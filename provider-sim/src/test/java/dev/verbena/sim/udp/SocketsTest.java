// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.udp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.Gid;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The socket from which a packet is sent, and its destination address. */
@Tag("udp")
class SocketsTest {
    private static final Gid GID = Gid.parse("127.0.0.1");

    private final UdpCounters counters = new UdpCounters();

    private static UdpSocket anySocket() throws Exception {
        return UdpSocket.open(
                "sim0", GID, new InetSocketAddress(Gid.parse("127.0.0.1").toAddress(), 0));
    }

    /** Returns a free port in the range of flows with a free neighbour; the system's own ports go up to 60999. */
    private static int freeFlowPort() throws Exception {
        for (int port = 0xff00; port > 0xf000; port -= 2) {
            try (DatagramSocket one =
                            new DatagramSocket(port, Gid.parse("127.0.0.1").toAddress());
                    DatagramSocket two =
                            new DatagramSocket(port + 1, Gid.parse("127.0.0.1").toAddress())) {
                return Math.min(one.getLocalPort(), two.getLocalPort());
            } catch (java.net.BindException taken) {
                // Tries the next pair.
            }
        }
        throw new AssertionError("no two ports in a row are free");
    }

    @Test
    void aFlowHasItsOwnSourcePort() throws Exception {
        try (Endpoint endpoint = new Endpoint(GID, anySocket(), true, counters)) {
            int port = freeFlowPort();
            UdpSocket flow = endpoint.sender(port);
            assertThat(flow.port()).isEqualTo(port);
            assertThat(endpoint.sender(port)).isSameAs(flow);
            assertThat(endpoint.sender(port + 1).port()).isEqualTo(port + 1);
            assertThat(counters.get(UdpCounter.FLOW_SOCKETS)).isEqualTo(2);
            // Flows share 64 sockets.
            assertThat(endpoint.sender(port - 64)).isSameAs(flow);
        }
    }

    @Test
    void packetsLeaveWithTheirTrafficClass() throws Exception {
        for (Loopback place : Loopback.all()) {
            try (UdpSocket socket = UdpSocket.open("sim0", GID, place.anyPort(0))) {
                for (int trafficClass : new int[] {0, 0x68, 0x68, 0}) {
                    assertThat(socket.send(ByteBuffer.allocate(20), socket.address(), trafficClass))
                            .isTrue();
                    assertThat(socket.channel().getOption(StandardSocketOptions.IP_TOS))
                            .as("%s", place)
                            .isEqualTo(trafficClass);
                }
            }
        }
    }

    @Test
    void aFlowWhosePortIsTakenUsesTheEndpointsSocket() throws Exception {
        try (UdpSocket taken = anySocket();
                Endpoint endpoint = new Endpoint(GID, anySocket(), true, counters)) {
            assertThat(endpoint.sender(taken.port())).isSameAs(endpoint.socket());
            assertThat(counters.get(UdpCounter.FLOW_PORTS_TAKEN)).isEqualTo(1);
        }
    }

    @Test
    void anEndpointInTheTableIsKnownByItsPortAndSendsFromNoOther() throws Exception {
        try (Endpoint endpoint = new Endpoint(GID, anySocket(), false, counters)) {
            assertThat(endpoint.sender(0xc123)).isSameAs(endpoint.socket());
        }
    }

    @Test
    void aGidOutsideTheTableIsAtItsOwnAddressAndTheStandardPort() throws Exception {
        EndpointTable table = new EndpointTable(4791);
        Gid gid = Gid.parse("10.1.2.3");
        InetSocketAddress own = new InetSocketAddress(Gid.parse("10.1.2.3").toAddress(), 4791);
        assertThat(table.find(gid.high(), gid.low())).isEqualTo(own);
        assertThat(table.gidOf(own)).isEqualTo(gid);
        // rdma_rxe sends from the ports of flows.
        assertThat(table.gidOf(new InetSocketAddress(own.getAddress(), 0xc123))).isEqualTo(gid);

        InetSocketAddress elsewhere =
                new InetSocketAddress(Gid.parse("10.9.9.9").toAddress(), 7);
        table.put(gid, elsewhere);
        assertThat(table.find(gid.high(), gid.low())).isEqualTo(elsewhere);
        assertThat(table.gidOf(elsewhere)).isEqualTo(gid);
        InetSocketAddress moved = new InetSocketAddress(elsewhere.getAddress(), 8);
        table.put(gid, moved);
        assertThat(table.gidOf(elsewhere)).isEqualTo(Gid.parse("10.9.9.9"));
        assertThat(table.gidOf(moved)).isEqualTo(gid);
    }

    @Test
    void aFloodOfForgedSendersDoesNotFillTheMemory() {
        EndpointTable table = new EndpointTable(4791);
        for (int i = 0; i < 10_000; i++) {
            assertThat(table.find(0, 0xFFFF_0A00_0000L + i).getPort()).isEqualTo(4791);
        }
    }

    @Test
    void senderAddressesAreLookedUpAgainWhenTheTableHasChanged() throws Exception {
        EndpointTable table = new EndpointTable(4791);
        InetSocketAddress sender = new InetSocketAddress(Gid.parse("127.0.0.1").toAddress(), 5);
        try (Endpoint endpoint = new Endpoint(GID, anySocket(), false, counters)) {
            assertThat(endpoint.gidOf(sender, table)).isEqualTo(GID);
            table.put(Gid.parse("192.0.2.5"), sender);
            assertThat(endpoint.gidOf(sender, table)).isEqualTo(Gid.parse("192.0.2.5"));
        }
    }
}
