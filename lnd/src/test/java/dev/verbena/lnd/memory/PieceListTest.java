// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.lnd.memory.PageModel.Range;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Compares the results for whole pieces with those computed page by page. */
class PieceListTest {

    private static final long PAGE = PageModel.PAGE;
    private static final int LIMIT = PageModel.LIMIT;
    private static final int MEMORY = 4 << 20;
    private static final MemorySegment ARRAY = MemorySegment.ofArray(new byte[MEMORY]);

    private final PieceList pieces = new PieceList();
    private PageModel model = new PageModel();

    private void clear() {
        pieces.clear();
        model = new PageModel();
    }

    /** Adds to both; false if they are full, which they are at the same time. */
    private boolean add(Range slice) {
        int before = pieces.count();
        boolean added = pieces.add(slice.start(), slice.length());
        assertThat(added).isEqualTo(model.add(slice));
        assertThat(pieces.count()).isEqualTo(before + (added ? 1 : 0));
        assertThat(pieces.fragments()).isEqualTo(model.pages().size());
        assertThat(pieces.total()).isEqualTo(model.total());
        if (added) {
            assertThat(pieces.offset(before)).isEqualTo(slice.start());
            assertThat(pieces.length(before)).isEqualTo(slice.length());
            assertThat(pieces.end(before)).isEqualTo(slice.end());
        }
        return added;
    }

    /** Makes a list of random slices, of those that fit. */
    private void addSome(Random random, int most) {
        clear();
        for (Range slice : PageModel.slices(random, MEMORY, most)) {
            add(slice);
        }
    }

    @Property
    void slicesAreCountedAsTheirPages(@ForAll long seed, @ForAll @IntRange(min = 1, max = 300) int most) {
        addSome(new Random(seed), most);
    }

    /** One more piece of just as many pages as there is room for, or of one more, wherever in a page it starts. */
    @Property
    void aListIsFullAtTheLimitAndNotBefore(
            @ForAll long seed,
            @ForAll @IntRange(min = 1, max = 60) int most,
            @ForAll @IntRange(min = 0, max = 4095) int within,
            @ForAll @IntRange(min = 1, max = 4096) int inLastPage) {
        addSome(new Random(seed), most);
        int room = LIMIT - pieces.fragments();
        long start = 5 * PAGE + within;
        if (room > 1) {
            long fits = (5L + room - 1) * PAGE + inLastPage;
            assertThat(pieces.add(start, fits + PAGE - start)).isFalse();
            assertThat(add(new Range(start, fits))).isTrue();
            assertThat(pieces.fragments()).isEqualTo(LIMIT);
        }
        if (pieces.fragments() == LIMIT) {
            assertThat(add(new Range(start, start + 1))).isFalse();
        }
    }

    @Property(tries = 2000)
    void gapsAreWhereTheyAreBetweenPages(@ForAll long seed, @ForAll @IntRange(min = 1, max = 20) int most) {
        addSome(new Random(seed), most);
        assertThat(Gaps.in(pieces)).isEqualTo(model.hasGaps());
        assertThat(Gaps.isContiguous(pieces)).isEqualTo(model.isContiguous());
    }

    private static List<Range> ranges(PageRuns runs) {
        // A part of an array has its offset for an address.
        return runs.in(ARRAY).stream()
                .map(part -> new Range(part.address(), part.address() + part.byteSize()))
                .toList();
    }

    @Property
    void anFmrIsMappedToThePagesOfAllFragments(
            @ForAll long seed,
            @ForAll @IntRange(min = 1, max = 5) int before,
            @ForAll @IntRange(min = 1, max = 20) int most) {
        Random random = new Random(seed);
        PageRuns runs = new PageRuns();
        addSome(random, before);
        runs.set(pieces, Gaps.in(pieces));
        List<Range> mappedBefore = model.mapped();
        PageRuns kept = runs.copy();
        addSome(random, most);
        runs.set(pieces, Gaps.in(pieces));
        assertThat(ranges(runs)).isEqualTo(model.mapped());
        assertThat(ranges(kept)).as("a key stays").isEqualTo(mappedBefore);
        assertThat(runs).isEqualTo(runs.copy()).hasSameHashCodeAs(runs.copy());
        assertThat(runs.equals(kept)).isEqualTo(model.mapped().equals(mappedBefore));
    }

    @Test
    void pagesThatWereMappedBeforeAreFoundAgainHoweverTheyAreCut() {
        PageRuns whole = runsOf(new Range(PAGE, 4 * PAGE));
        PageRuns cut = runsOf(new Range(PAGE + 9, 2 * PAGE + 100), new Range(2 * PAGE + 100, 4 * PAGE - 1));
        assertThat(cut).isEqualTo(whole).hasSameHashCodeAs(whole);
        assertThat(runsOf(new Range(PAGE, 3 * PAGE))).isNotEqualTo(whole);
        assertThat(runsOf(new Range(0, 3 * PAGE))).isNotEqualTo(whole);
    }

    @Test
    void aPageThatIsThereTwiceIsMappedTwice() {
        Range page = new Range(3 * PAGE, 4 * PAGE);
        assertThat(ranges(runsOf(page, page))).containsExactly(page, page);
        Range before = new Range(PAGE, 3 * PAGE);
        assertThat(ranges(runsOf(before, new Range(2 * PAGE, 2 * PAGE + 5))))
                .containsExactly(before, new Range(2 * PAGE, 3 * PAGE));
    }

    private PageRuns runsOf(Range... slices) {
        clear();
        for (Range slice : slices) {
            assertThat(add(slice)).isTrue();
        }
        PageRuns runs = new PageRuns();
        runs.set(pieces, Gaps.in(pieces));
        return runs;
    }
}
