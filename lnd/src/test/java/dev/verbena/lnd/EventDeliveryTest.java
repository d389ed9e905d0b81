// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.lnet.LnetEvent;
import dev.verbena.lnet.LnetEventHandler;
import dev.verbena.lnet.LnetEvents;
import dev.verbena.lnet.MemoryDescriptor;
import dev.verbena.lnet.Nid;
import dev.verbena.lnet.ProcessId;
import dev.verbena.sim.runtime.ThreadRuntime;
import dev.verbena.sim.runtime.VirtualRuntime;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Events are handled once each, in their order, one after the other. */
class EventDeliveryTest {
    private static final Duration LONG = Duration.ofMinutes(2);
    private static final int PRODUCERS = 4;
    private static final long EVENTS = 20_000;
    private static final ProcessId SELF = new ProcessId(Nid.parse("10.0.0.1@o2ib"), 12345);

    private static LnetEvent event(MemoryDescriptor md, int producer, long number) {
        return LnetEvents.sent(md, SELF, producer, number);
    }

    private static MemoryDescriptor handledBy(LnetEventHandler handler) {
        return MemoryDescriptor.over(MemorySegment.NULL).handler(handler).build();
    }

    @Test
    void noEventOfManyThreadsIsLostOrComesTwiceOrTooEarly() throws InterruptedException {
        try (ThreadRuntime runtime = new ThreadRuntime(2)) {
            EventDelivery events = new EventDelivery(runtime);
            List<String> wrong = new ArrayList<>();
            long[] next = new long[PRODUCERS];
            MemoryDescriptor md = handledBy(event -> {
                if (next[event.portal()] != event.matchBits()) {
                    wrong.add(event.matchBits() + " for " + next[event.portal()]);
                }
                next[event.portal()] = event.matchBits() + 1;
            });
            List<Thread> producers = IntStream.range(0, PRODUCERS)
                    .mapToObj(producer -> Thread.ofPlatform().start(() -> {
                        for (long i = 0; i < EVENTS; i++) {
                            events.accept(event(md, producer, i));
                        }
                    }))
                    .toList();
            for (Thread producer : producers) {
                producer.join();
            }
            assertThat(runtime.await(events::isIdle, LONG)).isTrue();
            assertThat(wrong).isEmpty();
            assertThat(next).containsOnly(EVENTS);
        }
    }

    @Test
    void isNotIdleWhileAHandlerRunsOrEventsWait() throws InterruptedException {
        VirtualRuntime runtime = new VirtualRuntime(1);
        EventDelivery events = new EventDelivery(runtime);
        List<Boolean> idle = new ArrayList<>();
        MemoryDescriptor md = handledBy(event -> idle.add(events.isIdle()));
        assertThat(events.isIdle()).isTrue();
        for (int i = 0; i < 3; i++) {
            events.accept(event(md, 0, i));
            assertThat(events.isIdle()).isFalse();
        }
        runtime.await(() -> false, LONG);
        assertThat(idle).containsExactly(false, false, false);
        assertThat(events.isIdle()).isTrue();
    }

    @Test
    void eventsAfterAThrowingHandlerAndThoseItCausesAreHandled() {
        VirtualRuntime runtime = new VirtualRuntime(1);
        EventDelivery events = new EventDelivery(runtime);
        List<Long> handled = new ArrayList<>();
        MemoryDescriptor[] md = new MemoryDescriptor[1];
        md[0] = handledBy(event -> {
            handled.add(event.matchBits());
            if (event.matchBits() < 2) {
                events.accept(event(md[0], 0, event.matchBits() + 10));
                throw new IllegalStateException("as a program's may");
            }
        });
        for (int i = 0; i < 3; i++) {
            events.accept(event(md[0], 0, i));
        }
        assertThatThrownBy(() -> runtime.await(() -> false, LONG)).hasMessage("as a program's may");
        assertThat(handled).containsExactly(0L, 1L, 2L, 10L, 11L);
        assertThat(events.isIdle()).isTrue();
    }
}
