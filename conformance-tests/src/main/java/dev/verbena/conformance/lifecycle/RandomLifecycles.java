// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.lifecycle;

import dev.verbena.verbs.Device;
import dev.verbena.verbs.GidEntry;
import dev.verbena.verbs.VerbsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;

/**
 * Makes random verbs calls on a device from several threads, and closes all objects at the end. For any order of the calls,
 * each call must succeed or throw a documented exception, all objects can be closed, and the process does not crash.
 *
 * @param seed the seed of each thread's calls; the result also depends on the timing of the threads
 * @param calls the number of calls
 * @param refused the number of calls that threw a documented exception
 * @param wrong the calls that threw an undocumented exception, and the objects that cannot be closed
 */
public record RandomLifecycles(long seed, long calls, long refused, List<String> wrong) {
    private static final int MOST_OF_A_KIND = 12;
    private static final int MOST_TOLD = 20;
    private static final int MOST_FRAMES = 4;
    private static final int MOST_FRAMES_OF_STUCK = 16;

    /**
     * A verbs call that takes longer than {@code PATIENCE} is reported as hanging. The kernel may wait up to 50 s for
     * objects that are in use.
     */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /**
     * Makes random verbs calls on the port of the given GID.
     *
     * @param device an open device, which stays open
     * @param source the device's GID that is the source GID of all messages
     * @param threads the number of threads that make random verbs calls
     * @param seed the seed of all random choices
     * @param goOn gets the number of verbs calls that all threads have made, and returns whether to continue; thread-safe
     * @return the result of the verbs calls; if a verbs call has not returned for two minutes, the result reports this
     *     call, and no object is closed
     * @throws InterruptedException if this thread is interrupted
     */
    public static RandomLifecycles run(Device device, GidEntry source, int threads, long seed, LongPredicate goOn)
            throws InterruptedException {
        return run(device, source, threads, seed, goOn, PATIENCE);
    }

    static RandomLifecycles run(
            Device device, GidEntry source, int threads, long seed, LongPredicate goOn, Duration patience)
            throws InterruptedException {
        Pool pool = new Pool(MOST_OF_A_KIND);
        AtomicLong calls = new AtomicLong();
        AtomicLong refused = new AtomicLong();
        List<String> wrong = Collections.synchronizedList(new ArrayList<>());
        SplittableRandom seeds = new SplittableRandom(seed);
        List<Thread> running = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            SplittableRandom random = seeds.split();
            List<LifecycleCalls.Call> all = new LifecycleCalls(device, source, pool, random).all();
            running.add(Thread.ofPlatform().daemon().name("lifecycles-" + i).start(() -> {
                while (wrong.size() < MOST_TOLD && goOn.test(calls.getAndIncrement())) {
                    if (!made(all.get(random.nextInt(all.size())), wrong)) {
                        refused.incrementAndGet();
                    }
                }
            }));
        }
        List<Thread> stuck = stuck(running, calls, patience);
        for (Thread thread : stuck) {
            wrong.add(
                    thread.getName() + " does not return from " + frames(thread.getStackTrace(), MOST_FRAMES_OF_STUCK));
        }
        if (stuck.isEmpty()) {
            closeAll(pool, wrong);
        }
        return new RandomLifecycles(seed, calls.get(), refused.get(), List.copyOf(wrong));
    }

    /**
     * Waits until all threads have ended, or until no thread begins a verbs call for the duration {@code patience}.
     * Returns the threads that are still running.
     */
    private static List<Thread> stuck(List<Thread> running, AtomicLong calls, Duration patience)
            throws InterruptedException {
        for (Thread thread : running) {
            for (long seen = -1; !thread.join(patience); seen = calls.get()) {
                if (calls.get() == seen) {
                    return running.stream().filter(Thread::isAlive).toList();
                }
            }
        }
        return List.of();
    }

    /** Returns whether a call of the API succeeded; appends an undocumented exception to {@code wrong}. */
    private static boolean made(LifecycleCalls.Call call, List<String> wrong) {
        try {
            call.make();
            return true;
        } catch (VerbsException | IllegalStateException | IllegalArgumentException | IndexOutOfBoundsException proper) {
            return false;
        } catch (Exception | Error improper) {
            wrong.add(improper + " at " + frames(improper.getStackTrace(), MOST_FRAMES));
            return false;
        } finally {
            // The JVM may interrupt a thread that accesses the memory of an arena while another thread closes the
            // arena. This program never interrupts a thread on purpose.
            Thread.interrupted();
        }
    }

    private static String frames(StackTraceElement[] trace, int most) {
        return Arrays.stream(trace).limit(most).map(StackTraceElement::toString).collect(Collectors.joining(" < "));
    }

    /** Tries repeatedly to close all objects of the pool, until no further object can be closed. */
    private static void closeAll(Pool pool, List<String> wrong) {
        List<AutoCloseable> open = new ArrayList<>(pool.all());
        List<String> refusals = new ArrayList<>();
        boolean progress = true;
        while (progress && !open.isEmpty()) {
            progress = false;
            refusals.clear();
            for (AutoCloseable object : List.copyOf(open)) {
                Optional<Exception> stays = LifecycleCalls.leaveGroup(object);
                try {
                    object.close();
                    open.remove(object);
                    progress = true;
                } catch (Exception refusal) {
                    refusals.add(object + " cannot be closed: " + refusal
                            + stays.map(why -> ", and before that " + why).orElse(""));
                }
            }
        }
        wrong.addAll(refusals);
    }
}
