package dev.verbena.ibverbs.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.ibverbs.internal.UseGuard.Use;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class UseGuardTest {
    private static final int USERS = 3;
    private static final int LIVES = 300;

    /** An object that notes who met it after its end. */
    private static final class Guarded {
        final UseGuard guard = new UseGuard("thing");
        final AtomicInteger started = new AtomicInteger();
        volatile boolean alive = true;

        /** Uses it until it is closed; how often it was met dead. */
        int useBriefly() {
            int dead = 0;
            for (Use use = guard.begin(); use != Use.NONE; use = guard.begin()) {
                started.incrementAndGet();
                dead += alive ? 0 : 1;
                guard.done(use);
            }
            return dead;
        }

        int useCounted() {
            int dead = 0;
            while (guard.tryEnter()) {
                started.incrementAndGet();
                dead += alive ? 0 : 1;
                guard.exit();
            }
            return dead;
        }
    }

    @Test
    void whoIsInNeverMeetsAnObjectThatWasDestroyed() throws Exception {
        try (ExecutorService pool = Executors.newFixedThreadPool(USERS)) {
            for (int life = 0; life < LIVES; life++) {
                Guarded guarded = new Guarded();
                List<Future<Integer>> users = new ArrayList<>();
                users.add(pool.submit(guarded::useCounted));
                while (users.size() < USERS) {
                    users.add(pool.submit(guarded::useBriefly));
                }
                while (guarded.started.get() < USERS) {
                    Thread.onSpinWait();
                }
                assertThat(guarded.guard.end(() -> guarded.alive = false)).isTrue();
                for (Future<Integer> user : users) {
                    assertThat(user.get(60, TimeUnit.SECONDS)).isZero();
                }
            }
        }
    }

    @Test
    void aSecondUseIsCountedWhileThereIsASoleOne() {
        UseGuard guard = new UseGuard("thing");
        Use first = guard.begin();
        Use second = guard.begin();
        assertThat(List.of(first, second)).containsExactly(Use.SOLE, Use.COUNTED);
        guard.done(second);
        guard.done(first);
        assertThat(guard.begin()).isEqualTo(Use.SOLE);
    }

    @Test
    void aFailureToDestroyLeavesItOpen() throws VerbsException {
        UseGuard guard = new UseGuard("thing");
        assertThatThrownBy(() -> guard.end(() -> {
                    throw new VerbsException(Errno.EBUSY, "ibv_destroy_qp", "refused");
                }))
                .isInstanceOf(VerbsException.class);
        Use use = guard.begin();
        assertThat(use).isEqualTo(Use.SOLE);
        guard.done(use);
        assertThat(guard.end(() -> {})).isTrue();
        assertThat(guard.begin()).isEqualTo(Use.NONE);
        assertThat(guard.end(() -> {})).isFalse();
    }
}
