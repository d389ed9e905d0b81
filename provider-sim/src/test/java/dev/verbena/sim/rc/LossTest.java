package dev.verbena.sim.rc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.fault.FaultPlan;
import dev.verbena.fault.LinkPacket;
import dev.verbena.fault.Probability;
import dev.verbena.fault.Verdict;
import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.fault.FaultKind;
import dev.verbena.sim.fault.FaultyFabric;
import dev.verbena.sim.fixture.Connection;
import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.sim.fixture.Lab;
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
import dev.verbena.wire.Opcode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ten thousand messages of 64 KiB each way through bad weather, on links that lose, reorder, repeat and corrupt packets. */
class LossTest {
    private static final int MESSAGES = 10_000;
    private static final int RETRIES = 7;
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
    private final List<int[]> transmissions = List.of(new int[1 << 24], new int[1 << 24]);

    private void build(long seed, FaultPlan plan) throws VerbsException {
        runtime = new VirtualRuntime(seed);
        lab = new Lab(runtime, wire -> {
            faults = new FaultyFabric(wire, plan, runtime);
            faults.add((packet, random) -> note(packet));
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
                                .psns(0, 0)
                                .timeout(TIMEOUT, RETRIES)
                                .rnr(RnrRetryCount.FOREVER, RnrTimer.ofCode(1)));
    }

    private Verdict note(LinkPacket packet) {
        int side = packet.source().equals(nodes.get(0).address()) ? 0 : 1;
        if (packet.opcode() != Opcode.RC_ACKNOWLEDGE.code()) {
            transmissions.get(side)[packet.psn()]++;
        }
        return Verdict.PASS;
    }

    @Test
    void everythingArrivesOnceInOrderAndUnaltered() throws VerbsException {
        check(1);
    }

    @Tag("sweep")
    @ParameterizedTest
    @ValueSource(longs = {2, 3, 4})
    void everythingArrivesWithOtherSeeds(long seed) throws VerbsException {
        check(seed);
    }

    private void check(long seed) throws VerbsException {
        build(seed, WEATHER);
        List<MessageStream> streams = List.of(
                new MessageStream(endpoints.get(0), endpoints.get(1), MESSAGES, 17),
                new MessageStream(endpoints.get(1), endpoints.get(0), MESSAGES, 71));
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
        for (int side = 0; side < 2; side++) {
            MessageStream stream = streams.get(side);
            assertThat(stream.failures()).isEmpty();
            if (stream.failedWith() != null) {
                // Only when the same packet was sent as often as the budget allows.
                assertThat(stream.failedWith()).isEqualTo(WorkCompletionStatus.RETRY_EXCEEDED_ERROR);
                assertThat(mostTransmissions(side)).isGreaterThan(RETRIES);
            } else if (streams.get(1 - side).failedWith() == null) {
                assertThat(stream.received()).isEqualTo(MESSAGES);
            }
        }
        for (FaultKind kind : List.of(FaultKind.DROP, FaultKind.DELAY, FaultKind.DUPLICATE, FaultKind.CORRUPT)) {
            assertThat(faults.count(kind)).as(kind.name()).isPositive();
        }
        assertThat(count(Counter.DROPPED_ICRC) + count(Counter.DROPPED_MALFORMED))
                .isPositive();
        lab.close();
    }

    private void report(long seed) {
        System.out.println("seed " + seed + ": " + count(Counter.SENT_PKTS) + " packets, "
                + count(Counter.RETRANSMITTED_PKTS) + " sent again, " + count(Counter.COMPLETER_RETRY_ERR)
                + " retries, "
                + count(Counter.DROPPED_ICRC) + " with a bad ICRC, virtual time "
                + Duration.ofNanos(runtime.nanoTime()));
    }

    private int mostTransmissions(int side) {
        int most = 0;
        for (int count : transmissions.get(side)) {
            most = Math.max(most, count);
        }
        return most;
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
            expected.add((id == 0 ? "RETRY_EXCEEDED_ERROR " : "WORK_REQUEST_FLUSHED_ERROR ") + id);
        }
        endpoint.receive(9, 0, 100);
        long started = runtime.nanoTime();
        lab.until(() -> endpoint.state() == QpState.ERR, LONG_ENOUGH);
        // One transmission and seven repetitions, each with its time.
        assertThat(runtime.nanoTime() - started)
                .isBetween((RETRIES + 1) * TIMEOUT.nanos(), (RETRIES + 1) * TIMEOUT.nanos() + 100_000);
        lab.settle();
        assertThat(endpoint.sends()).isEqualTo(expected);
        assertThat(endpoint.receives()).containsExactly("WORK_REQUEST_FLUSHED_ERROR 9");
        assertThat(transmissions.get(0)[0]).isEqualTo(RETRIES + 1);
        lab.close();
    }
}
