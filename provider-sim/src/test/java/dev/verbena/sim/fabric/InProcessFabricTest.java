// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.fabric;

import static dev.verbena.sim.fabric.Ports.OVERHEAD;
import static dev.verbena.sim.fabric.Ports.attach;
import static dev.verbena.sim.fabric.Ports.gid;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.verbena.sim.runtime.VirtualRuntime;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class InProcessFabricTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final LinkProperties ONE_BYTE_PER_NANO =
            new LinkProperties(Duration.ofNanos(1000), 1_000_000_000, 4200);

    private final VirtualRuntime runtime = new VirtualRuntime(1);
    private final InProcessFabric fabric = new InProcessFabric(runtime, ONE_BYTE_PER_NANO);
    private final List<String> log = new ArrayList<>();

    private void logs(SimPacket packet) {
        log.add(runtime.nanoTime() + " psn " + packet.bth().psn());
        packet.release();
    }

    @Test
    void aPacketComesAfterItsSerializationAndTheLatency() throws Exception {
        FabricPort sender = attach(fabric, 0, this::logs);
        attach(fabric, 1, this::logs);
        sender.send(Ports.packet(sender, gid(0), gid(1), 7, 256));
        assertThat(log).isEmpty();
        runtime.await(() -> false, SECOND);
        assertThat(log).containsExactly((256 + OVERHEAD + 1000) + " psn 7");
    }

    @Test
    void packetsOfOneLinkQueueAndThoseOfOtherLinksDoNot() throws Exception {
        FabricPort zero = attach(fabric, 0, this::logs);
        FabricPort one = attach(fabric, 1, this::logs);
        attach(fabric, 2, this::logs);
        zero.send(Ports.packet(zero, gid(0), gid(2), 1, 256));
        zero.send(Ports.packet(zero, gid(0), gid(2), 2, 0));
        one.send(Ports.packet(one, gid(1), gid(2), 3, 256));
        runtime.await(() -> false, SECOND);
        assertThat(log).containsExactly("1300 psn 1", "1300 psn 3", "1344 psn 2");
    }

    @Test
    void aLinkIsIdleAgainAfterAPause() throws Exception {
        FabricPort sender = attach(fabric, 0, this::logs);
        attach(fabric, 1, this::logs);
        sender.send(Ports.packet(sender, gid(0), gid(1), 1, 256));
        runtime.await(() -> false, Duration.ofNanos(5000));
        sender.send(Ports.packet(sender, gid(0), gid(1), 2, 256));
        runtime.await(() -> false, SECOND);
        assertThat(log).containsExactly("1300 psn 1", "6300 psn 2");
    }

    @Test
    void aCheckingFabricAsksForSealedPacketsAndTrustsNone() throws Exception {
        InProcessFabric checking = InProcessFabric.checking(runtime);
        FabricPort sender = attach(checking, 0, this::logs);
        attach(checking, 1, packet -> {
            log.add("trusted " + packet.trusted());
            packet.release();
        });
        sender.send(Ports.packet(sender, gid(0), gid(1), 7, 256));
        runtime.await(() -> false, SECOND);
        assertThat(log).containsExactly("trusted false");
        assertThat(checking.looksAtBytes()).isTrue();
        assertThat(fabric.looksAtBytes()).isFalse();
    }

    @Test
    void theDefaultLinkIsOneOf100Gigabits() {
        assertThat(LinkProperties.DEFAULT.serializationNanos(12_500)).isEqualTo(1000);
        assertThat(LinkProperties.DEFAULT.serializationNanos(1)).isEqualTo(1);
        assertThat(LinkProperties.DEFAULT.serializationNanos(0)).isZero();
    }

    @Property(tries = 100)
    void aLinkKeepsTheOrderOfItsPackets(@ForAll long seed, @ForAll @IntRange(min = 1, max = 500) int count)
            throws Exception {
        VirtualRuntime runtime = new VirtualRuntime(seed);
        InProcessFabric fabric = new InProcessFabric(runtime);
        List<Integer> arrived = new ArrayList<>();
        RandomGenerator random = runtime.newRandom("traffic");
        FabricPort sender = attach(fabric, 0, SimPacket::release);
        attach(fabric, 1, packet -> {
            arrived.add(packet.bth().psn());
            packet.release();
        });
        for (int psn = 0; psn < count; psn++) {
            sender.send(Ports.packet(sender, gid(0), gid(1), psn, random.nextInt(4096)));
            if (random.nextInt(8) == 0) {
                runtime.await(() -> false, Duration.ofNanos(random.nextInt(3000)));
            }
        }
        runtime.await(() -> arrived.size() == count, SECOND);
        assertThat(arrived).hasSize(count).isSorted();
        assertThat(fabric.pool().made()).isLessThanOrEqualTo(count);
    }

    @Test
    void packetsToUnknownAddressesAreReleasedAndCounted() throws Exception {
        FabricPort sender = attach(fabric, 0, this::logs);
        FabricPort receiver = attach(fabric, 1, this::logs);
        sender.send(Ports.packet(sender, gid(0), gid(5), 1, 0));
        assertThat(fabric.undeliverable()).isEqualTo(1);
        sender.send(Ports.packet(sender, gid(0), gid(1), 2, 0));
        receiver.close();
        receiver.close();
        runtime.await(() -> false, SECOND);
        assertThat(fabric.undeliverable()).isEqualTo(2);
        assertThat(log).isEmpty();
        assertThat(fabric.pool().made()).as("the packets were released").isLessThanOrEqualTo(2);
        assertThat(fabric.reaches(gid(0), gid(1))).isFalse();
        assertThat(fabric.reaches(gid(0), gid(0))).isTrue();
    }

    @Test
    void aClosedPortSendsNothing() throws Exception {
        FabricPort sender = attach(fabric, 0, this::logs);
        attach(fabric, 1, this::logs);
        SimPacket packet = Ports.packet(sender, gid(0), gid(1), 1, 0);
        sender.close();
        sender.send(packet);
        runtime.await(() -> false, SECOND);
        assertThat(log).isEmpty();
        assertThat(fabric.undeliverable()).isEqualTo(1);
    }

    @Test
    void anAddressCanBeAttachedAgainAfterItWasClosed() throws Exception {
        FabricPort sender = attach(fabric, 0, this::logs);
        List<SimPacket> second = new ArrayList<>();
        FabricPort first = attach(fabric, 1, this::logs);
        sender.send(Ports.packet(sender, gid(0), gid(1), 1, 0));
        runtime.await(() -> log.size() == 1, SECOND);
        first.close();
        attach(fabric, 1, second::add);
        sender.send(Ports.packet(sender, gid(0), gid(1), 2, 0));
        runtime.await(() -> !second.isEmpty(), SECOND);
        assertThat(log).hasSize(1);
        assertThat(second).hasSize(1);
    }

    @Test
    void anAddressInUseIsRefusedAndNothingIsAttached() throws Exception {
        attach(fabric, 0, this::logs);
        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(() -> fabric.attach("sim1", List.of(gid(1), gid(0)), this::logs))
                .withMessageContaining("sim0")
                .withMessageContaining("10.0.0.1")
                .satisfies(refusal -> assertThat(refusal.errno()).isEqualTo(Errno.EADDRINUSE));
        assertThat(fabric.reaches(gid(0), gid(1))).isFalse();
    }

    @Test
    void aPacketLongerThanTheMtuIsLostAndCounted() throws Exception {
        InProcessFabric small = new InProcessFabric(runtime, new LinkProperties(Duration.ZERO, 1, 1024));
        FabricPort sender = attach(small, 0, this::logs);
        assertThat(sender.mtu()).isEqualTo(1024);
        sender.send(Ports.packet(sender, gid(0), gid(0), 1, 1024));
        assertThat(small.oversized()).isEqualTo(1);
        sender.send(Ports.packet(sender, gid(0), gid(0), 2, 1024 - OVERHEAD));
        runtime.await(() -> !log.isEmpty(), Duration.ofHours(1));
        assertThat(log).containsExactly(1024_000_000_000L + " psn 2");
    }
}
