// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.side;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/** Executes several lists of verbs calls ({@link Step}) concurrently on one device, each list in its own thread. */
final class Crew {
    private Crew() {}

    /** If a call failed, returns its {@link Reply.Refusal}; otherwise returns all completions that the threads polled. */
    static Reply run(Function<Step, Reply> performer, Step.Concurrently step) throws InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(step.lists().size());
        try {
            CountDownLatch start = new CountDownLatch(1);
            List<Future<List<Reply>>> works = new ArrayList<>();
            for (List<Step> list : step.lists()) {
                works.add(threads.submit(() -> {
                    start.await();
                    return list.stream().map(performer).toList();
                }));
            }
            start.countDown();
            List<Completion> polled = new ArrayList<>();
            long end = System.nanoTime() + step.patience().toNanos();
            for (Future<List<Reply>> work : works) {
                for (Reply reply : work.get(end - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                    if (reply instanceof Reply.Refusal) {
                        return reply;
                    }
                    if (reply instanceof Reply.Completions completions) {
                        polled.addAll(completions.list());
                    }
                }
            }
            return new Reply.Completions(polled);
        } catch (ExecutionException thrown) {
            throw new IllegalStateException("a thread failed: " + thrown.getCause(), thrown.getCause());
        } catch (TimeoutException late) {
            throw new IllegalStateException("the threads did not finish within " + step.patience(), late);
        } finally {
            threads.shutdownNow();
        }
    }
}
