// SPDX-License-Identifier: Apache-2.0
package dev.verbena.benchmarks;

import dev.verbena.cm.ConnectionManager;
import dev.verbena.lnd.LnetNode;
import dev.verbena.lnd.O2ibTunables;
import dev.verbena.lnet.LnetEvent;
import dev.verbena.lnet.LnetEventQueue;
import dev.verbena.lnet.MatchEntry;
import dev.verbena.lnet.MdOption;
import dev.verbena.lnet.MemoryDescriptor;
import dev.verbena.lnet.Nid;
import dev.verbena.lnet.UnlinkPolicy;
import dev.verbena.sim.SimDeviceSpec;
import dev.verbena.sim.SimProvider;
import dev.verbena.sim.fabric.InProcessFabric;
import dev.verbena.sim.runtime.ThreadRuntime;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Measures the throughput of LNet over o2iblnd between nodes in one process. The measured operations are PUTs, GETs and
 * RDMA WRITEs of 1 MiB, and small PUTs to few and to many peers. At most eight operations are in flight. The benchmark
 * polls LNet events and completions, and prints the name, the value and the unit of each result.
 */
public final class LndSpeed {
    private static final int MEBIBYTE = 1 << 20;
    private static final int SMALL = 64;
    private static final int UNDER_WAY = 8;
    private static final int ROUNDS = 7;
    private static final Duration WARM_UP = Duration.ofSeconds(4);

    private static final int TRANSFERS = 400;
    private static final int MESSAGES = 20_000;
    private static final int PORTAL = 42;
    private static final int HOSTS_OF_A_NET = 250;
    private static final String LARGE = "large";
    private static final List<String> PARTS = List.of(LARGE, "10", "1000");
    private static final Duration DEADLINE = Duration.ofMinutes(2);

    private final ThreadRuntime runtime = new ThreadRuntime(1);
    private final LnetEventQueue events = new LnetEventQueue(runtime);
    private long ended;
    private @Nullable LnetEvent failure;

    private LndSpeed() {}

    /**
     * Measures.
     *
     * @param arguments the measurements to run: the word {@code large} selects large messages, and a number selects the
     *     measurement with this number of peers. Without arguments, all measurements run
     */
    public static void main(String[] arguments) throws Exception {
        LndSpeed speed = new LndSpeed();
        try {
            List<String> parts = arguments.length == 0 ? PARTS : List.of(arguments);
            for (String part : parts) {
                if (part.equals(LARGE)) {
                    speed.large();
                } else {
                    speed.small(Integer.parseInt(part));
                }
            }
        } finally {
            speed.runtime.close();
        }
    }

    private interface Starter {
        void start(int number);
    }

    /**
     * The throughput measurements of one type of operation, and the minimum of the allocated bytes per operation among
     * them.
     */
    private final class Samples {
        private final int operations;
        private final double worth;
        private final Starter starter;
        private final double[] values = new double[ROUNDS];
        private double leastBytes = Double.MAX_VALUE;

        /** The factor {@code worth} converts operations per nanosecond to the unit in which they are printed. */
        Samples(int operations, double worth, Starter starter) {
            this.operations = operations;
            this.worth = worth;
            this.starter = starter;
        }

        void warmUp() throws InterruptedException {
            keepGoing(operations, UNDER_WAY, starter);
        }

        void take(int round) throws InterruptedException {
            Allocation allocation = new Allocation();
            long nanos = keepGoing(operations, UNDER_WAY, starter);
            values[round] = worth * operations / nanos;
            leastBytes = Math.min(leastBytes, (double) allocation.bytes() / operations);
        }

        void print(String name, String unit) {
            LndSpeed.print(name, Stopwatch.median(values), unit);
            LndSpeed.print(name + "_allocated", leastBytes, "B");
        }
    }

    /** Runs operations, of which at most a given number are in flight; returns the total time in nanoseconds. */
    private long keepGoing(int operations, int underWay, Starter starter) throws InterruptedException {
        long before = ended;
        long begin = System.nanoTime();
        for (int i = 0; i < operations; i++) {
            long enough = before + i - underWay + 1;
            if (!haveEnded(enough) && !runtime.await(() -> haveEnded(enough), DEADLINE)) {
                throw new IllegalStateException("operation " + (i - underWay) + " does not end");
            }
            starter.start(i);
        }
        if (!runtime.await(() -> haveEnded(before + operations), DEADLINE) || failure != null) {
            throw new IllegalStateException(
                    "of " + operations + " operations " + (ended - before) + " ended; a failure: " + failure);
        }
        return System.nanoTime() - begin;
    }

    /** Polls the pending events. Returns whether at least the given number of operations have completed in total. */
    private boolean haveEnded(long enough) {
        for (Optional<LnetEvent> next = events.poll(); next.isPresent(); next = events.poll()) {
            LnetEvent event = next.get();
            if (!event.isSuccess()) {
                failure = event;
            }
            if (event.unlinked()) {
                ended++;
            }
        }
        return ended >= enough;
    }

    private void large() throws Exception {
        try (SimProvider provider = provider(2);
                LnetNode from = start(provider, 1, 64L << 20);
                LnetNode to = start(provider, 2, 64L << 20);
                Link link = new Link((long) MEBIBYTE * UNDER_WAY)) {
            MemorySegment here = from.allocate((long) MEBIBYTE * UNDER_WAY);
            for (int i = 0; i < UNDER_WAY; i++) {
                to.attach(
                        MatchEntry.on(PORTAL).matchBits(i).build(),
                        MemoryDescriptor.over(to.allocate(MEBIBYTE))
                                .options(MdOption.OP_PUT, MdOption.OP_GET, MdOption.MANAGE_REMOTE)
                                .unlinkPolicy(UnlinkPolicy.RETAIN)
                                .build());
            }
            Samples put = new Samples(
                    TRANSFERS,
                    MEBIBYTE,
                    i -> from.put(once(piece(here, i), 2), true, to.id(), PORTAL, i % UNDER_WAY, 0, 0));
            Samples get = new Samples(
                    TRANSFERS, MEBIBYTE, i -> from.get(once(piece(here, i), 2), to.id(), PORTAL, i % UNDER_WAY, 0));
            double[] write = new double[ROUNDS];
            WarmUp warmUp = new WarmUp(WARM_UP.toNanos());
            do {
                put.warmUp();
                get.warmUp();
                writes(link);
            } while (warmUp.goesOn());
            for (int round = 0; round < ROUNDS; round++) {
                put.take(round);
                get.take(round);
                write[round] = (double) MEBIBYTE * TRANSFERS / writes(link);
            }
            put.print("lnd_put_1m", "GB/s");
            get.print("lnd_get_1m", "GB/s");
            print("lnd_raw_write_1m", Stopwatch.median(write), "GB/s");
        }
    }

    private static MemorySegment piece(MemorySegment memory, int number) {
        return memory.asSlice((long) (number % UNDER_WAY) * MEBIBYTE, MEBIBYTE);
    }

    /** Returns a memory descriptor for one operation. The operation's last event unlinks the memory descriptor. */
    private MemoryDescriptor once(MemorySegment memory, int count) {
        return MemoryDescriptor.over(memory).threshold(count).eventQueue(events).build();
    }

    private static long writes(Link link) throws VerbsException {
        SendRequests requests = link.left.queuePair.newSendRequests(UNDER_WAY);
        MemoryRegion target = link.right.region;
        for (int i = 0; i < UNDER_WAY; i++) {
            long at = (long) i * MEBIBYTE;
            requests.get(i)
                    .rdmaWrite(target.address() + at, target.rkey())
                    .signaled()
                    .sge(link.left.region, at, MEBIBYTE);
        }
        long begin = System.nanoTime();
        for (int i = 0; i < TRANSFERS; i++) {
            if (i >= UNDER_WAY) {
                link.left.awaitSend();
            }
            link.left.queuePair.postSend(requests, i % UNDER_WAY, 1);
        }
        for (int i = 0; i < UNDER_WAY; i++) {
            link.left.awaitSend();
        }
        return System.nanoTime() - begin;
    }

    private void small(int peers) throws Exception {
        List<LnetNode> others = new ArrayList<>();
        try (SimProvider provider = provider(peers + 1);
                LnetNode from = start(provider, 1, 512L << 20)) {
            try {
                for (int i = 0; i < peers; i++) {
                    LnetNode other = start(provider, i + 2, 4L << 20);
                    others.add(other);
                    other.attach(
                            MatchEntry.on(PORTAL).build(),
                            MemoryDescriptor.over(other.allocate(SMALL))
                                    .options(MdOption.OP_PUT, MdOption.MANAGE_REMOTE)
                                    .unlinkPolicy(UnlinkPolicy.RETAIN)
                                    .build());
                }
                MemorySegment bytes = from.allocate(SMALL);
                Samples messages = new Samples(
                        MESSAGES,
                        1e3,
                        i -> from.put(
                                once(bytes, 1), false, others.get(i % peers).id(), PORTAL, 0, 0, 0));
                WarmUp warmUp = new WarmUp(WARM_UP.toNanos());
                do {
                    messages.warmUp();
                } while (warmUp.goesOn());
                for (int round = 0; round < ROUNDS; round++) {
                    messages.take(round);
                }
                messages.print("lnd_messages_" + peers, "M/s");
            } finally {
                for (LnetNode other : others) {
                    other.close(Duration.ZERO);
                }
            }
        }
    }

    private SimProvider provider(int hosts) throws VerbsException {
        List<SimDeviceSpec> devices = new ArrayList<>();
        for (int host = 1; host <= hosts; host++) {
            devices.add(SimDeviceSpec.of("sim" + host, address(host)));
        }
        return new SimProvider(runtime, new InProcessFabric(runtime), devices);
    }

    private static String address(int host) {
        return "10.0." + host / HOSTS_OF_A_NET + "." + (host % HOSTS_OF_A_NET + 1);
    }

    private static LnetNode start(SimProvider provider, int host, long memory)
            throws VerbsException, UnknownHostException {
        return LnetNode.start(
                provider.extension(ConnectionManager.class).orElseThrow(),
                InetAddress.getByName(address(host)),
                Nid.parse(address(host) + "@o2ib"),
                O2ibTunables.builder().memory(memory).build());
    }

    private static void print(String name, double value, String unit) {
        System.out.printf(Locale.ROOT, "%s %.4f %s%n", name, value, unit);
    }
}
