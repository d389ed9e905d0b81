// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.fault;

import static dev.verbena.sim.fabric.Ports.gid;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.fault.FaultPlan;
import dev.verbena.fault.Probability;
import dev.verbena.fault.Verdict;
import dev.verbena.sim.fabric.FabricPort;
import dev.verbena.sim.fabric.InProcessFabric;
import dev.verbena.sim.fabric.Ports;
import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.sim.runtime.ThreadRuntime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class FaultyFabricThreadsTest {
    /** Long enough for the slowest machine; only a failing test waits this long. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Test
    void packetsOfALinkAreJudgedOneAtATimeAndEachOnce() throws Exception {
        int threads = 4;
        int each = 10_000;
        AtomicBoolean judging = new AtomicBoolean();
        AtomicInteger overlaps = new AtomicInteger();
        AtomicLong lastOrdinal = new AtomicLong(-1);
        AtomicInteger gaps = new AtomicInteger();
        AtomicInteger arrived = new AtomicInteger();
        FaultPlan plan = FaultPlan.builder()
                .rule((packet, random) -> {
                    if (!judging.compareAndSet(false, true)) {
                        overlaps.incrementAndGet();
                    }
                    if (lastOrdinal.getAndSet(packet.ordinal()) != packet.ordinal() - 1) {
                        gaps.incrementAndGet();
                    }
                    judging.set(false);
                    return Verdict.PASS;
                })
                .drop(Probability.parse("10%"))
                .reorder(Probability.parse("10%"), Duration.ofNanos(1000))
                .duplicate(Probability.parse("10%"))
                .build();
        try (ThreadRuntime runtime = new ThreadRuntime(7)) {
            FaultyFabric fabric = new FaultyFabric(new InProcessFabric(runtime), plan, runtime);
            FabricPort sender = Ports.attach(fabric, 0, SimPacket::release);
            Ports.attach(fabric, 1, packet -> {
                packet.release();
                arrived.incrementAndGet();
            });
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
            assertThat(overlaps).hasValue(0);
            assertThat(gaps).hasValue(0);
            assertThat(lastOrdinal).hasValue((long) threads * each - 1);
            long expected = (long) threads * each - fabric.count(FaultKind.DROP) + fabric.count(FaultKind.DUPLICATE);
            assertThat(runtime.await(() -> arrived.get() == expected, PATIENCE)).isTrue();
            assertThat(fabric.count(FaultKind.DELAY)).isPositive();
        }
    }

    @Test
    void noLockOfTheLinkIsHeldWhileAPacketIsDelivered() throws Exception {
        FaultPlan plan =
                FaultPlan.builder().rule((packet, random) -> Verdict.PASS).build();
        try (ThreadRuntime runtime = new ThreadRuntime(7)) {
            FaultyFabric fabric = new FaultyFabric(new InProcessFabric(runtime), plan, runtime);
            FabricPort sender = Ports.attach(fabric, 0, SimPacket::release);
            AtomicReference<Boolean> otherThreadGotThrough = new AtomicReference<>();
            Ports.attach(fabric, 1, packet -> {
                boolean first = packet.bth().psn() == 1;
                packet.release();
                if (first) {
                    Thread other =
                            Thread.ofPlatform().start(() -> sender.send(Ports.packet(sender, gid(0), gid(1), 2, 0)));
                    try {
                        otherThreadGotThrough.set(other.join(PATIENCE));
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                }
            });
            sender.send(Ports.packet(sender, gid(0), gid(1), 1, 0));
            assertThat(otherThreadGotThrough).hasValue(true);
        }
    }
}
