// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verifyNoInteractions;

import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class UseGuardTest {
    private static final int LIVES = 300;
    private static final int INSIDE = 6;
    private static final int LOOKS = 100;

    /** The two ways in which the closing thread detects uses. */
    enum Way {
        BARRIER,
        COUNT;

        UseGuard guard() {
            return new UseGuard(
                    "thing",
                    switch (this) {
                        case BARRIER -> ProcessBarrier::here;
                        case COUNT -> Optional::empty;
                    });
        }
    }

    /** An object with a plain field that shows whether it is destroyed, so that only the guard orders its uses. */
    private static final class Guarded {
        final UseGuard guard;
        final AtomicInteger started = new AtomicInteger();
        boolean alive = true;

        Guarded(Way way) {
            guard = way.guard();
        }

        /** Uses it until it is closed; how often it was met dead. */
        int useBriefly() {
            int dead = 0;
            started.incrementAndGet();
            for (Use use = guard.begin(); !use.isNone(); use = guard.begin()) {
                dead += alive ? 0 : 1;
                guard.done(use);
            }
            return dead;
        }

        int useNested() {
            int dead = 0;
            started.incrementAndGet();
            for (Use outer = guard.begin(); !outer.isNone(); outer = guard.begin()) {
                Use inner = guard.begin();
                dead += alive ? 0 : 1;
                guard.done(inner);
                dead += alive ? 0 : 1;
                guard.done(outer);
            }
            return dead;
        }

        int useCounted() {
            int dead = 0;
            started.incrementAndGet();
            while (guard.tryEnter()) {
                dead += alive ? 0 : 1;
                guard.exit();
            }
            return dead;
        }

        /** Each thread uses it in its way while this one destroys it; how often it was met dead. */
        int liveAndDie(ExecutorService pool, List<Function<Guarded, Integer>> ways) throws Exception {
            List<Future<Integer>> users = new ArrayList<>();
            ways.forEach(way -> users.add(pool.submit(() -> way.apply(this))));
            while (started.get() < ways.size()) {
                Thread.onSpinWait();
            }
            assertThat(guard.end(() -> alive = false)).isTrue();
            int dead = 0;
            for (Future<Integer> user : users) {
                dead += user.get(60, TimeUnit.SECONDS);
            }
            return dead;
        }
    }

    private static <T> T elsewhere(Supplier<T> work) throws Exception {
        CompletableFuture<T> answer = new CompletableFuture<>();
        Thread.ofPlatform().start(() -> answer.complete(work.get())).join();
        return answer.get(60, TimeUnit.SECONDS);
    }

    @ParameterizedTest
    @EnumSource
    void aUseNeverSeesADestroyedObject(Way way) throws Exception {
        List<List<Function<Guarded, Integer>>> crowds = new ArrayList<>(List.of(
                List.of(Guarded::useBriefly),
                List.of(Guarded::useBriefly, Guarded::useCounted),
                List.of(Guarded::useBriefly, Guarded::useBriefly)));
        if (way == Way.BARRIER) {
            crowds.add(List.of(Guarded::useNested));
        }
        try (ExecutorService pool = Executors.newFixedThreadPool(2)) {
            for (int life = 0; life < LIVES; life++) {
                assertThat(new Guarded(way).liveAndDie(pool, crowds.get(life % crowds.size())))
                        .as("uses of a destroyed object in life %s", life)
                        .isZero();
            }
        }
    }

    /** Threads that are inside at the same time: as many as have marks, and more. */
    @ParameterizedTest
    @EnumSource
    void closingWaitsForEachThreadThatIsInside(Way way) throws Exception {
        UseGuard guard = way.guard();
        List<CompletableFuture<Void>> ends = new ArrayList<>();
        List<Thread> users = new ArrayList<>();
        for (int i = 0; i < INSIDE; i++) {
            CompletableFuture<Void> begun = new CompletableFuture<>();
            CompletableFuture<Void> end = new CompletableFuture<>();
            users.add(Thread.ofPlatform().start(() -> {
                Use use = guard.begin();
                begun.complete(null);
                end.join();
                guard.done(use);
            }));
            begun.get(60, TimeUnit.SECONDS);
            ends.add(end);
        }
        AtomicInteger ended = new AtomicInteger();
        Thread closer = Thread.ofPlatform().start(() -> {
            try {
                guard.end(ended::incrementAndGet);
            } catch (VerbsException impossible) {
                throw new AssertionError(impossible);
            }
        });
        // The counted ones first, so that the marks alone are waited for afterwards.
        for (int i = INSIDE - 1; i >= 0; i--) {
            for (int look = 0; look < LOOKS; look++) {
                Thread.onSpinWait();
                assertThat(ended).hasValue(0);
            }
            ends.get(i).complete(null);
            users.get(i).join();
        }
        closer.join();
        assertThat(ended).hasValue(1);
        assertThat(guard.begin()).isSameAs(Use.NONE);
    }

    @Test
    void aThreadKeepsItsMarkWhichIsNotAnothers() throws Exception {
        UseGuard guard = new UseGuard("thing");
        Use own = guard.begin();
        guard.done(own);
        Use again = guard.begin();
        assertThat(again).isSameAs(own);
        assertThat(guard.begin()).isSameAs(Use.INNER);
        assertThat(elsewhere(guard::begin)).isNotSameAs(own);
    }

    @Test
    void moreThreadsThanThereAreMarksForAreCountedUntilOneOfTheFirstHasEnded() throws Exception {
        UseGuard guard = new UseGuard("thing");
        try (ExecutorService pool = Executors.newFixedThreadPool(4)) {
            List<Use> marks = new ArrayList<>();
            CompletableFuture<Void> all = new CompletableFuture<>();
            for (int i = 0; i < 4; i++) {
                AtomicInteger entered = new AtomicInteger();
                pool.execute(() -> {
                    Use use = guard.begin();
                    synchronized (marks) {
                        marks.add(use);
                    }
                    guard.done(use);
                    entered.incrementAndGet();
                    all.join();
                });
                while (entered.get() == 0) {
                    Thread.onSpinWait();
                }
            }
            assertThat(marks).doesNotHaveDuplicates().doesNotContain(Use.COUNTED, Use.NONE);
            Use stranger = guard.begin();
            assertThat(stranger).isSameAs(Use.COUNTED);
            guard.done(stranger);
            all.complete(null);
            pool.shutdown();
            assertThat(pool.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
            Use inherited = guard.begin();
            while (inherited.equals(Use.COUNTED)) {
                // A pool has ended a little before its threads have.
                guard.done(Use.COUNTED);
                Thread.onSpinWait();
                inherited = guard.begin();
            }
            assertThat(marks).contains(inherited);
        }
    }

    @Test
    void aUseMayNestWhileAnotherThreadCloses() throws Exception {
        UseGuard guard = new UseGuard("thing");
        Use outer = guard.begin();
        CompletableFuture<Boolean> closing = new CompletableFuture<>();
        Thread closer = Thread.ofPlatform().start(() -> {
            try {
                closing.complete(guard.end(() -> {}));
            } catch (VerbsException impossible) {
                throw new AssertionError(impossible);
            }
        });
        while (closer.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        Use inner = guard.begin();
        assertThat(inner).isSameAs(Use.INNER);
        assertThat(closing).isNotDone();
        guard.done(inner);
        assertThat(closing).isNotDone();
        guard.done(outer);
        assertThat(closing.get(60, TimeUnit.SECONDS)).isTrue();
    }

    /** Else it would wait for itself. */
    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aThreadCannotDestroyTheObjectInsideItsOwnUse() throws VerbsException {
        UseGuard guard = new UseGuard("thing");
        Use outer = guard.begin();
        Use inner = guard.begin();
        for (Use use : List.of(inner, outer)) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> guard.end(() -> {
                        throw new AssertionError("destroyed while in use");
                    }))
                    .withMessage("thing cannot be closed from inside a call on it; close it after that call");
            guard.done(use);
        }
        assertThat(guard.isClosed()).isFalse();
        assertThat(guard.end(() -> {})).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void aFailureToDestroyLeavesItOpen(Way way) throws VerbsException {
        UseGuard guard = way.guard();
        guard.done(guard.begin());
        assertThatThrownBy(() -> guard.end(() -> {
                    throw new VerbsException(Errno.EBUSY, "ibv_destroy_qp", "refused");
                }))
                .isInstanceOf(VerbsException.class);
        Use use = guard.begin();
        assertThat(use).isNotSameAs(Use.NONE);
        guard.done(use);
        assertThat(guard.end(() -> {})).isTrue();
        assertThat(guard.begin()).isSameAs(Use.NONE);
        assertThat(guard.end(() -> {})).isFalse();
    }

    @Test
    void closingAUsedObjectPassesTheBarrierOnceBeforeItsEnd() throws VerbsException {
        ProcessBarrier barrier = mock(ProcessBarrier.class);
        UseGuard guard = new UseGuard("thing", () -> Optional.of(barrier));
        guard.done(guard.begin());
        List<String> order = new ArrayList<>();
        doAnswer(call -> order.add("barrier")).when(barrier).pass();
        guard.end(() -> order.add("end"));
        assertThat(order).containsExactly("barrier", "end");
    }

    @Test
    void closingAnUnusedObjectPassesNoBarrier() throws VerbsException {
        ProcessBarrier barrier = mock(ProcessBarrier.class);
        new UseGuard("thing", () -> Optional.of(barrier)).end(() -> {});
        verifyNoInteractions(barrier);
    }
}
