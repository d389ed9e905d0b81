// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.cm.ConnectionManager;
import dev.verbena.lnet.LnetEvent;
import dev.verbena.lnet.LnetEventQueue;
import dev.verbena.lnet.MatchEntry;
import dev.verbena.lnet.MdOption;
import dev.verbena.lnet.MemoryDescriptor;
import dev.verbena.lnet.UnlinkPolicy;
import dev.verbena.sim.SimDeviceSpec;
import dev.verbena.sim.SimProvider;
import dev.verbena.sim.fabric.Fabric;
import dev.verbena.sim.fabric.InProcessFabric;
import dev.verbena.sim.runtime.SimRuntime;
import dev.verbena.sim.runtime.ThreadRuntime;
import dev.verbena.sim.udp.UdpFabric;
import dev.verbena.spi.callerruns.CallerRuns;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsRuntime;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The same nodes under threads and wall time: several users at once, handlers on the provider's workers. */
class ThreadedNodesTest {

    private static final int USERS = 3;
    private static final int EACH = 60;
    private static final int EACH_BY_SOCKETS = 20;
    private static final int ATTEMPTS = 5;
    private static final int TURNS_UNTIL_QUIET = 50;
    private static final int ROUNDS = 5_000;
    private static final Duration DEADLINE = Duration.ofMinutes(2);

    @Test
    void severalUsersMoveTheirBytesAtOnce() throws Exception {
        try (ThreadRuntime runtime = new ThreadRuntime(1)) {
            run(runtime, new InProcessFabric(runtime), EACH, 1);
        }
    }

    @Test
    void devicesWithoutCallerRunsCarryTheSameWork() throws Exception {
        try (ThreadRuntime threads = new ThreadRuntime(1)) {
            SimRuntime runtime = (SimRuntime) Proxy.newProxyInstance(
                    SimRuntime.class.getClassLoader(),
                    new Class<?>[] {SimRuntime.class},
                    (proxy, method, arguments) -> method.getName().equals("extension")
                            ? Optional.empty()
                            : method.invoke(threads, arguments));
            assertThat(threads.extension(CallerRuns.class)).isPresent();
            run(runtime, new InProcessFabric(runtime), EACH, 1);
        }
    }

    /** The nodes' devices have sockets of their own; the devices retransmit packets that the network loses. */
    @Test
    @Tag("udp")
    void severalUsersMoveTheirBytesThroughSockets() throws Exception {
        try (ThreadRuntime runtime = new ThreadRuntime(1);
                UdpFabric fabric = new UdpFabric(runtime)) {
            for (int host = 1; host <= 2; host++) {
                fabric.endpoint(
                        Gid.ofAddress(Lab.address(host)), new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            }
            run(runtime, fabric, EACH_BY_SOCKETS, ATTEMPTS);
        }
    }

    private static void run(SimRuntime runtime, Fabric fabric, int each, int attempts) throws Exception {
        try (SimProvider provider = new SimProvider(
                        runtime,
                        fabric,
                        List.of(SimDeviceSpec.of("sim0", "10.0.0.1"), SimDeviceSpec.of("sim1", "10.0.0.2")));
                LnetNode a = start(provider, 1);
                LnetNode b = start(provider, 2);
                ExecutorService users = Executors.newFixedThreadPool(USERS);
                Arena arena = Arena.ofShared()) {
            List<Future<Boolean>> results = new ArrayList<>();
            for (int user = 0; user < USERS; user++) {
                int number = user;
                LnetNode from = user % 2 == 0 ? a : b;
                LnetNode to = user % 2 == 0 ? b : a;
                results.add(users.submit((Callable<Boolean>) () -> work(number, each, attempts, from, to, arena)));
            }
            for (Future<Boolean> result : results) {
                assertThat(result.get()).isTrue();
            }
            assertThat(attempts > 1
                            || a.statistics().closedWithError() + b.statistics().closedWithError() == 0)
                    .isTrue();
        }
    }

    private static LnetNode start(SimProvider provider, int host) throws VerbsException {
        return LnetNode.start(
                provider.extension(ConnectionManager.class).orElseThrow(),
                Lab.address(host),
                Lab.nid(host),
                O2ibTunables.builder().memory(32L << 20).build());
    }

    /** Puts random bytes and gets them back, again and again, a few at a time. */
    private static boolean work(int user, int each, int attempts, LnetNode from, LnetNode to, Arena arena)
            throws InterruptedException {
        for (int i = 0; i < each; i++) {
            int length = (i * 7919) % 200_000;
            MemorySegment source = arena.allocate(length);
            MemorySegment middle = arena.allocate(length);
            MemorySegment back = arena.allocate(length);
            Lab.fill(source, i);
            long bits = (long) user << 32 | i;
            to.attach(
                    MatchEntry.on(Lab.PORTAL).matchBits(bits).build(),
                    MemoryDescriptor.over(middle)
                            .options(MdOption.OP_PUT, MdOption.OP_GET, MdOption.MANAGE_REMOTE)
                            .build());
            boolean moved = again(
                            attempts,
                            from,
                            ended -> from.put(active(source, ended), true, to.id(), Lab.PORTAL, bits, 0, 0))
                    && again(attempts, from, ended -> from.get(active(back, ended), to.id(), Lab.PORTAL, bits, 0));
            if (!moved || back.mismatch(source) != -1) {
                return false;
            }
        }
        return true;
    }

    /**
     * Starts an operation. Through sockets repeats it if it fails or gets no answer, since a device ends a connection
     * if the other end gets no processor for long.
     */
    private static boolean again(int attempts, LnetNode from, Consumer<EventCounts> operation)
            throws InterruptedException {
        for (int attempt = 0; attempt < attempts; attempt++) {
            EventCounts events = new EventCounts();
            operation.accept(events);
            from.runtime().await(() -> events.successes.get() == 2 || events.failures.get() > 0, DEADLINE);
            if (events.successes.get() == 2) {
                return true;
            }
        }
        return false;
    }

    /** The events of one operation. */
    private static final class EventCounts {
        private final AtomicInteger successes = new AtomicInteger();
        private final AtomicInteger failures = new AtomicInteger();
    }

    private static MemoryDescriptor active(MemorySegment memory, EventCounts events) {
        return MemoryDescriptor.over(memory)
                .threshold(2)
                .handler((LnetEvent event) -> {
                    (event.isSuccess() ? events.successes : events.failures).incrementAndGet();
                })
                .build();
    }

    /**
     * In one process no thread has to be woken for a message: the sending thread does all work except the handlers. It
     * stops if the work takes too long, as it may before the code is compiled.
     */
    @Test
    @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aMessageArrivesWithoutAnyOtherThread() throws Exception {
        try (ThreadRuntime runtime = new ThreadRuntime(1, 1);
                SimProvider provider = new SimProvider(
                        runtime,
                        new InProcessFabric(runtime),
                        List.of(SimDeviceSpec.of("sim0", "10.0.0.1"), SimDeviceSpec.of("sim1", "10.0.0.2")));
                LnetNode a = start(provider, 1);
                LnetNode b = start(provider, 2);
                Arena arena = Arena.ofShared()) {
            MemorySegment source = arena.allocate(50_000);
            MemorySegment target = arena.allocate(50_000);
            b.attach(
                    MatchEntry.on(Lab.PORTAL).build(),
                    MemoryDescriptor.over(target)
                            .options(MdOption.OP_PUT, MdOption.MANAGE_REMOTE)
                            .unlinkPolicy(UnlinkPolicy.RETAIN)
                            .build());
            EventCounts first = new EventCounts();
            a.put(active(source, first), true, b.id(), Lab.PORTAL, 0, 0, 0);
            assertThat(runtime.await(() -> first.successes.get() == 2, DEADLINE))
                    .isTrue();
            boolean arrived = false;
            for (int round = 1; round <= ROUNDS && !arrived; round++) {
                Lab.fill(source, round);
                EventCounts next = new EventCounts();
                CountDownLatch held = holdTheWorker(runtime);
                try {
                    a.put(active(source, next), true, b.id(), Lab.PORTAL, 0, 0, 0);
                    arrived = target.mismatch(source) == -1;
                    assertThat(next.successes).hasValue(0);
                } finally {
                    held.countDown();
                }
                assertThat(runtime.await(() -> next.successes.get() == 2, DEADLINE))
                        .isTrue();
            }
            assertThat(arrived).isTrue();
        }
    }

    /** An event from any thread wakes the thread that waits for events, and no event needs a handler. */
    @Test
    void aWaitingThreadTakesTheEvents() throws Exception {
        try (ThreadRuntime runtime = new ThreadRuntime(1);
                SimProvider provider = new SimProvider(
                        runtime,
                        new InProcessFabric(runtime),
                        List.of(SimDeviceSpec.of("sim0", "10.0.0.1"), SimDeviceSpec.of("sim1", "10.0.0.2")));
                LnetNode a = start(provider, 1);
                LnetNode b = start(provider, 2);
                Arena arena = Arena.ofShared()) {
            LnetEventQueue arrived = new LnetEventQueue(runtime);
            b.attach(
                    MatchEntry.on(Lab.PORTAL).build(),
                    MemoryDescriptor.over(arena.allocate(64))
                            .options(MdOption.OP_PUT, MdOption.MANAGE_REMOTE)
                            .unlinkPolicy(UnlinkPolicy.RETAIN)
                            .eventQueue(arrived)
                            .build());
            MemorySegment source = arena.allocate(64);
            Thread sender = Thread.ofPlatform().start(() -> {
                for (int i = 0; i < EACH; i++) {
                    a.put(MemoryDescriptor.over(source).threshold(1).build(), false, b.id(), Lab.PORTAL, 0, 0, i);
                }
            });
            for (int i = 0; i < EACH; i++) {
                assertThat(arrived.await(DEADLINE).map(LnetEvent::hdrData)).contains((long) i);
            }
            sender.join();
            assertThat(arrived.poll()).isEmpty();
        }
    }

    /** Where each event starts the next message, and all of it happens in the worker that handles the first one. */
    @Test
    void handlersThatKeepSendingDoNotOccupyTheWorker() throws Exception {
        try (ThreadRuntime runtime = new ThreadRuntime(1, 1);
                SimProvider provider = new SimProvider(
                        runtime,
                        new InProcessFabric(runtime),
                        List.of(SimDeviceSpec.of("sim0", "10.0.0.1"), SimDeviceSpec.of("sim1", "10.0.0.2")));
                LnetNode a = start(provider, 1);
                LnetNode b = start(provider, 2);
                Arena arena = Arena.ofShared()) {
            b.attach(
                    MatchEntry.on(Lab.PORTAL).build(),
                    MemoryDescriptor.over(arena.allocate(64))
                            .options(MdOption.OP_PUT, MdOption.MANAGE_REMOTE)
                            .unlinkPolicy(UnlinkPolicy.RETAIN)
                            .build());
            MemorySegment source = arena.allocate(64);
            AtomicBoolean enough = new AtomicBoolean();
            AtomicInteger sent = new AtomicInteger();
            putAgain(a, b, source, enough, sent);
            assertThat(runtime.await(() -> sent.get() > 100, DEADLINE)).isTrue();
            runtime.newSerialTask(() -> enough.set(true)).schedule();
            assertThat(runtime.await(enough::get, DEADLINE)).isTrue();
        }
    }

    private static void putAgain(
            LnetNode from, LnetNode to, MemorySegment source, AtomicBoolean enough, AtomicInteger sent) {
        sent.incrementAndGet();
        MemoryDescriptor md = MemoryDescriptor.over(source)
                .threshold(2)
                .handler(event -> {
                    if (event.unlinked() && !enough.get()) {
                        putAgain(from, to, source, enough, sent);
                    }
                })
                .build();
        from.put(md, true, to.id(), Lab.PORTAL, 0, 0, 0);
    }

    /** Lets the one worker run all pending work and its consequences, and then blocks it until the latch opens. */
    private static CountDownLatch holdTheWorker(ThreadRuntime runtime) throws InterruptedException {
        AtomicInteger turns = new AtomicInteger();
        VerbsRuntime.SerialTask turn = runtime.newSerialTask(turns::incrementAndGet);
        for (int i = 1; i <= TURNS_UNTIL_QUIET; i++) {
            int number = i;
            turn.schedule();
            assertThat(runtime.await(() -> turns.get() == number, DEADLINE)).isTrue();
        }
        CountDownLatch until = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(1);
        runtime.newSerialTask(() -> {
                    begun.countDown();
                    try {
                        until.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                })
                .schedule();
        begun.await();
        return until;
    }

    /** Connections are destroyed while completion handlers run; that each waits for the other must not happen. */
    @Test
    @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void nodesComeAndGoUnderTraffic() throws Exception {
        try (ThreadRuntime runtime = new ThreadRuntime(1);
                SimProvider provider = new SimProvider(
                        runtime,
                        new InProcessFabric(runtime),
                        List.of(SimDeviceSpec.of("sim0", "10.0.0.1"), SimDeviceSpec.of("sim1", "10.0.0.2")));
                LnetNode b = start(provider, 2);
                Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(50_000);
            for (int round = 0; round < 20; round++) {
                AtomicInteger ended = new AtomicInteger();
                try (LnetNode a = start(provider, 1)) {
                    for (int i = 0; i < 8; i++) {
                        MemoryDescriptor md = MemoryDescriptor.over(memory)
                                .threshold(1)
                                .handler(event -> ended.incrementAndGet())
                                .build();
                        a.put(md, false, b.id(), Lab.PORTAL, 0, 0, 0);
                    }
                    int enough = round % 8;
                    assertThat(runtime.await(() -> ended.get() >= enough, DEADLINE))
                            .isTrue();
                }
                assertThat(ended.get()).isEqualTo(8);
            }
        }
    }
}
