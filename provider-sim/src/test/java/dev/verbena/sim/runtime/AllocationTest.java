// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.sun.management.ThreadMXBean;
import dev.verbena.fault.FaultPlan;
import dev.verbena.fault.Probability;
import dev.verbena.fault.Verdict;
import dev.verbena.sim.fabric.Fabric;
import dev.verbena.sim.fabric.FabricPort;
import dev.verbena.sim.fabric.InProcessFabric;
import dev.verbena.sim.fabric.Ports;
import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.sim.fault.FaultyFabric;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.Opcode;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** The operations of devices for each packet allocate nothing. */
class AllocationTest {
    private static final int ROUNDS = 60;
    private static final int OPERATIONS = 2_000;

    /** Less than one byte an operation: the cost of the measurement itself and of the compiler's last changes. */
    private static final long TOLERATED_BYTES = OPERATIONS / 2;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private void assertThatNothingIsAllocatedBy(Runnable operation) {
        assumeThat(threads.isThreadAllocatedMemorySupported()).isTrue();
        long least = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < OPERATIONS; i++) {
                operation.run();
            }
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertThat(least).isLessThan(TOLERATED_BYTES);
    }

    @Test
    void settingAndClearingAnAlarmDoesNotAllocate() {
        try (ThreadRuntime runtime = new ThreadRuntime(1)) {
            Alarm alarm = runtime.newAlarm(() -> {});
            long[] step = {0};
            assertThatNothingIsAllocatedBy(() -> {
                long hour = 3_600_000_000_000L;
                alarm.set(hour + step[0]++);
                alarm.set(hour - step[0]++);
                alarm.clear();
            });
        }
    }

    @Test
    void schedulingAndRunningATaskDoesNotAllocate() throws InterruptedException {
        try (ThreadRuntime runtime = new ThreadRuntime(1)) {
            AtomicLong passes = new AtomicLong();
            ProgressTask task = runtime.newProgressTask(() -> {
                passes.incrementAndGet();
                return false;
            });
            assertThatNothingIsAllocatedBy(() -> {
                task.schedule();
                task.run();
            });
            assertThat(runtime.await(() -> "IDLE".equals(task.toString()), Duration.ofSeconds(60)))
                    .isTrue();
            assertThat(passes).hasPositiveValue();
        }
    }

    @Test
    void wakingUpAndWaitingForWhatHoldsDoesNotAllocate() {
        try (ThreadRuntime runtime = new ThreadRuntime(1)) {
            Duration timeout = Duration.ofSeconds(1);
            assertThatNothingIsAllocatedBy(() -> {
                runtime.wakeUp();
                try {
                    runtime.await(() -> true, timeout);
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
        }
    }

    @Test
    void sendingAPacketDoesNotAllocateUnderWallTime() throws VerbsException {
        try (ThreadRuntime runtime = new ThreadRuntime(1)) {
            long[] received = {0};
            Runnable send = sending(new InProcessFabric(runtime), received);
            assertThatNothingIsAllocatedBy(send);
            assertThat(received[0]).isEqualTo((long) ROUNDS * OPERATIONS);
        }
    }

    @Test
    void sendingAPacketDoesNotAllocateUnderVirtualTime() throws VerbsException {
        try (VirtualRuntime runtime = new VirtualRuntime(1)) {
            long[] received = {0};
            Runnable send = sending(new InProcessFabric(runtime), received);
            Duration timeout = Duration.ofMillis(1);
            long[] sent = {0};
            BooleanSupplier arrived = () -> received[0] == sent[0];
            assertThatNothingIsAllocatedBy(() -> {
                sent[0]++;
                send.run();
                try {
                    runtime.await(arrived, timeout);
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
            assertThat(received[0]).isEqualTo((long) ROUNDS * OPERATIONS);
        }
    }

    @Test
    void sendingAPacketThroughRulesThatLetItPassDoesNotAllocate() throws VerbsException {
        FaultPlan plan = FaultPlan.builder()
                .drop(new Probability(1e-12))
                .corrupt(new Probability(1e-12))
                .rule((packet, random) -> packet.source().equals(packet.destination()) ? Verdict.DROP : Verdict.PASS)
                .build();
        try (ThreadRuntime runtime = new ThreadRuntime(1)) {
            long[] received = {0};
            Runnable send = sending(new FaultyFabric(new InProcessFabric(runtime), plan, runtime), received);
            assertThatNothingIsAllocatedBy(send);
            assertThat(received[0]).isEqualTo((long) ROUNDS * OPERATIONS);
        }
    }

    private static Runnable sending(Fabric fabric, long[] received) throws VerbsException {
        FabricPort port = Ports.attach(fabric, 0, SimPacket::release);
        Ports.attach(fabric, 1, packet -> {
            received[0]++;
            packet.release();
        });
        Gid from = Ports.gid(0);
        Gid to = Ports.gid(1);
        return () -> {
            SimPacket packet = port.newPacket();
            packet.begin(from.high(), from.low(), to.high(), to.low(), 0xc000, 0, 64);
            packet.beginTransport(Opcode.RC_SEND_ONLY);
            port.send(packet);
        };
    }

    @Test
    void alarmsAreSetWithoutAllocatingHoweverManyThereAre() {
        assumeThat(threads.isThreadAllocatedMemorySupported()).isTrue();
        Timers timers = new Timers(() -> {});
        Alarm[] alarms = new Alarm[OPERATIONS];
        try (ThreadRuntime runtime = new ThreadRuntime(1)) {
            RuntimeTask task = (RuntimeTask) runtime.newSerialTask(() -> {});
            Arrays.setAll(alarms, i -> timers.newAlarm(task));
        }
        threads.getCurrentThreadAllocatedBytes();
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < OPERATIONS; i++) {
            alarms[i].set(1 + i);
        }
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(TOLERATED_BYTES);
        assertThat(timers.queued()).isEqualTo(OPERATIONS);
    }
}
