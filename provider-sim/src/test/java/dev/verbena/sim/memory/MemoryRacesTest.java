// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.sim.fixture.Crew;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.MemoryWindowType;
import dev.verbena.verbs.RemoteKey;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Threads copy through grants. Meanwhile another thread ends the registration, poisons the memory, checks that the
 * poison stays, and registers the memory again.
 */
class MemoryRacesTest {
    private static final int ROUNDS = 2_000;
    private static final int WRITERS = 3;
    private static final int SIZE = 4096;
    private static final byte POISON = (byte) 0xEE;
    private static final int ACCESS =
            AccessFlag.LOCAL_WRITE.mask() | AccessFlag.REMOTE_WRITE.mask() | AccessFlag.MW_BIND.mask();
    private static final int REMOTE_WRITE = AccessFlag.REMOTE_WRITE.mask();

    private static final QpRole[] ROLES = QpRole.values();

    private final Object domain = new Object();
    private final MemoryUser user = new MemoryUser(domain, 17);
    private final MemoryTable table = new MemoryTable(100, 100, false, new SplittableRandom(3));
    private final Arena arena = Arena.ofShared();
    private final MemorySegment memory = arena.allocate(SIZE, 8);
    private final MemoryPieces pieces = MemoryPieces.of(memory);
    private final AtomicInteger key = new AtomicInteger();
    private final AtomicInteger copies = new AtomicInteger();
    private final AtomicBoolean over = new AtomicBoolean();

    /** The other thread's action of a round. After it no thread may access the memory. */
    private interface TakeAway {
        void run() throws Exception;
    }

    private interface GiveBack {
        int run() throws Exception;
    }

    private void race(GiveBack giveBack, TakeAway takeAway) throws InterruptedException {
        Crew crew = new Crew();
        crew.add(WRITERS, number -> {
            GrantedRange grant = new GrantedRange(table, user, ROLES[number % ROLES.length]);
            MemorySegment payload = MemorySegment.ofArray(new byte[SIZE]).fill((byte) (number + 1));
            while (!over.get()) {
                if (grant.openRemote(key.get(), REMOTE_WRITE, 0, SIZE)) {
                    grant.copyFrom(payload, 0, SIZE);
                    grant.retain();
                    if (grant.openRemote(key.get(), REMOTE_WRITE, 0, SIZE)) {
                        grant.copyFrom(payload, 0, SIZE);
                    }
                    grant.close();
                    copies.incrementAndGet();
                }
            }
        });
        crew.add(() -> {
            try {
                for (int i = 0; i < ROUNDS; i++) {
                    key.set(giveBack.run());
                    int before = copies.get();
                    while (i % 100 == 0 && copies.get() == before) {
                        Thread.onSpinWait();
                    }
                    takeAway.run();
                    memory.fill(POISON);
                    for (int turn = 0; turn < 3; turn++) {
                        for (int at = 0; at < SIZE; at++) {
                            if (memory.get(ValueLayout.JAVA_BYTE, at) != POISON) {
                                throw new AssertionError("touched in round " + i + " at " + at);
                            }
                        }
                    }
                }
            } finally {
                over.set(true);
            }
            return null;
        });
        crew.run();
        assertThat(copies).hasValueGreaterThanOrEqualTo(ROUNDS / 100);
        arena.close();
    }

    private UserMemory register() {
        return Objects.requireNonNull(table.register(domain, pieces, 0, ACCESS));
    }

    @Test
    void memoryIsNotTouchedAfterDeregistration() throws InterruptedException {
        UserMemory[] region = new UserMemory[1];
        race(
                () -> {
                    region[0] = register();
                    return region[0].key();
                },
                () -> table.deregister(region[0]));
    }

    @Test
    void memoryIsNotTouchedAfterALocalInvalidate() throws InterruptedException {
        FastMemory region = Objects.requireNonNull(table.allocateFast(domain));
        region.stage(pieces, 0);
        race(
                () -> {
                    assertThat(table.fastRegister(user, region.key(), RemoteKey.increment(region.key()), ACCESS))
                            .isTrue();
                    return region.key();
                },
                () -> assertThat(table.invalidate(user, region.key(), false)).isTrue());
    }

    @Test
    void memoryIsNotTouchedAfterAnFmrIsUnmapped() throws InterruptedException {
        FmrMemory region = Objects.requireNonNull(table.allocateFmr(domain, ACCESS));
        race(
                () -> {
                    assertThat(region.map(pieces, 0, 1)).isTrue();
                    return region.key();
                },
                region::unmap);
    }

    @Test
    void memoryIsNotTouchedThroughAWindowThatWasInvalidated() throws InterruptedException {
        UserMemory region = register();
        RegisteredWindow window = Objects.requireNonNull(table.allocateWindow(domain, MemoryWindowType.TYPE_2));
        race(
                () -> {
                    int next = RemoteKey.increment(window.key());
                    assertThat(table.bind(user, window.key(), next, region.key(), 0, SIZE, REMOTE_WRITE))
                            .isTrue();
                    return next;
                },
                () -> assertThat(table.invalidate(user, window.key(), true)).isTrue());
    }

    @Test
    void memoryIsNotTouchedThroughAWindowThatWasBoundElsewhere() throws InterruptedException {
        UserMemory region = register();
        MemoryPieces elsewhere = MemoryPieces.of(arena.allocate(SIZE));
        UserMemory other = Objects.requireNonNull(table.register(domain, elsewhere, 0, ACCESS));
        RegisteredWindow window = Objects.requireNonNull(table.allocateWindow(domain, MemoryWindowType.TYPE_1));
        race(
                () -> {
                    int next = RemoteKey.increment(window.key());
                    assertThat(table.bind(user, next, next, region.key(), 0, SIZE, REMOTE_WRITE))
                            .isTrue();
                    return next;
                },
                () -> {
                    int next = RemoteKey.increment(window.key());
                    assertThat(table.bind(user, next, next, other.key(), 0, SIZE, REMOTE_WRITE))
                            .isTrue();
                    key.set(next);
                });
    }

    @Test
    void memoryIsNotTouchedOnceItsRegionHasOther() throws InterruptedException {
        UserMemory region = register();
        MemoryPieces elsewhere = MemoryPieces.of(arena.allocate(SIZE));
        race(
                () -> {
                    assertThat(region.change(domain, pieces, 0, ACCESS)).isTrue();
                    return region.key();
                },
                () -> assertThat(region.change(domain, elsewhere, 0, ACCESS)).isTrue());
    }

    /** The change is atomic: a key that is valid before and after is valid throughout. */
    @Test
    void noAccessIsRefusedWhileARegionChanges() throws InterruptedException {
        UserMemory region = register();
        MemoryPieces elsewhere = MemoryPieces.of(arena.allocate(SIZE));
        Crew crew = new Crew();
        crew.add(2, number -> {
            GrantedRange grant = new GrantedRange(table, user, ROLES[number % ROLES.length]);
            while (!over.get()) {
                assertThat(grant.openRemote(region.key(), REMOTE_WRITE, 0, SIZE))
                        .isTrue();
                grant.copyFrom(MemorySegment.ofArray(new byte[SIZE]), 0, SIZE);
                grant.close();
            }
        });
        crew.add(() -> {
            try {
                for (int i = 0; i < ROUNDS; i++) {
                    assertThat(region.change(domain, i % 2 == 0 ? elsewhere : pieces, 0, ACCESS))
                            .isTrue();
                }
            } finally {
                over.set(true);
            }
            return null;
        });
        crew.run();
        arena.close();
    }
}
