// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.verbena.sim.fixture.Lab;
import dev.verbena.sim.fixture.Node;
import dev.verbena.sim.profile.DeviceProfile;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.CapabilityException;
import dev.verbena.verbs.CqInitAttributes;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Notification;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletionOpcode;
import dev.verbena.verbs.WorkCompletionStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** When a moderated completion queue announces, in virtual time. */
class CqModerationTest {
    private static final int CAPACITY = 256;

    /** A queue that is armed again by each announcement, and the times of these in microseconds. */
    private static final class Armed implements AutoCloseable {
        private final Lab lab = new Lab();
        private final List<Long> announced = new ArrayList<>();
        private final Node node;
        private final SimCompletionQueue queue;
        private final long began;

        Armed(UnaryOperator<DeviceProfile> profile) throws VerbsException {
            node = lab.node("n", "::ffff:10.0.0.1", profile);
            queue = (SimCompletionQueue) node.device()
                    .createCq(CqInitAttributes.builder()
                            .capacity(CAPACITY)
                            .handler(cq -> {
                                announced.add(now());
                                cq.requestNotification(Notification.NEXT_COMPLETION);
                            })
                            .build());
            queue.requestNotification(Notification.NEXT_COMPLETION);
            began = lab.runtime().nanoTime();
        }

        long now() {
            return (lab.runtime().nanoTime() - began) / 1000;
        }

        void complete() {
            assertThat(queue.add(1, WorkCompletionStatus.SUCCESS, WorkCompletionOpcode.RECV, 0, 1, 0, 0, 0, false))
                    .isTrue();
            lab.run(Duration.ZERO);
        }

        void pass(long micros) {
            lab.run(Duration.ofNanos(1000 * micros));
        }

        @Override
        public void close() throws VerbsException {
            queue.close();
            node.close();
            lab.close();
        }
    }

    /** The times at which a queue announces that holds {@code count} completions for {@code period} at most. */
    private static List<Long> expected(int count, int period, List<Integer> gaps) {
        List<Long> times = new ArrayList<>();
        long now = 0;
        long first = 0;
        int held = 0;
        for (int gap : gaps) {
            now += gap;
            if (held > 0 && first + period <= now) {
                times.add(first + period);
                held = 0;
            }
            if (held++ == 0) {
                first = now;
            }
            if (count <= 1 || period == 0 || held >= count) {
                times.add(now);
                held = 0;
            }
        }
        if (held > 0) {
            times.add(first + period);
        }
        return times;
    }

    @Property(tries = 300)
    void announcesAfterCountCompletionsOrThePeriodOfTheFirst(
            @ForAll @IntRange(max = 5) int count,
            @ForAll @IntRange(max = 50) int period,
            @ForAll @Size(min = 1, max = 40) List<@IntRange(min = 1, max = 30) Integer> gaps)
            throws VerbsException {
        try (Armed armed = new Armed(UnaryOperator.identity())) {
            armed.queue.moderate(count, Duration.ofNanos(1000L * period));
            for (int gap : gaps) {
                armed.pass(gap);
                armed.complete();
            }
            armed.pass(1000);
            assertThat(armed.announced).isEqualTo(expected(count, period, gaps));
        }
    }

    @Test
    void aHeldAnnouncementIsDueWhenTheModerationChanges() throws VerbsException {
        try (Armed armed = new Armed(UnaryOperator.identity())) {
            armed.queue.moderate(10, Duration.ofMillis(50));
            armed.complete();
            armed.pass(7);
            assertThat(armed.announced).isEmpty();
            armed.queue.moderate(10, Duration.ofMillis(60));
            armed.lab.run(Duration.ZERO);
            assertThat(armed.announced).containsExactly(7L);
            armed.queue.moderate(0, Duration.ZERO);
            armed.lab.run(Duration.ZERO);
            assertThat(armed.announced).hasSize(1);
        }
    }

    @Test
    void aClosedQueueAnnouncesNothing() throws VerbsException {
        try (Armed armed = new Armed(UnaryOperator.identity())) {
            armed.queue.moderate(10, Duration.ofMillis(50));
            armed.complete();
            armed.queue.close();
            armed.pass(100_000);
            assertThat(armed.announced).isEmpty();
        }
    }

    @Test
    void aQueueThatIsNotArmedCountsNothing() throws VerbsException {
        try (Lab lab = new Lab()) {
            Node node = lab.node("n", "::ffff:10.0.0.1");
            List<Integer> calls = new ArrayList<>();
            SimCompletionQueue queue = (SimCompletionQueue) node.device()
                    .createCq(CqInitAttributes.builder()
                            .capacity(CAPACITY)
                            .handler(cq -> calls.add(1))
                            .build());
            queue.moderate(2, Duration.ofMillis(50));
            queue.add(1, WorkCompletionStatus.SUCCESS, WorkCompletionOpcode.RECV, 0, 1, 0, 0, 0, false);
            queue.requestNotification(Notification.NEXT_COMPLETION);
            queue.add(2, WorkCompletionStatus.SUCCESS, WorkCompletionOpcode.RECV, 0, 1, 0, 0, 0, false);
            lab.run(Duration.ZERO);
            assertThat(calls).isEmpty();
            queue.add(3, WorkCompletionStatus.SUCCESS, WorkCompletionOpcode.RECV, 0, 1, 0, 0, 0, false);
            lab.run(Duration.ZERO);
            assertThat(calls).hasSize(1);
            queue.close();
            node.close();
        }
    }

    @Test
    void softRoceHasNoModeration() throws VerbsException {
        try (Armed armed = new Armed(profile -> DeviceProfile.softRoce())) {
            assertThat(armed.node.device().capabilities()).doesNotContain(Capability.CQ_MODERATION);
            assertThatExceptionOfType(CapabilityException.class)
                    .isThrownBy(() -> armed.queue.moderate(2, Duration.ofMillis(1)));
        }
    }

    @Test
    void anArgumentOutOfRangeIsRefused() throws VerbsException {
        try (Armed armed = new Armed(UnaryOperator.identity())) {
            for (Duration period : List.of(Duration.ofNanos(-1), Duration.ofMillis(66), Duration.ofSeconds(1L << 60))) {
                assertThatExceptionOfType(VerbsException.class)
                        .isThrownBy(() -> armed.queue.moderate(2, period))
                        .satisfies(refused -> assertThat(refused.errno()).isEqualTo(Errno.EINVAL));
            }
        }
    }
}
