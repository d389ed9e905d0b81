// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import dev.verbena.cm.CmEvent;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Events that are delivered while another thread sets the handler. */
class CmEventQueueTest {
    private static final Set<Thread.State> STOPPED =
            Set.of(Thread.State.BLOCKED, Thread.State.WAITING, Thread.State.TIMED_WAITING, Thread.State.TERMINATED);

    private final CmEventQueue<CmEventQueue.Entry> queue = new CmEventQueue<>("the channel", () -> {});
    private final List<CmEvent> handed = Collections.synchronizedList(new ArrayList<>());

    private static CmEventQueue.Entry event() {
        return mock(CmEventQueue.Entry.class);
    }

    private static Thread inThread(Runnable body) {
        return Thread.ofPlatform().daemon().start(body);
    }

    private static void awaitStopped(Thread thread) {
        while (!STOPPED.contains(thread.getState())) {
            Thread.onSpinWait();
        }
    }

    @Test
    void anEventReachesTheHandlerThatIsSetWhileItIsDelivered() throws InterruptedException {
        CmEventQueue.Entry event = event();
        List<Thread> setters = new ArrayList<>();
        when(event.isStale()).thenAnswer(call -> {
            if (setters.isEmpty()) {
                setters.add(inThread(() -> queue.setHandler(handed::add)));
                awaitStopped(setters.getFirst());
            }
            return false;
        });

        queue.deliver(event);

        setters.getFirst().join();
        assertThat(handed).containsExactly(event);
    }

    @Test
    void eventsAreHandedOverInOrderAndOneAtATime() throws InterruptedException {
        CmEventQueue.Entry first = event();
        CmEventQueue.Entry second = event();
        CmEventQueue.Entry third = event();
        CountDownLatch inFirst = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        CountDownLatch all = new CountDownLatch(3);
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        queue.deliver(first);
        queue.deliver(second);
        Thread setter = inThread(() -> queue.setHandler(event -> {
            most.accumulateAndGet(inside.incrementAndGet(), Math::max);
            if (event.equals(first)) {
                inFirst.countDown();
                try {
                    goOn.await();
                } catch (InterruptedException interrupted) {
                    throw new IllegalStateException(interrupted);
                }
            }
            handed.add(event);
            inside.decrementAndGet();
            all.countDown();
        }));
        assertThat(inFirst.await(10, TimeUnit.SECONDS)).isTrue();

        Thread reader = inThread(() -> queue.deliver(third));
        awaitStopped(reader);
        goOn.countDown();

        setter.join();
        reader.join();
        assertThat(all.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(handed).containsExactly(first, second, third);
        assertThat(most).hasValue(1);
    }

    @Test
    void anEventThatTheHandlerFailsAtDoesNotHoldUpTheNext() {
        CmEventQueue.Entry first = event();
        CmEventQueue.Entry second = event();
        queue.deliver(first);
        queue.deliver(second);

        queue.setHandler(event -> {
            handed.add(event);
            throw new AssertionError("of the handler");
        });

        assertThat(handed).containsExactly(first, second);
    }

    @Test
    void aRequestThatIsDeliveredAfterItsListenerWasClosedIsDroppedAtOnce() {
        AtomicInteger dropped = new AtomicInteger();
        CmEventQueue.Entry late = event();
        when(late.isStale()).thenReturn(true);
        doAnswer(call -> dropped.incrementAndGet()).when(late).drop();

        queue.deliver(late);

        assertThat(dropped).hasValue(1);
    }
}
