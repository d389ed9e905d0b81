// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.capture;

import static dev.verbena.sim.fabric.Ports.gid;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.fault.FaultPlan;
import dev.verbena.fault.Probability;
import dev.verbena.fault.Verdict;
import dev.verbena.sim.fabric.FabricPort;
import dev.verbena.sim.fabric.InProcessFabric;
import dev.verbena.sim.fabric.Ports;
import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.sim.fault.FaultyFabric;
import dev.verbena.sim.runtime.ThreadRuntime;
import dev.verbena.sim.runtime.VirtualRuntime;
import dev.verbena.verbs.VerbsException;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class TappedFabricTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    @Test
    void theOrderOfDecoratorsDeterminesWhetherATapSeesSentOrSurvivingPackets() throws Exception {
        VirtualRuntime runtime = new VirtualRuntime(1);
        List<String> survived = new ArrayList<>();
        List<String> sent = new ArrayList<>();
        List<Integer> arrived = new ArrayList<>();
        FaultPlan plan = FaultPlan.builder()
                .rule((packet, random) -> switch (packet.psn()) {
                    case 1 -> Verdict.DROP;
                    case 2 -> new Verdict.Duplicate(1);
                    case 3 -> new Verdict.Delay(Duration.ofNanos(50));
                    default -> Verdict.PASS;
                })
                .build();
        InProcessFabric wire = new InProcessFabric(runtime);
        TappedFabric inside = new TappedFabric(wire, runtime, logTo(survived));
        TappedFabric outside = new TappedFabric(new FaultyFabric(inside, plan, runtime), runtime, logTo(sent));
        assertThat(outside.looksAtBytes()).isTrue();
        FabricPort sender = Ports.attach(outside, 0, SimPacket::release);
        Ports.attach(outside, 1, packet -> {
            arrived.add(packet.bth().psn());
            packet.release();
        });
        for (int psn = 1; psn <= 4; psn++) {
            sender.send(Ports.packet(sender, gid(0), gid(1), psn, 0));
        }
        runtime.await(() -> false, SECOND);
        assertThat(sent).containsExactly("0 sim0->sim1 1", "0 sim0->sim1 2", "0 sim0->sim1 3", "0 sim0->sim1 4");
        assertThat(survived).containsExactly("0 sim0->sim1 2", "0 sim0->sim1 2", "0 sim0->sim1 4", "50 sim0->sim1 3");
        assertThat(arrived).containsExactly(2, 2, 4, 3);
        assertThat(outside.reaches(gid(0), gid(1))).isTrue();
        assertThat(outside.reaches(gid(0), gid(2))).isFalse();
    }

    private static PacketTap logTo(List<String> log) {
        return (nanoTime, link, packet) ->
                log.add(nanoTime + " " + link + " " + packet.bth().psn());
    }

    @Test
    void aTapSeesPacketsOfAllThreadsOneAtATimeAndInTheOrderOfTheirTimes() throws Exception {
        int threads = 4;
        int each = 5_000;
        // Unsynchronized on purpose: the count would show lost or torn updates.
        long[] seen = {0};
        long[] last = {Long.MIN_VALUE};
        long[] backwards = {0};
        try (ThreadRuntime runtime = new ThreadRuntime(1)) {
            TappedFabric fabric = new TappedFabric(new InProcessFabric(runtime), runtime, (nanoTime, link, packet) -> {
                seen[0]++;
                if (nanoTime < last[0]) {
                    backwards[0]++;
                }
                last[0] = nanoTime;
            });
            FabricPort sender = Ports.attach(fabric, 0, SimPacket::release);
            Ports.attach(fabric, 1, SimPacket::release);
            List<Thread> senders = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                senders.add(Thread.ofPlatform().start(() -> {
                    for (int psn = 0; psn < each; psn++) {
                        sender.send(Ports.packet(sender, gid(0), gid(1), psn, 0));
                    }
                }));
            }
            for (Thread thread : senders) {
                thread.join();
            }
        }
        assertThat(seen[0]).isEqualTo((long) threads * each);
        assertThat(backwards[0]).isZero();
    }

    @Test
    void theTraceHashIsSha256OfTimeLinkAndBytes() throws Exception {
        VirtualRuntime runtime = new VirtualRuntime(1);
        TraceHash hash = new TraceHash();
        assertThat(hash.hex()).isEqualTo("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        ByteArrayOutputStream expected = new ByteArrayOutputStream();
        List<String> order = new ArrayList<>();
        CompositeTap taps = new CompositeTap(
                List.of((nanoTime, link, packet) -> order.add("first"), hash, (nanoTime, link, packet) -> {
                    order.add("last");
                    append(expected, nanoTime, link, packet);
                }));
        TappedFabric fabric = new TappedFabric(new InProcessFabric(runtime), runtime, taps);
        FabricPort sender = Ports.attach(fabric, 0, SimPacket::release);
        Ports.attach(fabric, 1, SimPacket::release);
        sender.send(Ports.packet(sender, gid(0), gid(1), 1, 100));
        runtime.await(() -> false, Duration.ofNanos(12345));
        sender.send(Ports.packet(sender, gid(0), gid(1), 2, 4096));
        assertThat(hash.packets()).isEqualTo(2);
        assertThat(hash.hex()).isEqualTo(sha256(expected.toByteArray())).isEqualTo(hash.hex());
        assertThat(order).containsExactly("first", "last", "first", "last");
    }

    private static void append(ByteArrayOutputStream out, long nanoTime, String link, SimPacket packet) {
        try (DataOutputStream data = new DataOutputStream(out)) {
            data.writeLong(nanoTime);
            byte[] name = link.getBytes(StandardCharsets.UTF_8);
            data.writeInt(name.length);
            data.write(name);
            byte[] datagram = packet.segment().asSlice(0, packet.length()).toArray(ValueLayout.JAVA_BYTE);
            data.writeInt(datagram.length);
            data.write(datagram);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static String sha256(byte[] bytes) throws NoSuchAlgorithmException {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    }

    @Test
    void aRunHasTheSameHashEachTimeAndAnotherSeedAnother() throws Exception {
        assertThat(hashOfRun(7)).isEqualTo(hashOfRun(7)).isNotEqualTo(hashOfRun(8));
    }

    /** Returns the hash of a ping-pong of a thousand packets over links with faults, which may end early. */
    private static String hashOfRun(long seed) throws VerbsException, InterruptedException {
        VirtualRuntime runtime = new VirtualRuntime(seed);
        TraceHash hash = new TraceHash();
        FaultPlan plan = FaultPlan.builder()
                .duplicate(Probability.parse("5%"))
                .drop(Probability.parse("3%"))
                .corrupt(Probability.parse("1%"))
                .build();
        FaultyFabric fabric =
                new FaultyFabric(new TappedFabric(new InProcessFabric(runtime), runtime, hash), plan, runtime);
        FabricPort[] ports = new FabricPort[2];
        for (int i = 0; i < 2; i++) {
            int here = i;
            ports[i] = Ports.attach(fabric, i, packet -> {
                int psn = packet.bth().psn();
                packet.release();
                if (psn < 1000) {
                    ports[here].send(Ports.packet(ports[here], gid(here), gid(1 - here), psn + 1, psn));
                }
            });
        }
        for (int i = 0; i < 20; i++) {
            ports[0].send(Ports.packet(ports[0], gid(0), gid(1), 900, 0));
        }
        runtime.await(() -> false, SECOND);
        assertThat(hash.packets()).isGreaterThan(100);
        return hash.hex();
    }
}
