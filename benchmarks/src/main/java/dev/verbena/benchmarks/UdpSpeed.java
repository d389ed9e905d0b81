package dev.verbena.benchmarks;

import com.sun.management.ThreadMXBean;
import dev.verbena.sim.runtime.ThreadRuntime;
import dev.verbena.sim.udp.DatagramBatching;
import dev.verbena.sim.udp.NativeUse;
import dev.verbena.sim.udp.UdpFabric;
import dev.verbena.verbs.PathMtu;
import dev.verbena.verbs.ReceiveRequests;
import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.SendWorkRequest;
import dev.verbena.verbs.VerbsException;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.HdrHistogram.Histogram;

/**
 * How fast two devices are over UDP on this machine: prints lines {@code name value unit}. What UDP itself can do there says
 * {@code src/main/c/udp.c}. Arguments choose ways of sending; without any all are measured.
 */
public final class UdpSpeed {
    private static final int SMALL = 64;
    private static final int LARGE = 1 << 20;
    private static final int BATCH = 32;
    private static final int WARM_UP = 4;
    private static final int ROUNDS = 5;
    private static final int TRIPS = 20_000;
    private static final int LARGE_WRITES = 400;
    private static final int BATCHES = 4_000;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private static final Map<String, Function<ThreadRuntime, UdpFabric>> WAYS = new TreeMap<>(Map.of(
            "channel", of(DatagramBatching.NONE),
            "mmsg", of(DatagramBatching.MESSAGES),
            "gso", of(DatagramBatching.SEGMENTS)));

    private final String way;
    private final Function<ThreadRuntime, UdpFabric> newFabric;

    private static Function<ThreadRuntime, UdpFabric> of(DatagramBatching batching) {
        return runtime -> new UdpFabric(runtime, NativeUse.AUTO, batching);
    }

    private UdpSpeed(String way) {
        this.way = way;
        Function<ThreadRuntime, UdpFabric> known = WAYS.get(way);
        if (known == null) {
            throw new IllegalArgumentException("no way of sending is called " + way + "; there are " + WAYS.keySet());
        }
        newFabric = known;
    }

    /**
     * Measures.
     *
     * @param arguments the ways of sending to measure
     * @throws Exception if something fails
     */
    public static void main(String[] arguments) throws Exception {
        for (String way : arguments.length == 0 ? WAYS.keySet() : Arrays.asList(arguments)) {
            UdpSpeed speed = new UdpSpeed(way);
            speed.pingPong();
            speed.writes("write_1m_mtu4096", PathMtu.MTU_4096, LARGE, 1, LARGE_WRITES);
            speed.writes("write_1m_mtu1024", PathMtu.MTU_1024, LARGE, 1, LARGE_WRITES);
            speed.writes("write_64_batch", PathMtu.MTU_4096, SMALL, BATCH, BATCHES);
        }
    }

    private void print(String name, double value, String unit) {
        System.out.printf(Locale.ROOT, "udp_%s_%s %.3f %s%n", way, name, value, unit);
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    private static double least(double[] values) {
        return Arrays.stream(values).min().orElseThrow();
    }

    /** Some work, which is done again and again. */
    @FunctionalInterface
    private interface Round {
        /** Does it, and gives a figure. */
        double run() throws Exception;
    }

    /** The median figure, and what was allocated for an operation in the round where that was least. */
    private void measure(String name, String unit, int operations, Round round) throws Exception {
        for (int i = 0; i < WARM_UP; i++) {
            round.run();
        }
        double[] figures = new double[ROUNDS];
        double[] bytes = new double[ROUNDS];
        for (int i = 0; i < ROUNDS; i++) {
            long before = THREADS.getTotalThreadAllocatedBytes();
            figures[i] = round.run();
            bytes[i] = (double) (THREADS.getTotalThreadAllocatedBytes() - before) / operations;
        }
        print(name, median(figures), unit);
        print(name + "_allocated", least(bytes), "B/op");
    }

    private void writes(String name, PathMtu mtu, int bytes, int list, int lists) throws Exception {
        try (UdpLink link = new UdpLink(newFabric, mtu, LARGE)) {
            SendRequests requests = link.left().queuePair.newSendRequests(list);
            for (int i = 0; i < list; i++) {
                SendWorkRequest request = requests.get(i)
                        .rdmaWrite(
                                link.right().region.address(),
                                link.right().region.rkey())
                        .sge(link.left().region, 0, bytes);
                if (i == list - 1) {
                    request.signaled();
                }
            }
            boolean large = bytes == LARGE;
            double amount = large ? 1e-9 * bytes : 1e-6;
            measure(name, large ? "GB/s" : "M/s", list * lists, () -> {
                long begin = System.nanoTime();
                post(link.left(), requests, list);
                for (int i = 1; i < lists; i++) {
                    post(link.left(), requests, list);
                    link.left().awaitSend();
                }
                link.left().awaitSend();
                return amount * list * lists * 1e9 / (System.nanoTime() - begin);
            });
        }
    }

    private static void post(Link.End end, SendRequests requests, int count) {
        if (end.queuePair.postSend(requests, count) != count) {
            throw new IllegalStateException("not all could be posted");
        }
    }

    private void pingPong() throws Exception {
        try (UdpLink link = new UdpLink(newFabric, PathMtu.MTU_4096, SMALL)) {
            Player left = new Player(link.left());
            Player right = new Player(link.right());
            AtomicBoolean ended = new AtomicBoolean();
            AtomicReference<Throwable> failure = new AtomicReference<>();
            Thread answering = Thread.ofPlatform().daemon().start(() -> {
                try {
                    while (true) {
                        right.take(ended);
                        right.give();
                    }
                } catch (Throwable end) {
                    if (!ended.get()) {
                        failure.set(end);
                    }
                }
            });
            Histogram halves = new Histogram(3);
            measure("send_pingpong_half_rtt", "us", TRIPS, () -> {
                halves.reset();
                for (int i = 0; i < TRIPS; i++) {
                    long begin = System.nanoTime();
                    left.give();
                    left.take(ended);
                    halves.recordValue((System.nanoTime() - begin) / 2);
                    if (failure.get() != null) {
                        throw new IllegalStateException(failure.get());
                    }
                }
                return halves.getValueAtPercentile(50) / 1e3;
            });
            ended.set(true);
            answering.join();
        }
    }

    /** One who gives and takes messages by turns. */
    private static final class Player {
        /** How many sends have one completion. */
        private static final int SIGNAL_EVERY = 16;

        private final Link.End end;
        private final SendRequests sends;
        private final ReceiveRequests receives;
        private int given;

        Player(Link.End end) throws VerbsException {
            this.end = end;
            sends = end.queuePair.newSendRequests(1);
            receives = end.queuePair.newReceiveRequests(1);
            receives.get(0).clear().sge(end.region, 0, SMALL);
            receive();
            receive();
        }

        private void receive() {
            if (end.queuePair.postReceive(receives, 1) != 1) {
                throw new IllegalStateException("a receive could not be posted");
            }
        }

        void take(AtomicBoolean ended) {
            while (!end.received()) {
                if (ended.get()) {
                    throw new IllegalStateException("ended");
                }
                Thread.onSpinWait();
            }
            receive();
        }

        void give() {
            boolean signaled = ++given % SIGNAL_EVERY == 0;
            SendWorkRequest request = sends.get(0).send();
            if (signaled) {
                request.signaled();
            }
            request.sge(end.region, 0, SMALL);
            post(end, sends, 1);
            if (signaled) {
                end.awaitSend();
            }
        }
    }
}
