// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

class EventQueueTest {
    private static final Logger WARNINGS = Logger.getLogger(EventQueue.class.getName());

    @Test
    void theCallOfSetHandlerReturnsWhileEventsKeepComing() throws InterruptedException {
        int events = 1000;
        EventQueue<Integer> queue = new EventQueue<>("ibv_get_async_event", "a device");
        List<Integer> handed = Collections.synchronizedList(new ArrayList<>());
        List<Integer> handedByTheCaller = Collections.synchronizedList(new ArrayList<>());
        CountDownLatch all = new CountDownLatch(events);
        Thread caller = Thread.currentThread();
        queue.add(0);
        queue.setHandler(event -> {
            handed.add(event);
            if (Thread.currentThread().equals(caller)) {
                handedByTheCaller.add(event);
            }
            if (event + 1 < events) {
                queue.add(event + 1);
            }
            all.countDown();
        });
        assertThat(handedByTheCaller).containsExactly(0);
        assertThat(all.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(handed).isSorted().hasSize(events);
    }

    @Test
    void removingTheHandlerSignalsTheEventsThatItDidNotGet() throws Exception {
        EventQueue<Integer> queue = new EventQueue<>("ibv_get_async_event", "a device");
        List<CompletionStage<Void>> stages = new ArrayList<>();
        queue.add(1);
        queue.add(2);
        try (Selector selector = Selector.open()) {
            queue.selectable().register(selector, SelectionKey.OP_READ);
            queue.setHandler(event -> {
                stages.add(queue.ready());
                queue.setHandler(null);
            });

            assertThat(selector.selectNow()).isOne();
            stages.getFirst().toCompletableFuture().get(20, TimeUnit.SECONDS);
            assertThat(queue.poll()).contains(2);
            queue.close();
        }
    }

    @Test
    void aSelectorDoesNotFindEventsThatTheHandlerGot() throws Exception {
        EventQueue<Integer> queue = new EventQueue<>("ibv_get_async_event", "a device");
        queue.add(1);
        try (Selector selector = Selector.open()) {
            queue.selectable().register(selector, SelectionKey.OP_READ);
            assertThat(selector.selectNow()).isOne();
            selector.selectedKeys().clear();

            queue.setHandler(event -> {});

            assertThat(selector.selectNow()).isZero();
            queue.close();
        }
    }

    @Test
    void theNewestEventsAreKept() {
        WARNINGS.setLevel(Level.OFF);
        try {
            EventQueue<Integer> queue = new EventQueue<>("ibv_get_async_event", "a device", 3);
            for (int event = 0; event < 10; event++) {
                queue.add(event);
            }
            assertThat(queue.poll()).contains(7);
            assertThat(queue.remove(event -> true)).containsExactly(8, 9);
        } finally {
            WARNINGS.setLevel(null);
        }
    }
}
