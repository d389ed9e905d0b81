// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.cli.conformance.SimKind;
import dev.verbena.cli.network.NodesModule;
import dev.verbena.lnd.LnetNode;
import dev.verbena.lnet.ping.PingResponder;
import dev.verbena.lnet.ping.Pinger;
import dev.verbena.sim.SimDeviceSpec;
import dev.verbena.sim.SimProvider;
import dev.verbena.sim.capture.PacketTap;
import dev.verbena.sim.capture.TappedFabric;
import dev.verbena.sim.fabric.Fabric;
import dev.verbena.sim.runtime.ThreadRuntime;
import dev.verbena.sim.udp.UdpFabric;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.VerbsProvider;
import dev.verbena.wire.Icrc;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.DatagramChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * An unknown sender at the UDP port of a node. The sender has packets of earlier conversations of a good node (connection
 * management, LND messages). It sends modified copies with a correct ICRC, and random bytes.
 */
@Tag("udp")
class NodeOverUdpFuzzTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Gid SERVER = Gid.parse("192.0.2.2");
    private static final Gid GOOD = Gid.parse("192.0.2.1");
    private static final Gid PAST = Gid.parse("192.0.2.3");
    private static final int MOST_KNOWN = 200;
    /** Headers of IPv4 and UDP, before the BTH. */
    private static final int BEFORE_BTH = 28;

    private static InetSocketAddress anyPort() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    private static UdpFabric fabric(ThreadRuntime runtime, Gid gid) {
        UdpFabric fabric = new UdpFabric(runtime);
        fabric.endpoint(gid, anyPort());
        return fabric;
    }

    private static LnetNode node(VerbsProvider provider, Gid gid) throws Exception {
        return LnetNode.start(provider, gid.toAddress(), NodesModule.nid(gid));
    }

    private static SimProvider provider(ThreadRuntime runtime, Fabric fabric, Gid gid) throws Exception {
        return new SimProvider(
                runtime, fabric, List.of(new SimDeviceSpec("sim", List.of(gid), SimKind.SPECIFICATION.profile())));
    }

    private static void ping(LnetNode from, LnetNode to) throws Exception {
        CompletableFuture<Pinger.Result> answer = new CompletableFuture<>();
        Pinger.ping(from, to.id(), LONG, answer::complete);
        assertThat(answer.get(2 * LONG.toSeconds(), TimeUnit.SECONDS).info()).isNotNull();
    }

    @Test
    void aNodeServesAGoodOneBesideAStranger() throws Exception {
        List<byte[]> known = new ArrayList<>();
        PacketTap spy = (time, link, packet) -> {
            synchronized (known) {
                if (known.size() < MOST_KNOWN) {
                    known.add(packet.segment().asSlice(0, packet.length()).toArray(ValueLayout.JAVA_BYTE));
                }
            }
        };
        try (ThreadRuntime runtime = new ThreadRuntime(1);
                UdpFabric there = fabric(runtime, SERVER);
                UdpFabric here = fabric(runtime, GOOD);
                UdpFabric past = fabric(runtime, PAST)) {
            there.followEndpoint(GOOD);
            try (SimProvider serving = provider(runtime, there, SERVER);
                    LnetNode server = node(serving, SERVER);
                    PingResponder _ = PingResponder.start(server)) {
                here.endpoint(SERVER, there.endpoint(SERVER));
                past.endpoint(SERVER, there.endpoint(SERVER));
                there.endpoint(PAST, past.endpoint(PAST));
                try (SimProvider provider = provider(runtime, new TappedFabric(past, runtime, spy), PAST);
                        LnetNode gone = node(provider, PAST)) {
                    there.endpoint(PAST, past.endpoint(PAST));
                    ping(gone, server);
                }
                try (SimProvider provider = provider(runtime, here, GOOD);
                        LnetNode good = node(provider, GOOD);
                        DatagramChannel stranger = DatagramChannel.open().bind(anyPort());
                        Fuzz fuzz = new Fuzz("the UDP port of a node")) {
                    there.endpoint(GOOD, here.endpoint(GOOD));
                    Icrc icrc = new Icrc();
                    fuzz.run(
                            () -> stranger.send(ByteBuffer.wrap(datagram(fuzz, known, icrc)), there.endpoint(SERVER)),
                            () -> ping(good, server));
                }
            }
        }
    }

    /** The bytes after the headers of IP and UDP. */
    private static byte[] datagram(Fuzz fuzz, List<byte[]> known, Icrc icrc) {
        if (fuzz.random().nextInt(4) == 0) {
            return fuzz.bytes(fuzz.random().nextInt(200));
        }
        byte[] packet;
        synchronized (known) {
            packet = known.get(fuzz.random().nextInt(known.size())).clone();
        }
        for (int i = fuzz.random().nextInt(6); i > 0; i--) {
            packet[BEFORE_BTH + fuzz.random().nextInt(packet.length - BEFORE_BTH)] =
                    (byte) fuzz.random().nextInt(256);
        }
        ByteBuffer bytes = ByteBuffer.wrap(packet).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putInt(packet.length - Icrc.LENGTH, icrc.compute(ByteBuffer.wrap(packet), 0, packet.length));
        return Arrays.copyOfRange(packet, BEFORE_BTH, packet.length);
    }
}
