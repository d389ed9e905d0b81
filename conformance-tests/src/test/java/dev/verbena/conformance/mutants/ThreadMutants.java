// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.mutants;

import static dev.verbena.conformance.mutants.Breaks.on;
import static dev.verbena.conformance.mutants.Breaks.to;

import dev.verbena.verbs.PostRefusal;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.WorkCompletion;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Rule area THREADS: interference between threads. The faults bring about the meeting that they need; none waits for luck.
 */
final class ThreadMutants {
    private static final long SECONDS = 5;

    private ThreadMutants() {}

    static List<Mutant> threads() {
        return List.of(
                Mutant.of(
                        "THREADS-01", "two threads get one slot of a send queue", () -> oneSlot("QueuePair.postSend")),
                Mutant.of("THREADS-02", "another thread polls the last completion again", () -> {
                    AtomicReference<Thread> before = new AtomicReference<>(Thread.currentThread());
                    List<WorkCompletion> last = new ArrayList<>();
                    return Completions.polled((queue, found) -> {
                        List<WorkCompletion> given = new ArrayList<>(found);
                        if (!Thread.currentThread().equals(before.getAndSet(Thread.currentThread()))
                                && !last.isEmpty()) {
                            given.add(last.getLast());
                        }
                        last.addAll(found);
                        return given;
                    });
                }),
                Mutant.of("THREADS-03", "a thread that registered nothing finds no key", () -> {
                    Set<Thread> registered = ConcurrentHashMap.newKeySet();
                    return on("ProtectionDomain.registerMemory", call -> {
                                registered.add(Thread.currentThread());
                                return call.proceed();
                            })
                            .and(on(
                                    "QueuePair.postSend",
                                    call -> registered.contains(Thread.currentThread()) ? call.proceed() : 0))
                            .and(on(
                                    "SendRequests.refusal",
                                    call -> registered.contains(Thread.currentThread())
                                            ? call.proceed()
                                            : PostRefusal.FOREIGN_OBJECT));
                }),
                Mutant.of("THREADS-04", "a post that meets the flush is lost", () -> {
                    CountDownLatch failed = new CountDownLatch(1);
                    Set<Thread> met = ConcurrentHashMap.newKeySet();
                    return on("QueuePair.modify", call -> {
                                Object done = call.proceed();
                                if (to(QpState.ERR).test(call)) {
                                    failed.countDown();
                                }
                                return done;
                            })
                            .and(on("QueuePair.postSend", call -> {
                                boolean lost =
                                        met.add(Thread.currentThread()) && failed.await(SECONDS, TimeUnit.SECONDS);
                                return lost ? 1 : call.proceed();
                            }));
                }),
                Mutant.of(
                        "THREADS-05",
                        "two threads get one slot of a shared queue",
                        () -> oneSlot("SharedReceiveQueue.postReceive")));
    }

    /** The first posting thread waits for the second, which overwrites the first one's request. */
    private static Fault oneSlot(String post) {
        AtomicReference<Thread> first = new AtomicReference<>();
        CountDownLatch second = new CountDownLatch(1);
        return on(post, call -> {
            Thread poster = Thread.currentThread();
            if (first.compareAndSet(null, poster)) {
                return second.await(SECONDS, TimeUnit.SECONDS) ? 1 : call.proceed();
            }
            if (!poster.equals(first.get())) {
                second.countDown();
            }
            return call.proceed();
        });
    }
}
