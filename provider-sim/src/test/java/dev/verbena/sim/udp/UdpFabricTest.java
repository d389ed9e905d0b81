// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.udp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.fabric.FabricPort;
import dev.verbena.sim.fabric.Ports;
import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.sim.fixture.Connection;
import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.sim.fixture.Node;
import dev.verbena.sim.runtime.ThreadRuntime;
import dev.verbena.sim.runtime.VirtualRuntime;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.AddressVector;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.PathMtu;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.SendWorkRequest;
import dev.verbena.verbs.VerbsException;
import java.net.DatagramSocket;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("udp")
class UdpFabricTest {
    private static final int QKEY = 0x1234567;
    private static final int MANY = 100;
    private static final Connection RELIABLE = Connection.USUAL
            .mtu(PathMtu.MTU_4096)
            .granting(AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC);

    static List<Loopback> places() {
        return Loopback.all();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("places")
    void aReliableConnectionCarriesEveryKindOfRequest(Loopback place) throws VerbsException {
        try (UdpLab lab = new UdpLab(place)) {
            Node left = lab.node(0);
            Node right = lab.node(1);
            Endpoint requester = left.endpoint();
            Endpoint responder = right.endpoint();
            requester.connect(responder, RELIABLE);
            left.fill(0, 100_000, 1);
            right.fill(500_000, 50_000, 2);
            long address = right.region().address();
            int key = right.region().rkey();

            responder.receive(7, 0, 100_000);
            requester.send(1, 0, 100_000);
            requester.post(
                    wr -> wr.rdmaWrite(address + 200_000, key).id(2).signaled().sge(left.region(), 0, 70_001));
            requester.post(
                    wr -> wr.rdmaRead(address + 500_000, key).id(3).signaled().sge(left.region(), 200_000, 50_000));
            List<String> done = new ArrayList<>();
            lab.until("three completions", () -> {
                done.addAll(requester.sends());
                return done.size() >= 3;
            });

            assertThat(done).containsExactly("SEND 1", "RDMA_WRITE 2", "RDMA_READ 3");
            assertThat(responder.receives()).containsExactly("RECV 7 of 100000 bytes");
            assertThat(right.bytes(0, 100_000)).isEqualTo(left.bytes(0, 100_000));
            assertThat(right.bytes(200_000, 70_001)).isEqualTo(left.bytes(0, 70_001));
            assertThat(left.bytes(200_000, 50_000)).isEqualTo(right.bytes(500_000, 50_000));
            assertThat(lab.udp().count(UdpCounter.RECOVERED_IDENTIFICATION)).isZero();
            assertThat(left.count(Counter.DROPPED_ICRC) + right.count(Counter.DROPPED_ICRC))
                    .isZero();
        }
    }

    /** The JDK's blocking channels are closed when their thread is interrupted. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("places")
    void anInterruptedThreadMayPostAndPoll(Loopback place) throws VerbsException {
        try (UdpLab lab = new UdpLab(place)) {
            Endpoint requester = lab.node(0).endpoint();
            Endpoint responder = lab.node(1).endpoint();
            requester.connect(responder, RELIABLE);
            List<String> sent = new ArrayList<>();
            List<String> received = new ArrayList<>();
            Thread.currentThread().interrupt();
            try {
                for (int i = 0; i < MANY; i++) {
                    responder.receive(i, 0, 5000);
                    requester.send(i, 0, 5000);
                    for (int polls = 0; polls < 1000; polls++) {
                        sent.addAll(requester.sends());
                        received.addAll(responder.receives());
                    }
                }
            } finally {
                assertThat(Thread.interrupted()).as("still interrupted").isTrue();
            }
            lab.until("all completions", () -> {
                sent.addAll(requester.sends());
                received.addAll(responder.receives());
                return sent.size() == MANY && received.size() == MANY;
            });
            assertThat(lab.udp().count(UdpCounter.SOCKETS_LOST)).isZero();
        }
    }

    @Test
    void manyQueuePairsShareASocket() throws VerbsException {
        try (UdpLab lab = new UdpLab(Loopback.ONE_ADDRESS)) {
            Node left = lab.node(0);
            Node right = lab.node(1);
            left.fill(0, 100 * MANY, 3);
            List<Endpoint> senders = new ArrayList<>();
            for (int i = 0; i < MANY; i++) {
                Endpoint sender = left.endpoint();
                Endpoint receiver = right.endpoint();
                sender.connect(receiver, RELIABLE);
                receiver.receive(i, 100L * i, 100);
                senders.add(sender);
            }
            AtomicInteger ended = new AtomicInteger();
            for (int i = 0; i < MANY; i++) {
                senders.get(i).send(i, 100L * i, 100);
            }
            lab.until("every message", () -> {
                senders.forEach(sender -> ended.addAndGet(sender.sends().size()));
                return ended.get() >= MANY;
            });
            assertThat(right.bytes(0, 100 * MANY)).isEqualTo(left.bytes(0, 100 * MANY));
        }
    }

    @Test
    void aDatagramToAGroupComesToEveryMember() throws VerbsException {
        Gid group = Gid.parse("239.0.0.77");
        try (UdpLab lab = new UdpLab(Loopback.ONE_ADDRESS);
                DatagramSocket free = freePort()) {
            lab.udp().endpoint(group, new InetSocketAddress(group.toAddress(), free.getLocalPort()));
            Node left = lab.node(0);
            Node right = lab.node(1);
            AddressHandle path = left.domain().createAh(AddressVector.toGid(group, 1));
            Endpoint sender = left.endpoint(QpType.UD).ready(QKEY);
            List<Endpoint> members = List.of(
                    left.endpoint(QpType.UD).ready(QKEY),
                    right.endpoint(QpType.UD).ready(QKEY));
            for (Endpoint member : members) {
                member.qp().attachMulticast(group, 0);
                member.receive(1, 1000, 200);
            }
            left.fill(0, 100, 5);

            sender.post(wr -> wr.send().sge(left.region(), 0, 100).to(path, SendWorkRequest.MULTICAST_QPN, QKEY));

            for (Endpoint member : members) {
                List<String> received = new ArrayList<>();
                lab.until("the datagram at " + member.node().address(), () -> {
                    received.addAll(member.receives());
                    return !received.isEmpty();
                });
                assertThat(received).containsExactly("RECV 1 of 140 bytes");
                assertThat(member.node().bytes(1040, 100)).isEqualTo(left.bytes(0, 100));
                member.qp().detachMulticast(group, 0);
            }
        }
    }

    private static DatagramSocket freePort() {
        try {
            return new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        } catch (SocketException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void virtualTimeIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new UdpFabric(new VirtualRuntime(1)))
                .withMessageContaining("wall time");
    }

    @Test
    void aPortThatIsTakenIsRefusedWithItsCure() throws Exception {
        try (UdpLab lab = new UdpLab(Loopback.ONE_ADDRESS);
                DatagramSocket taken = freePort()) {
            lab.udp().endpoint(Gid.parse("192.0.2.1"), (InetSocketAddress) taken.getLocalSocketAddress());
            assertThatExceptionOfType(VerbsException.class)
                    .isThrownBy(() -> lab.node(0))
                    .withMessageContaining("give the endpoint another port")
                    .satisfies(refusal -> assertThat(refusal.errno()).isEqualTo(Errno.EADDRINUSE));
        }
    }

    @Test
    void anAddressThatNoInterfaceHasIsRefused() {
        try (UdpLab lab = new UdpLab(Loopback.ONE_ADDRESS)) {
            assertThatExceptionOfType(VerbsException.class)
                    .isThrownBy(() -> lab.lab().node("sim9", "198.51.100.99"))
                    .withMessageContaining("no interface of this machine has the address")
                    .satisfies(refusal -> assertThat(refusal.errno()).isEqualTo(Errno.EADDRNOTAVAIL));
        }
    }

    @Test
    void aGidBelongsToOnePortOnly() throws VerbsException {
        try (UdpLab lab = new UdpLab(Loopback.ONE_ADDRESS)) {
            lab.node(0);
            assertThatExceptionOfType(VerbsException.class)
                    .isThrownBy(() -> lab.node(0))
                    .withMessageContaining("sim0 has it")
                    .satisfies(refusal -> assertThat(refusal.errno()).isEqualTo(Errno.EADDRINUSE));
        }
    }

    @Test
    void anEndpointOfTheOtherIpVersionIsRefused() {
        try (UdpLab lab = new UdpLab(Loopback.ONE_ADDRESS)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> lab.udp()
                            .endpoint(
                                    Gid.parse("2001:db8::7"),
                                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 1)))
                    .withMessageContaining("not of the same IP version");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> lab.udp().endpoint(Gid.parse("192.0.2.7"), new InetSocketAddress(1)))
                    .withMessageContaining("unresolved or a wildcard");
        }
    }

    @Test
    void closingFreesThePortAndEndsTheThread() throws VerbsException {
        try (ThreadRuntime runtime = new ThreadRuntime(1)) {
            UdpFabric fabric = new UdpFabric(runtime);
            Gid gid = Gid.parse("192.0.2.1");
            fabric.endpoint(gid, Loopback.ONE_ADDRESS.anyPort(0));
            for (int round = 0; round < 5; round++) {
                FabricPort port = fabric.attach("closing", List.of(gid), SimPacket::release);
                int number = fabric.endpoint(gid).getPort();
                assertThat(number).isPositive();
                assertThat(threads("verbena-udp-closing")).isEqualTo(1);
                if (round % 2 == 0) {
                    port.close();
                } else {
                    fabric.close();
                }
                port.close();
                assertThat(threads("verbena-udp-closing")).isZero();
                SimPacket packet = Ports.packet(port, gid, gid, 1, 10);
                port.send(packet);
                // The next round binds to the same port.
                assertThat(fabric.endpoint(gid).getPort()).isEqualTo(number);
            }
            assertThat(fabric.count(UdpCounter.DROPPED_SEND_FAILED)).isEqualTo(5);
        }
    }

    private static long threads(String name) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals(name))
                .count();
    }

    @Test
    void aPortMayBeClosedByWhatItReceives() throws VerbsException {
        try (UdpLab lab = new UdpLab(Loopback.ONE_ADDRESS)) {
            Gid gid = Gid.parse("192.0.2.1");
            AtomicInteger calls = new AtomicInteger();
            FabricPort[] port = new FabricPort[1];
            port[0] = lab.udp().attach("self", List.of(gid), packet -> {
                packet.release();
                port[0].close();
                calls.incrementAndGet();
            });
            port[0].send(Ports.packet(port[0], gid, gid, 1, 10));
            lab.until("the thread's end", () -> calls.get() == 1 && threads("verbena-udp-self") == 0);
        }
    }

    @Test
    void packetsThatCannotBeSentAreCounted() throws VerbsException {
        try (UdpLab lab = new UdpLab(Loopback.ONE_ADDRESS)) {
            Gid gid = Gid.parse("192.0.2.1");
            FabricPort port = lab.udp().attach("sim0", List.of(gid), SimPacket::release);
            port.send(Ports.packet(port, Gid.parse("192.0.2.99"), gid, 1, 10));
            assertThat(lab.udp().count(UdpCounter.DROPPED_NO_SOURCE)).isEqualTo(1);
            // A loopback address has no route to other hosts.
            port.send(Ports.packet(port, gid, Gid.parse("198.51.100.1"), 1, 10));
            assertThat(lab.udp().count(UdpCounter.DROPPED_SEND_FAILED)).isEqualTo(1);
            assertThat(lab.udp().count(UdpCounter.SENT)).isZero();
            assertThat(lab.udp().reaches(gid, Gid.parse("198.51.100.1"))).isFalse();
            assertThat(lab.udp().reaches(gid, Gid.parse("127.0.0.9"))).isTrue();
            assertThat(lab.udp().reaches(gid, Gid.parse("192.0.2.2"))).isTrue();
            assertThat(lab.udp().reaches(gid, Gid.parse("2001:db8::9"))).isFalse();
        }
    }

    /** The kernel delivers such packets, and the interface that has the address bounds their length. */
    @Test
    void aLoopbackAddressReachesTheOtherAddressesOfItsMachine() throws Exception {
        NetworkInterface other = NetworkInterface.networkInterfaces()
                .filter(each -> ipv4(each).anyMatch(address -> !address.isLoopbackAddress()))
                .findFirst()
                .orElse(null);
        assumeTrue(other != null, "an interface with an IPv4 address that is not a loopback address");
        Gid destination = Gid.ofAddress(ipv4(other).findFirst().orElseThrow());
        Gid loopback = Gid.parse("127.0.0.1");
        try (ThreadRuntime runtime = new ThreadRuntime(1);
                UdpFabric udp = new UdpFabric(runtime)) {
            udp.endpoint(loopback, Loopback.ONE_ADDRESS.anyPort(0));
            FabricPort port = udp.attach("sim0", List.of(loopback), SimPacket::release);

            assertThat(udp.reaches(loopback, destination)).isTrue();
            assertThat(port.mtu(destination)).isEqualTo(Math.min(port.mtu(), other.getMTU()));
            assertThat(port.mtu(Gid.parse("198.51.100.1"))).isEqualTo(port.mtu());
        }
    }

    private static Stream<InetAddress> ipv4(NetworkInterface from) {
        return from.inetAddresses().filter(Inet4Address.class::isInstance);
    }

    @Test
    void theNextUnknownSenderIsTakenForThePeerThatIsAwaited() throws Exception {
        Gid target = Gid.parse("192.0.2.2");
        Gid initiator = Gid.parse("192.0.2.1");
        try (ThreadRuntime runtime = new ThreadRuntime(1);
                UdpFabric here = new UdpFabric(runtime);
                UdpFabric there = new UdpFabric(runtime)) {
            here.endpoint(target, Loopback.ONE_ADDRESS.anyPort(1));
            here.learnEndpoint(initiator);
            List<String> sources = Collections.synchronizedList(new ArrayList<>());
            here.attach("target", List.of(target), packet -> {
                sources.add(new Gid(packet.sourceHi(), packet.sourceLo()).toString());
                packet.release();
            });
            there.endpoint(target, here.endpoint(target));
            there.endpoint(initiator, Loopback.ONE_ADDRESS.anyPort(0));
            FabricPort port = there.attach("initiator", List.of(initiator), SimPacket::release);
            port.send(Ports.packet(port, initiator, target, 1, 10));
            assertThat(runtime.await(() -> sources.size() == 1, Duration.ofSeconds(30)))
                    .isTrue();
            assertThat(sources).containsExactly(initiator.toString());
            assertThat(here.endpoint(initiator)).isEqualTo(there.endpoint(initiator));
        }
    }

    @Test
    void theMtuIsThatOfTheInterface() throws Exception {
        try (UdpLab lab = new UdpLab(Loopback.ONE_ADDRESS)) {
            Node node = lab.node(0);
            int mtu = NetworkInterface.getByInetAddress(Gid.parse("127.0.0.1").toAddress())
                    .getMTU();
            PathMtu expected =
                    PathMtu.largestNotAbove(Math.min(mtu, 65_535) - 80).orElseThrow();
            assertThat(node.device().queryPort(1).activeMtu()).isEqualTo(expected);
        }
    }
}
