// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A model of a list of pieces that computes every result page by page. */
final class PageModel {

    static final long PAGE = 4096;
    static final int LIMIT = 257;

    /** Bytes from one offset to before another one. */
    record Range(long start, long end) {
        long length() {
            return end - start;
        }
    }

    private final List<Range> pages = new ArrayList<>();

    /** Adds a piece; false, and the list is as it was, if that was full before all of it was in. */
    boolean add(Range piece) {
        int before = pages.size();
        long at = piece.start();
        while (at < piece.end()) {
            if (pages.size() == LIMIT) {
                pages.subList(before, LIMIT).clear();
                return false;
            }
            long next = Math.min(piece.end(), (at / PAGE + 1) * PAGE);
            pages.add(new Range(at, next));
            at = next;
        }
        return true;
    }

    /** One range for each page of each piece. */
    List<Range> pages() {
        return pages;
    }

    long total() {
        return pages.stream().mapToLong(Range::length).sum();
    }

    boolean hasGaps() {
        for (int i = 1; i < pages.size(); i++) {
            long end = pages.get(i - 1).end();
            long start = pages.get(i).start();
            if (start != end && (end % PAGE != 0 || start % PAGE != 0)) {
                return true;
            }
        }
        return false;
    }

    boolean isContiguous() {
        return runs().size() == 1;
    }

    /** As few ranges as hold the same bytes in the same order. */
    List<Range> runs() {
        List<Range> runs = new ArrayList<>();
        for (Range page : pages) {
            if (!runs.isEmpty() && runs.getLast().end() == page.start()) {
                runs.set(runs.size() - 1, new Range(runs.getLast().start(), page.end()));
            } else {
                runs.add(page);
            }
        }
        return runs;
    }

    /**
     * Returns the mapping of an FMR: a whole page for each range; without gaps none for a range that continues in the
     * previous page.
     */
    List<Range> mapped() {
        List<Range> mapped = new ArrayList<>();
        boolean gaps = hasGaps();
        for (int i = 0; i < pages.size(); i++) {
            Range page = pages.get(i);
            long start = page.start() / PAGE * PAGE;
            if (mapped.isEmpty()) {
                mapped.add(new Range(start, start + PAGE));
                continue;
            }
            Range last = mapped.getLast();
            if (start == last.end()) {
                mapped.set(mapped.size() - 1, new Range(last.start(), start + PAGE));
            } else if (gaps || page.start() != pages.get(i - 1).end()) {
                mapped.add(new Range(start, start + PAGE));
            }
        }
        return mapped;
    }

    /**
     * Slices of some memory, each placed in one of many ways to the one before it. Some lists have holes, some only pages that
     * do not follow one another, some neither.
     */
    static List<Range> slices(Random random, long memory, int most) {
        boolean onPages = random.nextInt(3) == 0;
        boolean neighbours = random.nextInt(3) == 0;
        int longest = 1 + random.nextInt(12);
        List<Range> slices = new ArrayList<>();
        long end = random.nextInt(64) * PAGE + random.nextInt((int) PAGE);
        for (int left = 1 + random.nextInt(most); left > 0; left--) {
            long start = neighbours && random.nextInt(40) > 0 ? end : next(random, end, onPages, memory);
            long bytes = switch (onPages || random.nextInt(3) == 0 ? 2 : random.nextInt(2)) {
                case 0 -> 1 + random.nextInt(300);
                case 1 -> 1 + random.nextInt((int) (longest * PAGE));
                default -> (1 + random.nextInt(longest)) * PAGE - start % PAGE;
            };
            if (start + bytes > memory) {
                return slices.isEmpty() ? List.of(new Range(0, 1)) : slices;
            }
            end = start + bytes;
            slices.add(new Range(start, end));
        }
        return slices;
    }

    /** Returns where a slice starts that follows another one. */
    private static long next(Random random, long end, boolean onPages, long memory) {
        long page = Math.ceilDiv(end, PAGE) * PAGE;
        return switch (random.nextInt(onPages ? 3 : 6)) {
            case 0 -> page;
            case 1 -> page + random.nextInt(5) * PAGE;
            case 2 -> Math.max(0, page - (1 + random.nextInt(3)) * PAGE);
            case 3 -> end + random.nextInt(200);
            case 4 -> random.nextInt((int) memory);
            default -> end;
        };
    }
}
