package dev.verbena.lnd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.cm.ConnectionManager;
import dev.verbena.lnet.LnetEvent;
import dev.verbena.lnet.MatchEntry;
import dev.verbena.lnet.MdOption;
import dev.verbena.lnet.MemoryDescriptor;
import dev.verbena.sim.SimDeviceSpec;
import dev.verbena.sim.SimProvider;
import dev.verbena.sim.fabric.InProcessFabric;
import dev.verbena.sim.runtime.ThreadRuntime;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The same nodes under threads and wall time: several users at once, handlers on the provider's workers. */
class ThreadedNodesTest {

    private static final int USERS = 3;
    private static final int EACH = 60;
    private static final Duration DEADLINE = Duration.ofSeconds(60);

    @Test
    void severalUsersMoveTheirBytesAtOnce() throws Exception {
        try (ThreadRuntime runtime = new ThreadRuntime(1);
                SimProvider provider = new SimProvider(
                        runtime,
                        new InProcessFabric(runtime),
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
                results.add(users.submit((Callable<Boolean>) () -> work(number, from, to, arena)));
            }
            for (Future<Boolean> result : results) {
                assertThat(result.get()).isTrue();
            }
            assertThat(a.statistics().closedWithError() + b.statistics().closedWithError())
                    .isZero();
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
    private static boolean work(int user, LnetNode from, LnetNode to, Arena arena) throws InterruptedException {
        for (int i = 0; i < EACH; i++) {
            int length = (i * 7919) % 200_000;
            MemorySegment source = arena.allocate(length);
            MemorySegment middle = arena.allocate(length);
            MemorySegment back = arena.allocate(length);
            Lab.fill(source, i);
            long bits = (long) user << 32 | i;
            AtomicInteger puts = new AtomicInteger();
            AtomicInteger gets = new AtomicInteger();
            to.attach(
                    MatchEntry.on(Lab.PORTAL).matchBits(bits).build(),
                    MemoryDescriptor.over(middle)
                            .options(MdOption.OP_PUT, MdOption.OP_GET, MdOption.MANAGE_REMOTE)
                            .threshold(2)
                            .build());
            from.put(active(source, puts), true, to.id(), Lab.PORTAL, bits, 0, 0);
            if (!from.runtime().await(() -> puts.get() == 2, DEADLINE)) {
                return false;
            }
            from.get(active(back, gets), to.id(), Lab.PORTAL, bits, 0);
            if (!from.runtime().await(() -> gets.get() == 2, DEADLINE) || back.mismatch(source) != -1) {
                return false;
            }
        }
        return true;
    }

    private static MemoryDescriptor active(MemorySegment memory, AtomicInteger successes) {
        return MemoryDescriptor.over(memory)
                .threshold(2)
                .handler((LnetEvent event) -> {
                    if (event.isSuccess()) {
                        successes.incrementAndGet();
                    }
                })
                .build();
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
