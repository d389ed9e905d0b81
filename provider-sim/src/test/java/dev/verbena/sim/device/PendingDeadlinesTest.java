// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.fault.FaultPlan;
import dev.verbena.fault.LinkRule;
import dev.verbena.fault.Verdict;
import dev.verbena.sim.fault.FaultyFabric;
import dev.verbena.sim.fixture.Connection;
import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.sim.fixture.Lab;
import dev.verbena.sim.runtime.JumpingRuntime;
import dev.verbena.verbs.AckTimeout;
import dev.verbena.verbs.RnrRetryCount;
import dev.verbena.verbs.RnrTimer;
import dev.verbena.verbs.VerbsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/**
 * While a request is outstanding and no pass of its queue pair runs or is scheduled, an alarm is armed for the next
 * deadline. This holds whenever the clock moves and alarms expire, and whatever a pass throws. So each request
 * completes.
 */
class PendingDeadlinesTest {
    private static final AckTimeout TIMEOUT = AckTimeout.ofCode(8);
    private static final long FAR_NANOS = TIMEOUT.nanos() * 3 / 2;
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final int POSTS = 12;

    private static Lab lab(JumpingRuntime runtime, LinkRule rule) {
        FaultPlan plan = FaultPlan.builder()
                .rule((packet, random) -> {
                    runtime.jump();
                    return rule.judge(packet, random);
                })
                .build();
        return new Lab(runtime, fabric -> new FaultyFabric(fabric, plan, runtime));
    }

    /** The rule drops some packets and throws for others. */
    @Property(tries = 300)
    void eachRequestCompletesWhenTheClockMovesInsidePasses(@ForAll long seed) throws VerbsException {
        JumpingRuntime runtime = new JumpingRuntime(seed, FAR_NANOS);
        Random random = new Random(seed);
        List<String> completions = new ArrayList<>();
        int lossPercent = random.nextInt(101);
        LinkRule rule = (packet, chance) -> {
            if (chance.nextInt(20) == 0) {
                throw new IllegalStateException("thrown by the rule");
            }
            return chance.nextInt(100) < lossPercent ? Verdict.DROP : Verdict.PASS;
        };
        try (Lab lab = lab(runtime, rule)) {
            Connection connection = Connection.USUAL
                    .timeout(TIMEOUT, random.nextInt(8))
                    .rnr(RnrRetryCount.ofCode(random.nextInt(7)), RnrTimer.ofCode(1 + random.nextInt(12)));
            Endpoint left = lab.node("sim0", "192.0.2.1").endpoint();
            Endpoint right = lab.node("sim1", "192.0.2.2").endpoint();
            left.connect(right, connection);
            for (int i = 0; i < POSTS; i++) {
                if (random.nextInt(3) > 0) {
                    right.receive(i, 0, 1000);
                }
                left.send(i, 0, random.nextInt(1000));
                runtime.await(() -> random.nextInt(5) == 0, Duration.ofMillis(1));
                completions.addAll(left.sends());
            }
            lab.until(
                    () -> {
                        completions.addAll(left.sends());
                        return completions.size() == POSTS;
                    },
                    LONG);
            assertThat(completions).hasSize(POSTS);
            assertThat(runtime.failures())
                    .allSatisfy(thrown -> assertThat(thrown).hasMessage("thrown by the rule"));
        }
    }

    /**
     * Otherwise the queue of alarms keeps the queue pair reachable until the deadline: 2.4 hours at the longest
     * timeout.
     */
    @Test
    void aClosedQueuePairHasNoAlarmInTheQueue() throws VerbsException {
        JumpingRuntime runtime = new JumpingRuntime(1, FAR_NANOS);
        try (Lab lab = lab(runtime, (packet, chance) -> Verdict.DROP)) {
            Endpoint left = lab.node("sim0", "192.0.2.1").endpoint();
            Endpoint right = lab.node("sim1", "192.0.2.2").endpoint();
            left.connect(right, Connection.USUAL.timeout(AckTimeout.ofCode(31), 7));
            left.send(1, 0, 100);
            lab.settle();
            assertThat(runtime.queuedAlarms()).isEqualTo(1);
            left.qp().close();
            assertThat(runtime.queuedAlarms()).isZero();
        }
    }

    /** AckTimeout: a lower bound. The peer receives no packet, and so no NAK makes the sender retransmit. */
    @Property(tries = 100)
    void noPacketIsSentAgainBeforeItsTimeout(@ForAll long seed) throws VerbsException {
        JumpingRuntime runtime = new JumpingRuntime(seed, FAR_NANOS);
        Map<Integer, Long> sent = new HashMap<>();
        List<Long> gaps = new ArrayList<>();
        List<String> completions = new ArrayList<>();
        LinkRule rule = (packet, chance) -> {
            Long before = sent.put(packet.psn(), runtime.time());
            if (before != null) {
                gaps.add(runtime.time() - before);
            }
            return Verdict.DROP;
        };
        try (Lab lab = lab(runtime, rule)) {
            Connection connection = Connection.USUAL.timeout(TIMEOUT, 2);
            Endpoint left = lab.node("sim0", "192.0.2.1").endpoint();
            Endpoint right = lab.node("sim1", "192.0.2.2").endpoint();
            left.connect(right, connection);
            left.send(1, 0, 256L * new Random(seed).nextInt(1, 40));
            lab.until(
                    () -> {
                        completions.addAll(left.sends());
                        return !completions.isEmpty();
                    },
                    LONG);
            assertThat(completions).containsExactly("RETRY_EXC_ERR 1");
            assertThat(gaps).isNotEmpty().allSatisfy(gap -> assertThat(gap).isGreaterThanOrEqualTo(TIMEOUT.nanos()));
        }
    }
}
