// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.fault;

import static dev.verbena.sim.fabric.Ports.OVERHEAD;
import static dev.verbena.sim.fabric.Ports.gid;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import dev.verbena.fault.FaultPlan;
import dev.verbena.fault.LinkPacket;
import dev.verbena.fault.LinkRule;
import dev.verbena.fault.Probability;
import dev.verbena.fault.Verdict;
import dev.verbena.sim.fabric.FabricPort;
import dev.verbena.sim.fabric.InProcessFabric;
import dev.verbena.sim.fabric.LinkProperties;
import dev.verbena.sim.fabric.Ports;
import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.sim.runtime.Registration;
import dev.verbena.sim.runtime.VirtualRuntime;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.Opcode;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class FaultyFabricTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final FaultPlan FIVE_PERCENT_LOSS =
            FaultPlan.builder().drop(Probability.parse("5%")).build();

    /** Two ports in virtual time, with links of a microsecond and a negligible serialization time. */
    private static final class Net {
        final VirtualRuntime runtime;
        final InProcessFabric inner;
        final FaultyFabric fabric;
        final List<String> arrivals = new ArrayList<>();
        final FabricPort[] ports = new FabricPort[3];

        Net(long seed, FaultPlan plan) throws VerbsException {
            runtime = new VirtualRuntime(seed);
            inner = new InProcessFabric(runtime, new LinkProperties(Duration.ofNanos(1000), Long.MAX_VALUE, 4200));
            fabric = new FaultyFabric(inner, plan, runtime);
            for (int i = 0; i < ports.length; i++) {
                int number = i;
                ports[i] = Ports.attach(fabric, i, packet -> {
                    arrivals.add(runtime.nanoTime() + " sim" + number + " psn "
                            + packet.bth().psn());
                    packet.release();
                });
            }
        }

        void send(int from, int to, int psn) {
            ports[from].send(Ports.packet(ports[from], gid(from), gid(to), psn, 64));
        }

        void settle() throws InterruptedException {
            runtime.await(() -> false, SECOND);
        }
    }

    /** Returns a rule with a verdict for the packets with a PSN; the others pass. */
    private static LinkRule forPsn(int psn, Verdict verdict) {
        return (packet, random) -> packet.psn() == psn ? verdict : Verdict.PASS;
    }

    private static FaultPlan planOf(LinkRule... rules) {
        FaultPlan.Builder plan = FaultPlan.builder();
        for (LinkRule rule : rules) {
            plan.rule(rule);
        }
        return plan.build();
    }

    @Test
    void aPerfectLinkDeliversEverythingInOrder() throws Exception {
        Net net = new Net(1, FaultPlan.none());
        assertThat(net.fabric.looksAtBytes()).isFalse();
        net.send(0, 1, 1);
        net.send(0, 1, 2);
        net.settle();
        assertThat(net.arrivals).containsExactly("1001 sim1 psn 1", "1002 sim1 psn 2");
    }

    @Test
    void aDroppedPacketDoesNotComeAndGoesBackToThePool() throws Exception {
        Net net = new Net(1, planOf(forPsn(2, Verdict.DROP)));
        assertThat(net.fabric.looksAtBytes()).isTrue();
        FabricPort sender = net.ports[0];
        SimPacket lost = Ports.packet(sender, gid(0), gid(1), 2, 64);
        sender.send(lost);
        assertThat(sender.newPacket()).isSameAs(lost);
        net.send(0, 1, 3);
        net.settle();
        assertThat(net.arrivals).containsExactly("1001 sim1 psn 3");
        assertThat(net.fabric.count(FaultKind.DROP)).isEqualTo(1);
    }

    @Test
    void aDuplicatedPacketArrivesAsOftenAsTheVerdictRequires() throws Exception {
        Net net = new Net(1, planOf(forPsn(2, new Verdict.Duplicate(2))));
        net.send(0, 1, 1);
        net.send(0, 1, 2);
        net.settle();
        assertThat(net.arrivals)
                .containsExactly("1001 sim1 psn 1", "1002 sim1 psn 2", "1003 sim1 psn 2", "1004 sim1 psn 2");
        assertThat(net.fabric.count(FaultKind.DUPLICATE)).isEqualTo(2);
    }

    @Test
    void aDelayedPacketIsOvertaken() throws Exception {
        Net net = new Net(1, planOf(forPsn(1, new Verdict.Delay(Duration.ofNanos(500)))));
        net.send(0, 1, 1);
        net.send(0, 1, 2);
        net.settle();
        assertThat(net.arrivals).containsExactly("1001 sim1 psn 2", "1501 sim1 psn 1");
        assertThat(net.fabric.count(FaultKind.DELAY)).isEqualTo(1);
    }

    @Property(tries = 500)
    void aCorruptedPacketIsACopyWithOneBitOfItsTransportPartInverted(
            @ForAll long bit, @ForAll @IntRange(max = 4096) int payloadLength) throws Exception {
        VirtualRuntime runtime = new VirtualRuntime(1);
        FaultyFabric fabric =
                new FaultyFabric(new InProcessFabric(runtime), planOf(forPsn(7, new Verdict.Corrupt(bit))), runtime);
        FabricPort sender = Ports.attach(fabric, 0, SimPacket::release);
        AtomicReference<SimPacket> arrived = new AtomicReference<>();
        Ports.attach(fabric, 1, arrived::set);

        SimPacket original = Ports.packet(sender, gid(0), gid(1), 7, payloadLength);
        byte[] sent = bytes(original);
        sender.send(original);
        assertThat(runtime.await(() -> arrived.get() != null, SECOND)).isTrue();

        assertThat(arrived.get()).isNotSameAs(original);
        assertThat(bytes(original)).as("the sender's packet").isEqualTo(sent);
        assertThat(arrived.get().trusted()).isFalse();
        byte[] received = bytes(arrived.get());
        assertThat(received).hasSameSizeAs(sent);
        int inverted = (int) Long.remainderUnsigned(bit, 8L * (sent.length - 28));
        sent[28 + inverted / 8] ^= (byte) (1 << (inverted % 8));
        assertThat(received).isEqualTo(sent);
        assertThat(fabric.count(FaultKind.CORRUPT)).isEqualTo(1);
    }

    private static byte[] bytes(SimPacket packet) {
        return packet.segment().asSlice(0, packet.length()).toArray(ValueLayout.JAVA_BYTE);
    }

    @Test
    void copiesAreTrustedAsTheirOriginalIs() throws Exception {
        Net net = new Net(1, planOf(forPsn(1, new Verdict.Duplicate(1))));
        List<Boolean> trusted = new ArrayList<>();
        FabricPort receiver = Ports.attach(net.fabric, 3, packet -> {
            trusted.add(packet.trusted());
            packet.release();
        });
        net.send(0, 3, 1);
        SimPacket foreign = Ports.packet(net.ports[0], gid(0), gid(3), 1, 0);
        foreign.trusted(false);
        net.ports[0].send(foreign);
        net.settle();
        assertThat(trusted).containsExactly(true, true, false, false);
        receiver.close();
    }

    @Test
    void theFirstVerdictOtherThanPassCounts() throws Exception {
        Net net = new Net(1, planOf(forPsn(1, Verdict.PASS), forPsn(1, Verdict.DROP), (packet, random) -> {
            assertThat(packet.psn()).isNotEqualTo(1);
            return new Verdict.Pass();
        }));
        net.send(0, 1, 1);
        net.send(0, 1, 2);
        net.settle();
        assertThat(net.arrivals).containsExactly("1001 sim1 psn 2");
    }

    @Test
    void aRuleSeesThePacketAndItsPlaceOnTheLink() throws Exception {
        List<String> seen = new ArrayList<>();
        AtomicReference<LinkPacket> kept = new AtomicReference<>();
        Net net = new Net(1, planOf((packet, random) -> {
            seen.add(packet.ordinal() + " " + packet.source() + " " + packet.destination() + " "
                    + (packet.opcode() == Opcode.RC_SEND_ONLY.code()) + " " + packet.destinationQp() + " "
                    + packet.psn()
                    + " " + packet.bytes().byteSize() + " " + packet.bytes().isReadOnly());
            kept.set(packet);
            return Verdict.PASS;
        }));
        net.send(0, 1, 1);
        net.send(0, 2, 2);
        net.send(0, 1, 3);
        assertThat(seen)
                .containsExactly(
                        "0 ::ffff:10.0.0.1 ::ffff:10.0.0.2 true 17 1 " + (64 + OVERHEAD) + " true",
                        "0 ::ffff:10.0.0.1 ::ffff:10.0.0.3 true 17 2 " + (64 + OVERHEAD) + " true",
                        "1 ::ffff:10.0.0.1 ::ffff:10.0.0.2 true 17 3 " + (64 + OVERHEAD) + " true");
        assertThatIllegalStateException().isThrownBy(() -> kept.get().psn()).withMessageContaining("during the call");
    }

    @Test
    void aCommandedRuleHoldsUntilItIsClosed() throws Exception {
        Net net = new Net(1, planOf(forPsn(2, new Verdict.Duplicate(1))));
        LinkRule dropAll = (packet, random) -> Verdict.DROP;
        Registration first = net.fabric.add(dropAll);
        Registration second = net.fabric.add(dropAll);
        first.close();
        first.close();
        net.send(0, 1, 2);
        assertThat(net.fabric.count(FaultKind.DROP)).as("asked before the plan").isEqualTo(1);
        second.close();
        net.send(0, 1, 2);
        net.settle();
        assertThat(net.arrivals).hasSize(2);
        assertThat(net.fabric.count(FaultKind.DROP)).isEqualTo(1);
    }

    @Test
    void looksAtBytesWhileThereAreRules() throws Exception {
        Net net = new Net(1, FaultPlan.none());
        try (Registration rule = net.fabric.add((packet, random) -> Verdict.PASS)) {
            assertThat(rule).isNotNull();
            assertThat(net.fabric.looksAtBytes()).isTrue();
        }
        assertThat(net.fabric.looksAtBytes()).isFalse();
    }

    @Test
    void addressesAreThoseOfTheInnerFabric() throws Exception {
        Net net = new Net(1, FaultPlan.none());
        assertThat(net.fabric.reaches(gid(0), gid(1))).isTrue();
        assertThat(net.ports[1].mtu()).isEqualTo(4200);
        net.ports[1].close();
        assertThat(net.fabric.reaches(gid(0), gid(1))).isFalse();
        net.send(0, 1, 1);
        assertThat(net.inner.undeliverable()).isEqualTo(1);
    }

    @Property(tries = 20)
    void aFaultOfProbabilityZeroDrawsNoRandomNumber(@ForAll long seed) throws Exception {
        FaultPlan same = FaultPlan.builder()
                .corrupt(Probability.NEVER)
                .duplicate(Probability.NEVER)
                .drop(Probability.parse("5%"))
                .reorder(Probability.NEVER, SECOND)
                .build();
        assertThat(lostOf(seed, same, 1)).isEqualTo(lostOf(seed, FIVE_PERCENT_LOSS, 1));
    }

    @Property(tries = 20)
    void trafficOnOneLinkDoesNotChangeTheFaultsOfAnother(@ForAll long seed) throws Exception {
        Set<Integer> alone = lostOf(seed, FIVE_PERCENT_LOSS, 1);
        assertThat(lostOf(seed, FIVE_PERCENT_LOSS, 4)).isEqualTo(alone);
        assertThat(lostOf(seed + 1, FIVE_PERCENT_LOSS, 1)).isNotEqualTo(alone);
    }

    /**
     * Sends on sim0->sim1, and {@code links - 1} times as often on sim1->sim0. Returns the PSNs that were lost on the
     * first link.
     */
    private static Set<Integer> lostOf(long seed, FaultPlan plan, int links) throws Exception {
        Net net = new Net(seed, plan);
        Set<Integer> lost = new HashSet<>();
        for (int psn = 0; psn < 1000; psn++) {
            for (int i = 1; i < links; i++) {
                net.send(1, 0, psn);
            }
            long before = net.fabric.count(FaultKind.DROP);
            net.send(0, 1, psn);
            if (net.fabric.count(FaultKind.DROP) > before) {
                lost.add(psn);
            }
        }
        return lost;
    }

    @Test
    void faultsHappenAboutAsOftenAsTheyShould() throws Exception {
        int packets = 20_000;
        FaultPlan plan = FaultPlan.builder()
                .drop(Probability.parse("10%"))
                .reorder(Probability.parse("5%"), Duration.ofNanos(3000))
                .duplicate(Probability.parse("2%"))
                .corrupt(Probability.parse("1%"))
                .build();
        Net net = new Net(7, plan);
        for (int psn = 0; psn < packets; psn++) {
            net.send(0, 1, psn);
            net.runtime.await(() -> false, Duration.ofNanos(1000));
        }
        net.settle();
        // Each rule judges the packets that passed those before it. Four standard deviations, for a fixed seed.
        double left = packets;
        assertFrequency(net, FaultKind.DROP, left, 0.10);
        left *= 0.90;
        assertFrequency(net, FaultKind.DELAY, left, 0.05);
        left *= 0.95;
        assertFrequency(net, FaultKind.DUPLICATE, left, 0.02);
        left *= 0.98;
        assertFrequency(net, FaultKind.CORRUPT, left, 0.01);
        assertThat(net.arrivals)
                .hasSize((int) (packets - net.fabric.count(FaultKind.DROP) + net.fabric.count(FaultKind.DUPLICATE)));
    }

    private static void assertFrequency(Net net, FaultKind kind, double trials, double chance) {
        assertThat((double) net.fabric.count(kind))
                .as("%s", kind)
                .isCloseTo(trials * chance, within(4 * Math.sqrt(trials * chance * (1 - chance))));
    }
}
