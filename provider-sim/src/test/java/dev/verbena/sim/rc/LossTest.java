// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.rc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.fault.FaultPlan;
import dev.verbena.fault.LinkPacket;
import dev.verbena.fault.LinkRule;
import dev.verbena.fault.Probability;
import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.fault.FaultKind;
import dev.verbena.sim.fault.FaultyFabric;
import dev.verbena.sim.fixture.Connection;
import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.sim.fixture.Lab;
import dev.verbena.sim.fixture.LossLedger;
import dev.verbena.sim.fixture.MessagePattern;
import dev.verbena.sim.fixture.Node;
import dev.verbena.sim.runtime.VirtualRuntime;
import dev.verbena.verbs.AckTimeout;
import dev.verbena.verbs.PathMtu;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.RnrRetryCount;
import dev.verbena.verbs.RnrTimer;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletionStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ten thousand messages of 64 KiB in each direction, on links that drop, reorder, duplicate and corrupt packets. */
class LossTest {
    private static final int MESSAGES = 10_000;
    private static final int RETRIES = 7;
    private static final int FIRST_PSN = 0;
    private static final AckTimeout TIMEOUT = AckTimeout.ofCode(10);
    private static final Duration LONG_ENOUGH = Duration.ofHours(24);
    private static final FaultPlan WEATHER = FaultPlan.builder()
            .drop(Probability.parse("10%"))
            .reorder(Probability.parse("5%"), Duration.ofNanos(20_000))
            .duplicate(Probability.parse("2%"))
            .corrupt(Probability.parse("1%"))
            .build();

    private VirtualRuntime runtime;
    private FaultyFabric faults;
    private Lab lab;
    private final List<Node> nodes = new ArrayList<>();
    private final List<Endpoint> endpoints = new ArrayList<>();
    private final List<Map<Integer, LossLedger>> books = List.of(LossLedger.books(), LossLedger.books());

    private void build(long seed, FaultPlan plan) throws VerbsException {
        runtime = new VirtualRuntime(seed);
        lab = new Lab(runtime, wire -> {
            faults = new FaultyFabric(wire, FaultPlan.none(), runtime);
            List<LinkRule> ledgers = books.stream()
                    .map(side -> LossLedger.keep(plan, FIRST_PSN, side))
                    .toList();
            faults.add((packet, random) -> ledgers.get(side(packet)).judge(packet, random));
            return faults;
        });
        for (int side = 0; side < 2; side++) {
            Node node = lab.node("sim" + side, "192.0.2." + (side + 1), MessagePattern.MEMORY);
            nodes.add(node);
            endpoints.add(node.endpoint(
                    new QpCapabilities(MessagePattern.SEND_SLOTS, MessagePattern.RECEIVE_SLOTS, 1, 1, 0)));
        }
        endpoints
                .get(0)
                .connect(
                        endpoints.get(1),
                        Connection.USUAL
                                .mtu(PathMtu.MTU_4096)
                                .psns(FIRST_PSN, FIRST_PSN)
                                .timeout(TIMEOUT, RETRIES)
                                .rnr(RnrRetryCount.FOREVER, RnrTimer.ofCode(1)));
    }

    private int side(LinkPacket packet) {
        return packet.source().equals(nodes.get(0).address()) ? 0 : 1;
    }

    private LossLedger.Account account(int side) {
        return LossLedger.account(books.get(side), endpoints.get(1 - side).qp().number(), FIRST_PSN);
    }

    @Test
    void everythingArrivesOnceInOrderAndUnaltered() throws VerbsException {
        assertThat(check(1, WEATHER, MESSAGES)).isZero();
    }

    @Tag("sweep")
    @ParameterizedTest
    @ValueSource(longs = {2, 3, 4})
    void everythingArrivesWithOtherSeeds(long seed) throws VerbsException {
        check(seed, WEATHER, MESSAGES);
    }

    @ParameterizedTest
    @ValueSource(longs = {5, 6, 7, 8, 9, 10, 11, 12})
    void atHalfLossAQueuePairFailsOnlyAfterItsRetries(long seed) throws VerbsException {
        FaultPlan storm = FaultPlan.builder()
                .drop(Probability.parse("45%"))
                .reorder(Probability.parse("5%"), Duration.ofNanos(20_000))
                .duplicate(Probability.parse("2%"))
                .corrupt(Probability.parse("5%"))
                .build();
        assertThat(check(seed, storm, 1_000)).isPositive();
    }

    /** Returns the number of sides that failed; the other side may only have followed. */
    private int check(long seed, FaultPlan plan, int messages) throws VerbsException {
        build(seed, plan);
        List<MessageStream> streams = List.of(
                new MessageStream(endpoints.get(0), endpoints.get(1), messages, 17),
                new MessageStream(endpoints.get(1), endpoints.get(0), messages, 71));
        boolean ended = lab.until(
                () -> {
                    boolean done = true;
                    for (MessageStream stream : streams) {
                        done &= stream.step();
                    }
                    return done;
                },
                LONG_ENOUGH);
        assertThat(ended).isTrue();
        report(seed);
        int gaveUp = 0;
        for (int side = 0; side < 2; side++) {
            MessageStream stream = streams.get(side);
            assertThat(stream.failures()).isEmpty();
            if (stream.failedWith() != null) {
                gaveUp++;
                assertThat(stream.failedWith()).isEqualTo(WorkCompletionStatus.RETRY_EXC_ERR);
                assertThat(account(side).trulySpent(RETRIES, account(1 - side)))
                        .as("%s, answered by %s", account(side), account(1 - side))
                        .isTrue();
            } else if (streams.get(1 - side).failedWith() == null) {
                assertThat(stream.received()).isEqualTo(messages);
            }
        }
        for (FaultKind kind : List.of(FaultKind.DROP, FaultKind.DELAY, FaultKind.DUPLICATE, FaultKind.CORRUPT)) {
            assertThat(faults.count(kind)).as(kind.name()).isPositive();
        }
        assertThat(count(Counter.DROPPED_ICRC) + count(Counter.DROPPED_MALFORMED))
                .isPositive();
        lab.close();
        return gaveUp;
    }

    private void report(long seed) {
        System.out.println("seed " + seed + ": " + count(Counter.SENT_PKTS) + " packets, "
                + count(Counter.RETRANSMITTED_PKTS) + " sent again, " + count(Counter.COMPLETER_RETRY_ERR)
                + " retries, "
                + count(Counter.DROPPED_ICRC) + " with a bad ICRC, virtual time "
                + Duration.ofNanos(runtime.nanoTime()));
    }

    private long count(Counter counter) {
        return nodes.get(0).count(counter) + nodes.get(1).count(counter);
    }

    @Test
    void whenNothingGetsThroughTheBudgetEndsItInTime() throws VerbsException {
        build(3, FaultPlan.builder().drop(Probability.ALWAYS).build());
        Endpoint endpoint = endpoints.get(0);
        List<String> expected = new ArrayList<>();
        for (int id = 0; id < 5; id++) {
            endpoint.send(id, 0, 10_000);
            expected.add((id == 0 ? "RETRY_EXC_ERR " : "WR_FLUSH_ERR ") + id);
        }
        endpoint.receive(9, 0, 100);
        long started = runtime.nanoTime();
        lab.until(() -> endpoint.state() == QpState.ERR, LONG_ENOUGH);
        // One transmission and seven repetitions, each with its timeout.
        assertThat(runtime.nanoTime() - started)
                .isBetween((RETRIES + 1) * TIMEOUT.nanos(), (RETRIES + 1) * TIMEOUT.nanos() + 100_000);
        lab.settle();
        assertThat(endpoint.sends()).isEqualTo(expected);
        assertThat(endpoint.receives()).containsExactly("WR_FLUSH_ERR 9");
        assertThat(account(0)).isEqualTo(new LossLedger.Account(0, RETRIES + 1, RETRIES + 1, 0, 0xFFFFFF, 0, -1));
        lab.close();
    }
}
