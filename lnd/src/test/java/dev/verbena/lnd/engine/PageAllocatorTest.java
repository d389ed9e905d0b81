// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Runs of pages never overlap, and are found wherever there is one. */
class PageAllocatorTest {

    @Property(tries = 200)
    void runsNeverOverlapAndARunThatExistsIsFound(
            @ForAll long seed, @ForAll @IntRange(min = 1, max = 60) int capacity) {
        PageAllocator pages = new PageAllocator(capacity);
        boolean[] used = new boolean[capacity];
        List<int[]> runs = new ArrayList<>();
        Random random = new Random(seed);
        for (int step = 0; step < 200; step++) {
            if (random.nextBoolean() || runs.isEmpty()) {
                int count = 1 + random.nextInt(10);
                int first = pages.allocate(count);
                assertThat(first >= 0).isEqualTo(hasRun(used, count));
                if (first >= 0) {
                    mark(used, first, count, false);
                    runs.add(new int[] {first, count});
                }
            } else {
                int[] run = runs.remove(random.nextInt(runs.size()));
                pages.free(run[0], run[1]);
                mark(used, run[0], run[1], true);
            }
            int free = 0;
            for (boolean page : used) {
                free += page ? 0 : 1;
            }
            assertThat(pages.freePages()).isEqualTo(free);
        }
    }

    private static void mark(boolean[] used, int first, int count, boolean expected) {
        for (int i = first; i < first + count; i++) {
            assertThat(used[i]).isEqualTo(expected);
            used[i] = !expected;
        }
    }

    private static boolean hasRun(boolean[] used, int count) {
        int run = 0;
        for (boolean page : used) {
            run = page ? 0 : run + 1;
            if (run == count) {
                return true;
            }
        }
        return false;
    }

    @Test
    void pagesThatAreFreeCannotBeFreed() {
        PageAllocator pages = new PageAllocator(4);
        int first = pages.allocate(2);
        pages.free(first, 2);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> pages.free(first, 2))
                .withMessageContaining("freed before");
    }

    @Test
    void moreThanIsFreeIsNeverFoundHoweverMuchItIs() {
        PageAllocator pages = new PageAllocator(4);
        assertThat(pages.allocate(1)).isZero();
        assertThat(pages.allocate(Integer.MAX_VALUE)).isEqualTo(-1);
        assertThat(pages.allocate(4)).isEqualTo(-1);
        assertThat(pages.allocate(3)).isEqualTo(1);
    }
}
