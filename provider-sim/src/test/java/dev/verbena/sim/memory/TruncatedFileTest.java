// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Accesses to a mapped file after it was truncated: interpreted and compiled, on platform and on virtual threads. */
class TruncatedFileTest {
    private static final int SIZE = 1 << 16;
    /** More than the number of calls after which code is compiled. */
    private static final int MANY = 6_000;

    @TempDir
    Path directory;

    @Test
    void eachAccessOfAPlatformThreadReportsIt() throws Exception {
        assertThat(run(Thread.ofPlatform())).isEqualTo(5 * MANY);
    }

    /** The JVM would end if a virtual thread yielded with the error pending. */
    @Test
    void eachAccessOfAVirtualThreadReportsIt() throws Exception {
        assertThat(run(Thread.ofVirtual())).isEqualTo(5 * MANY);
    }

    private int run(Thread.Builder builder) throws Exception {
        FutureTask<Integer> task = new FutureTask<>(this::refusals);
        builder.start(task);
        return task.get();
    }

    private int refusals() throws IOException {
        try (Arena arena = Arena.ofShared();
                FileChannel file = FileChannel.open(
                        directory.resolve("mapped"),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE)) {
            MemoryPieces pieces = MemoryPieces.guarded(file.map(FileChannel.MapMode.READ_WRITE, 0, SIZE, arena));
            MemorySegment other = arena.allocate(SIZE);
            assertThat(count(pieces, other)).isZero();
            file.truncate(0);
            return count(pieces, other);
        }
    }

    /** Makes all accesses {@link #MANY} times; returns the number of refused ones. */
    private static int count(MemoryPieces pieces, MemorySegment other) {
        int refused = 0;
        for (int i = 0; i < MANY; i++) {
            int bytes = 1 + i % 4096;
            refused += pieces.copyTo(8, other, 0, bytes) ? 0 : 1;
            refused += pieces.copyFrom(other, false, 0, 8, bytes) ? 0 : 1;
            refused += succeeds(() -> pieces.getAndAdd(8, 1)) ? 0 : 1;
            refused += succeeds(() -> pieces.compareAndExchange(8, 0, 1)) ? 0 : 1;
            refused += succeeds(() -> {
                        pieces.setVolatile(8, 1);
                        return 0L;
                    })
                    ? 0
                    : 1;
        }
        return refused;
    }

    private static boolean succeeds(Callable<Long> access) {
        try {
            access.call();
            return true;
        } catch (InternalError truncated) {
            return false;
        } catch (Exception other) {
            throw new AssertionError(other);
        }
    }
}
