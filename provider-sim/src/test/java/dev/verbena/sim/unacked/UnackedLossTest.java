// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.unacked;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.fault.FaultPlan;
import dev.verbena.fault.LinkPacket;
import dev.verbena.fault.Verdict;
import dev.verbena.sim.fault.FaultyFabric;
import dev.verbena.sim.fixture.Connection;
import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.sim.fixture.Lab;
import dev.verbena.sim.fixture.Node;
import dev.verbena.sim.runtime.VirtualRuntime;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.AddressVector;
import dev.verbena.verbs.PathMtu;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.SendWorkRequest;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.Psn;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterContainer;
import org.jspecify.annotations.Nullable;

/** On links that drop and damage packets, a message is received if and only if all of its packets arrived intact. */
class UnackedLossTest {
    private static final int TRIES = 300;
    private static final int QKEY = 77;
    private static final int GRH = 40;
    private static final int SLOT = 4096;
    private static final int MAX_MESSAGES = 50;
    private static final long TARGET = 400_000;

    /** Bits that the ICRC of every packet covers: those after the byte with the congestion flags. */
    private static final int FIRST_COVERED_BIT = 40;

    private static final int COVERED_BITS = 88;
    private static final Map<String, Integer> TALLY = new TreeMap<>();
    private static int runs;

    /** A message sent: its length, whether by WRITE, and the PSN of its first packet. */
    private record Message(int number, int length, boolean write, int firstPsn, int packets) {}

    private final Set<Integer> lost = new HashSet<>();
    private double chance;

    private Verdict judge(LinkPacket packet, RandomGenerator random) {
        if (random.nextDouble() >= chance) {
            return Verdict.PASS;
        }
        lost.add(packet.psn());
        return random.nextBoolean()
                ? Verdict.DROP
                : new Verdict.Corrupt(FIRST_COVERED_BIT + random.nextInt(COVERED_BITS));
    }

    @Property(tries = TRIES)
    void everyMessageArrivesWholeAndInOrderOrNotAtAll(
            @ForAll long seed,
            @ForAll boolean datagrams,
            @ForAll @IntRange(min = 1, max = MAX_MESSAGES) int count,
            @ForAll @IntRange(max = 60) int percent)
            throws VerbsException {
        lost.clear();
        chance = percent / 100.0;
        VirtualRuntime runtime = new VirtualRuntime(seed);
        RandomGenerator random = runtime.newRandom("messages");
        try (Lab lab = new Lab(
                runtime,
                wire -> new FaultyFabric(
                        wire, FaultPlan.builder().rule(this::judge).build(), runtime))) {
            Node left = lab.node("sim0", "192.0.2.1");
            Node right = lab.node("sim1", "192.0.2.2");
            PathMtu mtu = random.nextBoolean() ? PathMtu.MTU_256 : PathMtu.MTU_512;
            int firstPsn = random.nextInt(1 << 24);
            QpType type = datagrams ? QpType.UD : QpType.UC;
            Endpoint sender = left.endpoint(type);
            Endpoint receiver = right.endpoint(type);
            AddressHandle handle = left.domain().createAh(AddressVector.toGid(right.address(), 1));
            if (datagrams) {
                sender.ready(QKEY, firstPsn);
                receiver.ready(QKEY);
            } else {
                sender.connect(receiver, Connection.USUAL.mtu(mtu).psns(firstPsn, 0));
            }
            List<Message> messages = plan(random, count, datagrams, mtu.bytes(), firstPsn);
            for (int i = 0; i < count; i++) {
                receiver.receive(i, (long) i * SLOT, SLOT);
            }
            for (Message message : messages) {
                left.fill((long) message.number() * SLOT, message.length(), message.number());
                sender.post(request -> fill(request, message, left, right, datagrams ? handle : null, receiver));
            }
            lab.settle();
            check(messages, left, right, sender, receiver, datagrams);
        }
    }

    private static List<Message> plan(RandomGenerator random, int count, boolean datagrams, int mtu, int firstPsn) {
        List<Message> messages = new ArrayList<>();
        int psn = firstPsn;
        for (int i = 0; i < count; i++) {
            int edge = random.nextInt(datagrams ? 1 : 5) * mtu + random.nextInt(3) - 1;
            int length = datagrams ? random.nextInt(SLOT - GRH) : Math.max(0, edge);
            int packets = datagrams ? 1 : Math.max(1, (length + mtu - 1) / mtu);
            messages.add(new Message(i, length, !datagrams && random.nextInt(3) == 0, psn, packets));
            psn = Psn.add(psn, packets);
        }
        return messages;
    }

    private static void fill(
            SendWorkRequest request,
            Message message,
            Node left,
            Node right,
            @Nullable AddressHandle handle,
            Endpoint receiver) {
        int number = message.number();
        SendWorkRequest chosen = message.write()
                ? request.rdmaWriteWithImmediate(
                        right.region().address() + TARGET + (long) number * SLOT,
                        right.region().rkey(),
                        number)
                : request.sendWithImmediate(number);
        chosen.id(number).signaled().sge(left.region(), (long) number * SLOT, message.length());
        if (handle != null) {
            chosen.to(handle, receiver.qp().number(), QKEY);
        }
    }

    private void check(
            List<Message> messages, Node left, Node right, Endpoint sender, Endpoint receiver, boolean datagrams) {
        List<String> sends = new ArrayList<>();
        List<String> receives = new ArrayList<>();
        for (Message message : messages) {
            sends.add((message.write() ? "RDMA_WRITE " : "SEND ") + message.number());
            if (isLost(message)) {
                continue;
            }
            int before = datagrams ? GRH : 0;
            int receive = receives.size();
            receives.add((message.write() ? "RECV_RDMA_WITH_IMM " : "RECV ") + receive + " of "
                    + (before + message.length()) + " bytes, immediate 0x" + Integer.toHexString(message.number()));
            long at = message.write() ? TARGET + (long) message.number() * SLOT : (long) receive * SLOT + before;
            assertThat(right.bytes(at, message.length()))
                    .as("message %d", message.number())
                    .isEqualTo(left.bytes((long) message.number() * SLOT, message.length()));
        }
        assertThat(sender.sends()).isEqualTo(sends);
        assertThat(receiver.receives()).isEqualTo(receives);
        assertThat(List.of(sender.state(), receiver.state())).containsOnly(QpState.RTS);
        tally(messages, receives.size(), datagrams);
    }

    private boolean isLost(Message message) {
        for (int i = 0; i < message.packets(); i++) {
            if (lost.contains(Psn.add(message.firstPsn(), i))) {
                return true;
            }
        }
        return false;
    }

    private void tally(List<Message> messages, int received, boolean datagrams) {
        String type = datagrams ? "UD" : "UC";
        runs++;
        TALLY.merge(type + " messages received", received, Integer::sum);
        TALLY.merge(type + " messages lost", messages.size() - received, Integer::sum);
        int torn = (int) messages.stream()
                .filter(message -> isLost(message) && message.packets() > 1)
                .count();
        TALLY.merge(type + " messages of several packets lost", torn, Integer::sum);
    }

    /**
     * An event that never happened was not tested. A single run, such as a replay by its seed, only prints its tally.
     */
    @AfterContainer
    static void printTallyAndCheckThatEverythingOccurred() {
        System.out.println(runs + " runs: " + TALLY);
        if (runs >= TRIES) {
            TALLY.remove("UD messages of several packets lost");
            assertThat(TALLY).hasSize(5).doesNotContainValue(0);
        }
    }
}
