// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.verbs.VerbsRuntime;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class VirtualActorTest {
    private static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);

    private final VirtualRuntime runtime = new VirtualRuntime(1);
    private final List<String> log = new ArrayList<>();

    @AfterEach
    void close() {
        runtime.close();
    }

    private static void sleep(VerbsRuntime runtime, long nanos) throws InterruptedException {
        runtime.await(() -> false, Duration.ofNanos(nanos));
    }

    private void awaitEnd(VirtualActor actor) throws InterruptedException {
        assertThat(runtime.await(actor::hasEnded, FOREVER)).isTrue();
    }

    @Test
    void anActorRunsOnlyWhileTheMainThreadWaits() throws InterruptedException {
        VirtualActor actor = runtime.actor("server", () -> log.add("server"));
        log.add("main");
        awaitEnd(actor);
        assertThat(log).containsExactly("main", "server");
    }

    @Test
    void actorsWaitForEachOther() throws InterruptedException {
        int[] balls = {0};
        VirtualActor left = runtime.actor("left", () -> {
            for (int i = 0; i < 100; i++) {
                int turn = 2 * i;
                runtime.await(() -> balls[0] == turn, FOREVER);
                balls[0]++;
            }
        });
        VirtualActor right = runtime.actor("right", () -> {
            for (int i = 0; i < 100; i++) {
                int turn = 2 * i + 1;
                runtime.await(() -> balls[0] == turn, FOREVER);
                balls[0]++;
            }
        });
        awaitEnd(left);
        awaitEnd(right);
        assertThat(balls[0]).isEqualTo(200);
    }

    @Test
    void timePassesOnlyWhenAllWait() throws InterruptedException {
        VirtualActor slow = runtime.actor("slow", () -> {
            sleep(runtime, 500);
            log.add("slow " + runtime.nanoTime());
        });
        VirtualActor fast = runtime.actor("fast", () -> {
            sleep(runtime, 200);
            log.add("fast " + runtime.nanoTime());
        });
        awaitEnd(slow);
        assertThat(fast.hasEnded()).isTrue();
        assertThat(log).containsExactly("fast 200", "slow 500");
    }

    /** The order of actors that can all continue comes from the seed, and from nothing else. */
    @Property(tries = 50)
    void theSeedDecidesWhoIsNext(@ForAll long seed, @ForAll @IntRange(min = 2, max = 6) int count)
            throws InterruptedException {
        assertThat(order(seed, count)).isEqualTo(order(seed, count));
    }

    @Test
    void differentSeedsGiveDifferentOrders() throws InterruptedException {
        assertThat(List.of(order(1, 6), order(2, 6), order(3, 6)).stream().distinct())
                .hasSizeGreaterThan(1);
    }

    private static List<String> order(long seed, int count) throws InterruptedException {
        List<String> order = new ArrayList<>();
        try (VirtualRuntime runtime = new VirtualRuntime(seed)) {
            List<VirtualActor> actors = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                String name = "actor " + i;
                actors.add(runtime.actor(name, () -> {
                    for (int turn = 0; turn < 4; turn++) {
                        order.add(name);
                        sleep(runtime, 10);
                    }
                }));
            }
            runtime.await(() -> actors.stream().allMatch(VirtualActor::hasEnded), FOREVER);
        }
        assertThat(order).hasSize(4 * count);
        return order;
    }

    @Test
    void theMainThreadThrowsWhatAnActorThrows() {
        VirtualActor actor = runtime.actor("server", () -> {
            throw new AssertionError("wrong bytes");
        });
        assertThatThrownBy(() -> awaitEnd(actor))
                .isInstanceOf(AssertionError.class)
                .hasMessage("wrong bytes");
        assertThat(actor.hasEnded()).isTrue();
    }

    @Test
    void aWaitWithoutEndNamesWhoWaitsAndWhere() {
        runtime.actor("server", () -> runtime.await(() -> false, FOREVER));
        assertThatIllegalStateException()
                .isThrownBy(() -> runtime.await(() -> false, FOREVER))
                .withMessageStartingWith("no event can happen any more")
                .withMessageContaining("\nmain waits in ")
                .withMessageContaining("\nserver waits in ");
    }

    @Test
    void anActorThatBlocksOutsideTheSpiFailsTheOthersWithItsStack() {
        CountDownLatch never = new CountDownLatch(1);
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        runtime.actor("server", () -> {
            try {
                never.await();
            } catch (InterruptedException e) {
                thrown.set(e);
            }
        });
        assertThatIllegalStateException()
                .isThrownBy(() -> sleep(runtime, 1))
                .withMessageStartingWith("server blocks outside the SPI")
                .withStackTraceContaining("CountDownLatch.await");
    }

    @Test
    void anActorThatWaitsForASocketIsSeen() throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            runtime.actor("server", socket::accept);
            assertThatIllegalStateException()
                    .isThrownBy(() -> sleep(runtime, 1))
                    .withMessageStartingWith("server blocks outside the SPI")
                    .withStackTraceContaining("ServerSocket.accept");
        }
    }

    @Test
    void aMainThreadThatWaitsForAnActorOtherwiseIsInterruptedAndToldWhy() {
        CountDownLatch never = new CountDownLatch(1);
        runtime.actor("server", () -> {});
        assertThatThrownBy(never::await).isInstanceOf(InterruptedException.class);
        assertThatIllegalStateException()
                .isThrownBy(() -> sleep(runtime, 1))
                .withMessageStartingWith("main blocks outside the SPI");
    }

    @Test
    void aThreadThatIsNoActorIsRefusedByName() throws InterruptedException {
        VirtualActor actor = runtime.actor("server", () -> sleep(runtime, 1));
        AtomicReference<Optional<Throwable>> seen = new AtomicReference<>();
        Thread stranger = Thread.ofPlatform().name("stranger").start(() -> {
            try {
                sleep(runtime, 1);
                seen.set(Optional.empty());
            } catch (Exception e) {
                seen.set(Optional.of(e));
            }
        });
        stranger.join();
        assertThat(seen.get())
                .hasValueSatisfying(refusal -> assertThat(refusal)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageStartingWith("stranger uses a runtime in virtual time that "));
        awaitEnd(actor);
    }

    @Test
    void aLoopOfEmptyPollsLetsTimePass() throws InterruptedException {
        VirtualActor poller = runtime.actor("poller", () -> {
            while (runtime.nanoTime() < 100_000) {
                runtime.polledInVain();
            }
        });
        awaitEnd(poller);
        assertThat(runtime.nanoTime()).isEqualTo(100_000);
    }

    @Test
    void aPollInAConditionTakesNoTime() throws InterruptedException {
        VirtualActor actor = runtime.actor(
                "waiter",
                () -> runtime.await(
                        () -> {
                            runtime.polledInVain();
                            return runtime.nanoTime() >= 7;
                        },
                        Duration.ofNanos(7)));
        awaitEnd(actor);
        assertThat(runtime.nanoTime()).isEqualTo(7);
    }

    @Test
    void twoActorsOfOneNameAreRefused() {
        runtime.actor("server", () -> {});
        assertThatIllegalArgumentException()
                .isThrownBy(() -> runtime.actor("server", () -> {}))
                .withMessageContaining("server");
    }

    @Test
    void anActorStartsActors() throws InterruptedException {
        VirtualActor parent = runtime.actor("parent", () -> {
            VirtualActor child = runtime.actor("child", () -> log.add("child"));
            runtime.await(child::hasEnded, FOREVER);
            log.add("parent");
        });
        awaitEnd(parent);
        assertThat(log).containsExactly("child", "parent");
    }

    @Test
    void closeEndsTheActors() throws InterruptedException {
        VirtualActor waits = runtime.actor("waits", () -> {
            while (!runtime.await(() -> false, FOREVER)) {
                log.add("woken");
            }
        });
        sleep(runtime, 1);
        runtime.close();
        assertThat(log).containsExactly("woken");
        assertThat(waits.hasEnded()).isTrue();
    }
}
