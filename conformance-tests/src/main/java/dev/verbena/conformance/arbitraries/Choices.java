// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.arbitraries;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * The choices that determine the values of one try: made at random, or the given ones. Each is a number from 0, the simplest choice, up
 * to a bound, and is recorded. The same numbers make the same values again, and smaller numbers make simpler values.
 *
 * <p>For one thread.
 */
public final class Choices {
    /** Numbers up to this distance from either end of a range are drawn more often: 0, 1, -1, and the bounds. */
    private static final int EXTREMES = 2;

    /** A number is near an end of its range in one of this many draws. */
    private static final int KINDS = 8;

    private final Source source;
    private final List<Draw> draws = new ArrayList<>();
    private final List<Element> elements = new ArrayList<>();

    /** The next number from 0 to {@code most}, both unsigned; small and extreme ones are more frequent if {@code biased}. */
    private interface Source {
        long next(long most, boolean biased);
    }

    /** A number that was drawn, and the largest possible one; unsigned. */
    private record Draw(long number, long most) {}

    /** An element of a list: the draw of the list's size, and the draws of the element, from the first to before the last. */
    private record Element(int size, int from, int to) {}

    private Choices(Source source) {
        this.source = source;
    }

    /**
     * Makes choices at random.
     *
     * @param random the source of the numbers
     * @return choices for one try
     */
    public static Choices random(SplittableRandom random) {
        return new Choices((most, biased) -> biased ? biased(random, most) : uniform(random, most));
    }

    /**
     * Makes given choices. A number above its bound becomes the bound; after the last number each choice is the simplest.
     *
     * @param numbers the numbers, unsigned
     * @return choices for one try
     */
    public static Choices of(List<Long> numbers) {
        var next = numbers.iterator();
        return new Choices((most, _) -> {
            long number = next.hasNext() ? next.next() : 0;
            return Long.compareUnsigned(number, most) > 0 ? most : number;
        });
    }

    private static long uniform(SplittableRandom random, long most) {
        return most == -1 ? random.nextLong() : random.nextLong(most + 1);
    }

    private static long biased(SplittableRandom random, long most) {
        int kind = random.nextInt(KINDS);
        if (kind == 0) {
            long extreme = uniform(random, Long.compareUnsigned(most, EXTREMES) < 0 ? most : EXTREMES);
            return random.nextBoolean() ? extreme : most - extreme;
        }
        if (kind > KINDS / 2) {
            return uniform(random, most);
        }
        int bits = random.nextInt(Long.SIZE - Long.numberOfLeadingZeros(most) + 1);
        long small = bits == 0 ? 0 : random.nextLong() >>> (Long.SIZE - bits);
        return Long.compareUnsigned(small, most) > 0 ? most : small;
    }

    private long draw(long most, boolean biased) {
        if (most == 0) {
            return 0;
        }
        long number = source.next(most, biased);
        draws.add(new Draw(number, most));
        return number;
    }

    /**
     * Chooses an integer; the one nearest to 0 is the simplest.
     *
     * @param min the smallest
     * @param max the largest
     * @return an integer of the range
     */
    public int between(int min, int max) {
        long number = draw((long) max - min, true);
        if (min >= 0) {
            return (int) (min + number);
        }
        if (max <= 0) {
            return (int) (max - number);
        }
        // 0, 1, -1, 2, -2 and so on up to the nearer bound, then the rest of the longer side.
        long nearer = Math.min(max, -(long) min);
        long value = number <= 2 * nearer ? alternating(number) : max > nearer ? number - nearer : nearer - number;
        return (int) value;
    }

    private static long alternating(long number) {
        return (number & 1) == 0 ? -(number >>> 1) : (number >>> 1) + 1;
    }

    /**
     * Chooses any integer.
     *
     * @return 64 bits
     */
    public long anyLong() {
        return alternating(draw(-1, true));
    }

    /**
     * Chooses a number, each with the same probability.
     *
     * @param bound the first number that is too large
     * @return 0 or more
     */
    public int below(int bound) {
        return (int) draw(bound - 1, false);
    }

    /**
     * Chooses one of some values, each with the same probability.
     *
     * @param values one or more, the simplest first
     * @param <T> their type
     * @return one of them
     */
    @SafeVarargs
    public final <T> T of(T... values) {
        return values[below(values.length)];
    }

    /**
     * Chooses the elements of a list.
     *
     * @param min the smallest size
     * @param max the largest size
     * @param element draws an element
     * @param <T> the type of the elements
     * @return a list
     */
    public <T> List<T> list(int min, int max, Arbitrary<? extends T> element) {
        int sizeAt = draws.size();
        int size = between(min, max);
        List<T> list = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            int from = draws.size();
            list.add(element.draw(this));
            elements.add(new Element(sizeAt, from, draws.size()));
        }
        return list;
    }

    /**
     * Returns the recorded choices.
     *
     * @return the numbers, unsigned
     */
    public List<Long> numbers() {
        return draws.stream().map(Draw::number).toList();
    }

    /**
     * Returns the choices after these, when all are enumerated from the simplest ones.
     *
     * @return the numbers of the next try, or empty after the last
     */
    public Optional<List<Long>> successor() {
        for (int i = draws.size() - 1; i >= 0; i--) {
            Draw last = draws.get(i);
            if (last.number != last.most) {
                List<Long> next = new ArrayList<>(numbers().subList(0, i));
                next.add(last.number + 1);
                return Optional.of(next);
            }
        }
        return Optional.empty();
    }

    /**
     * Returns these choices without one element of a list, for each element of each list. The last elements are first.
     *
     * @return numbers of simpler tries
     */
    public List<List<Long>> shorter() {
        List<List<Long>> shorter = new ArrayList<>();
        for (Element element : elements.reversed()) {
            List<Long> numbers = new ArrayList<>(numbers());
            // A size that cannot be smaller was not drawn, or is 0.
            if (element.size < element.from && numbers.get(element.size) != 0) {
                numbers.set(element.size, numbers.get(element.size) - 1);
                numbers.subList(element.from, element.to).clear();
                shorter.add(numbers);
            }
        }
        return shorter;
    }
}
