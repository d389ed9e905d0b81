// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.verbena.fault.FaultPlan;
import dev.verbena.fault.LinkRule;
import dev.verbena.fault.Probability;
import dev.verbena.fault.Verdict;
import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.fabric.Fabric;
import dev.verbena.sim.fixture.Connection;
import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.sim.fixture.Lab;
import dev.verbena.sim.fixture.Node;
import dev.verbena.sim.runtime.Registration;
import dev.verbena.sim.runtime.VirtualRuntime;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.AddressVector;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.Opcode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Rules on the links between two devices, and the reaction of a connection to each. First PSN 200. */
class LinkRulesTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final AtomicReference<FaultyFabric> made = new AtomicReference<>();
    private final VirtualRuntime runtime = new VirtualRuntime(1);
    private final Lab lab = new Lab(runtime, this::decorate);
    private Node left;
    private Node right;
    private Endpoint sender;
    private Endpoint receiver;

    private Fabric decorate(Fabric inner) {
        FaultyFabric fabric = new FaultyFabric(inner, FaultPlan.none(), runtime);
        made.set(fabric);
        return fabric;
    }

    @BeforeEach
    void connect() throws VerbsException {
        left = lab.node("sim0", "192.0.2.1");
        right = lab.node("sim1", "192.0.2.2");
        sender = left.endpoint();
        receiver = right.endpoint();
        sender.connect(receiver, Connection.USUAL);
        left.fill(0, 1000, 1);
    }

    @AfterEach
    void stop() {
        lab.close();
    }

    private Registration rule(LinkRule rule) {
        return made.get().add(rule);
    }

    private long count(FaultKind kind) {
        return made.get().count(kind);
    }

    /** Sends messages of 100 bytes and lets time pass. */
    private void exchange(int messages) {
        for (int id = 1; id <= messages; id++) {
            receiver.receive(id, id * 100L, 100);
            sender.send(id, id, 100);
        }
        lab.run(SECOND);
    }

    private void expect(int messages) {
        List<String> sent = new ArrayList<>();
        List<String> received = new ArrayList<>();
        for (int id = 1; id <= messages; id++) {
            sent.add("SEND " + id);
            received.add("RECV " + id + " of 100 bytes");
            assertThat(right.bytes(id * 100L, 100)).isEqualTo(left.bytes(id, 100));
        }
        assertThat(sender.sends()).isEqualTo(sent);
        assertThat(receiver.receives()).isEqualTo(received);
    }

    @Test
    void aPacketForWhichARuleThrowsIsLostAndSentAgain() throws InterruptedException {
        AtomicInteger left = new AtomicInteger(1);
        made.get().add((packet, random) -> {
            if (left.getAndDecrement() > 0) {
                throw new IllegalStateException("thrown by the rule");
            }
            return Verdict.PASS;
        });
        receiver.receive(1, 0, 100);
        sender.send(1, 0, 10);
        assertThatIllegalStateException()
                .isThrownBy(() -> runtime.await(() -> false, SECOND))
                .withMessage("thrown by the rule");
        runtime.await(() -> false, SECOND);
        assertThat(sender.sends()).containsExactly("SEND 1");
        assertThat(made.get().count(FaultKind.DROP)).isEqualTo(1);
    }

    @Test
    void aDroppedPacketIsRetransmitted() {
        rule(LinkRule.once(packet -> packet.psn() == 201, Verdict.DROP));
        exchange(3);
        expect(3);
        assertThat(count(FaultKind.DROP)).isEqualTo(1);
        assertThat(left.count(Counter.COMPLETER_RETRY_ERR)).isEqualTo(1);
    }

    @Test
    void theNthPacketsOfAKindAreTaken() {
        List<Integer> dropped = new ArrayList<>();
        LinkRule rule = LinkRule.nth(packet -> packet.opcode() == Opcode.RC_SEND_ONLY.code(), 2, 2, Verdict.DROP);
        rule((packet, random) -> {
            Verdict verdict = rule.judge(packet, random);
            if (verdict.equals(Verdict.DROP)) {
                dropped.add(packet.psn());
            }
            return verdict;
        });
        exchange(5);
        expect(5);
        assertThat(dropped).containsExactly(201, 202);
    }

    @Test
    void everyPacketOfAKindIsTakenUntilTheRuleEnds() {
        Registration deaf = rule(LinkRule.always(packet -> packet.source().equals(right.address()), Verdict.DROP));
        exchange(1);
        assertThat(receiver.receives()).hasSize(1);
        assertThat(sender.sends()).containsExactly("RETRY_EXC_ERR 1");
        deaf.close();
        assertThat(count(FaultKind.DROP)).isEqualTo(8);
    }

    @Test
    void someOfAKindAreTakenByChance() {
        rule(LinkRule.sometimes(packet -> true, Probability.parse("20%"), Verdict.DROP));
        exchange(40);
        expect(40);
        assertThat(count(FaultKind.DROP)).isBetween(5L, 60L);
    }

    @Test
    void aPartitionLosesWhatCrossesIt() {
        Registration partition = rule(LinkRule.partition(List.of(left.address())));
        sender.send(1, 0, 100);
        lab.run(Duration.ofMillis(200));
        assertThat(right.count(Counter.RCVD_PKTS)).isZero();
        receiver.receive(1, 0, 100);
        partition.close();
        lab.run(SECOND);
        assertThat(sender.sends()).containsExactly("SEND 1");
        assertThat(count(FaultKind.DROP)).isPositive();
    }

    @Test
    void aPartitionLeavesThoseOnOneSideAlone() {
        rule(LinkRule.partition(List.of(left.address(), right.address())));
        exchange(2);
        expect(2);
        assertThat(count(FaultKind.DROP)).isZero();
    }

    @Test
    void aClogHoldsPacketsAndLetsThemGoInOrder() {
        Registration clog = rule(LinkRule.clog(packet -> packet.source().equals(left.address())));
        for (int id = 1; id <= 3; id++) {
            receiver.receive(id, id * 100L, 100);
            sender.send(id, id, 100);
        }
        lab.settle();
        assertThat(right.count(Counter.RCVD_PKTS)).isZero();
        assertThat(count(FaultKind.HOLD)).isEqualTo(3);
        clog.close();
        lab.settle();
        expect(3);
        assertThat(right.count(Counter.OUT_OF_SEQ_REQUEST)).isZero();
        assertThat(left.count(Counter.COMPLETER_RETRY_ERR)).isZero();
    }

    @Test
    void aPacketHeldByTwoClogsStaysHeldAfterOneEnds() {
        Registration wide = rule(LinkRule.clog(packet -> packet.source().equals(left.address())));
        Registration narrow = rule(LinkRule.clog(packet -> packet.psn() == 201));
        exchangeNow(2);
        wide.close();
        lab.settle();
        assertThat(receiver.receives()).containsExactly("RECV 1 of 100 bytes");
        narrow.close();
        lab.settle();
        assertThat(receiver.receives()).containsExactly("RECV 2 of 100 bytes");
    }

    private void exchangeNow(int messages) {
        for (int id = 1; id <= messages; id++) {
            receiver.receive(id, id * 100L, 100);
            sender.send(id, id, 100);
        }
        lab.settle();
    }

    @Test
    void aCloggedLinkLosesWhatItCannotHold() throws VerbsException {
        rule(LinkRule.clog(packet -> true));
        Endpoint datagrams = left.endpoint(QpType.UD).ready(7);
        AddressHandle handle = left.domain().createAh(AddressVector.toGid(right.address(), 1));
        for (int i = 0; i < FaultyLink.MOST_HELD + 5; i++) {
            datagrams.post(wr -> wr.send().sge(left.region(), 0, 1).to(handle, 17, 7));
            if (i % 32 == 0) {
                lab.settle();
            }
        }
        lab.settle();
        assertThat(count(FaultKind.HOLD)).isEqualTo(FaultyLink.MOST_HELD);
        assertThat(count(FaultKind.DROP)).isEqualTo(5);
    }

    @Test
    void aPacketTruncatedAtAnyByteIsDroppedAndRetransmitted() {
        int transportLength = 12 + 100 + 4;
        for (int length = 0; length < transportLength; length++) {
            int bytes = length;
            rule(LinkRule.once(packet -> packet.source().equals(left.address()), new Verdict.Truncate(bytes)));
            receiver.receive(1, 0, 100);
            sender.send(1, 1, 100);
            lab.run(SECOND);
            assertThat(sender.sends()).as("cut to %d", bytes).containsExactly("SEND 1");
            assertThat(receiver.receives()).containsExactly("RECV 1 of 100 bytes");
        }
        assertThat(count(FaultKind.TRUNCATE)).isEqualTo(transportLength);
        assertThat(right.count(Counter.DROPPED_MALFORMED)).isEqualTo(transportLength);
    }

    @Test
    void aPacketThatIsNotLongerIsNotCut() {
        rule(LinkRule.always(packet -> true, new Verdict.Truncate(5000)));
        exchange(2);
        expect(2);
        assertThat(count(FaultKind.TRUNCATE)).isZero();
    }

    @Test
    void truncationByChanceIsARuleOfPlans() {
        FaultPlan.builder().truncate(Probability.parse("20%")).build().rules().forEach(this::rule);
        exchange(40);
        expect(40);
        assertThat(count(FaultKind.TRUNCATE)).isBetween(5L, 60L);
        assertThat(FaultPlan.builder().truncate(Probability.NEVER).build().rules())
                .isEmpty();
    }

    @Test
    void numbersThatMakeNoSenseAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Verdict.Truncate(-1));
        for (int bad : IntStream.of(0, -1).toArray()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> LinkRule.nth(packet -> true, bad, 1, Verdict.DROP))
                    .withMessageContaining("must be at least 1");
            assertThatIllegalArgumentException().isThrownBy(() -> LinkRule.nth(packet -> true, 1, bad, Verdict.DROP));
        }
    }
}
