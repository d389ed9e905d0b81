// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.waiting;

import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsProvider;
import dev.verbena.verbs.VerbsProviders;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import jdk.jfr.consumer.RecordingStream;

/**
 * A program with virtual threads that wait for {@link #CHANNELS} channels until these are closed. Prints the number of
 * waiters, the number released with {@code EBADF}, the number of pinned carriers, and the share of a processor that
 * waiting used.
 */
final class ManyWaiters {
    private static final int CHANNELS = 100;
    private static final Duration IDLE = Duration.ofSeconds(2);

    private ManyWaiters() {}

    public static void main(String[] arguments) throws Exception {
        int waiters = Integer.parseInt(arguments[0]);
        // The JVM loads classes with the carrier pinned, so they are loaded before the measurement.
        run(waiters / 10, Duration.ZERO);
        AtomicLong pinned = new AtomicLong();
        try (RecordingStream recording = new RecordingStream()) {
            recording
                    .enable("jdk.VirtualThreadPinned")
                    .withThreshold(Duration.ZERO)
                    .withStackTrace();
            recording.onEvent("jdk.VirtualThreadPinned", event -> {
                pinned.incrementAndGet();
                System.out.println(event);
            });
            recording.startAsync();
            run(waiters, IDLE);
            recording.stop();
        }
        System.out.println("pinned " + pinned);
    }

    private static void run(int waiters, Duration idle) throws Exception {
        VerbsProvider provider = VerbsProviders.named("sim");
        Device device = provider.open("sim0");
        List<CompletionChannel> channels = new ArrayList<>();
        for (int i = 0; i < CHANNELS; i++) {
            channels.add(device.createCompletionChannel());
        }
        CountDownLatch started = new CountDownLatch(waiters);
        AtomicInteger letGo = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < waiters; i++) {
            CompletionChannel channel = channels.get(i % CHANNELS);
            threads.add(Thread.ofVirtual().start(() -> {
                started.countDown();
                try {
                    channel.await(Duration.ofMinutes(10));
                } catch (VerbsException closed) {
                    if (closed.errno() == Errno.EBADF) {
                        letGo.incrementAndGet();
                    }
                } catch (InterruptedException unexpected) {
                    Thread.currentThread().interrupt();
                }
            }));
        }
        started.await();
        double share = shareOfAProcessor(idle);
        for (CompletionChannel channel : channels) {
            channel.close();
        }
        for (Thread thread : threads) {
            thread.join(Duration.ofMinutes(1));
        }
        provider.close();
        System.out.println("waited " + waiters);
        System.out.println("let go " + letGo);
        System.out.println("idle share " + share);
    }

    private static double shareOfAProcessor(Duration idle) throws InterruptedException {
        com.sun.management.OperatingSystemMXBean system =
                (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        CountDownLatch never = new CountDownLatch(1);
        // Until the last waiter sleeps.
        never.await(idle.toMillis(), TimeUnit.MILLISECONDS);
        long before = system.getProcessCpuTime();
        long begin = System.nanoTime();
        never.await(idle.toMillis(), TimeUnit.MILLISECONDS);
        return (double) (system.getProcessCpuTime() - before) / Math.max(1, System.nanoTime() - begin);
    }
}
