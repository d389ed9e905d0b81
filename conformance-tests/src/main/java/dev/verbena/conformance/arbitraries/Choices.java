// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.arbitraries;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * The random numbers that determine the parameter values of one execution of a rule. They come from the caller or from a
 * {@code SplittableRandom}. Each random number is between 0 and a bound, and is stored. Equal random numbers yield equal
 * parameter values. Smaller random numbers yield simpler parameter values, such as shorter lists. Not thread-safe.
 */
public final class Choices {
    /** A random number is near a bound of its range if it differs from this bound by at most {@code EXTREMES}. */
    private static final int EXTREMES = 2;

    /**
     * A random number that is biased towards the bounds of its range is near a bound with a probability of at least
     * 1/{@code KINDS}.
     */
    private static final int KINDS = 8;

    private final Source source;
    private final List<Draw> draws = new ArrayList<>();
    private final List<Element> elements = new ArrayList<>();

    /**
     * Returns an unsigned number up to {@code most}. If {@code biased}, small numbers and numbers near {@code most} are
     * frequent.
     */
    private interface Source {
        long next(long most, boolean biased);
    }

    /** A recorded random number and its bound, both unsigned. */
    private record Draw(long number, long most) {}

    /**
     * An element of a list of random length. The recorded random number at the index {@code size} determines the length of
     * the list. The list element was created from the recorded random numbers at the indexes {@code from} (inclusive) to
     * {@code to} (exclusive).
     */
    private record Element(int size, int from, int to) {}

    private Choices(Source source) {
        this.source = source;
    }

    /**
     * {@return random choices for one execution of a rule}
     *
     * @param random the generator of the random numbers
     */
    public static Choices random(SplittableRandom random) {
        return new Choices((most, biased) -> biased ? biased(random, most) : uniform(random, most));
    }

    /**
     * {@return an object that uses the given numbers instead of random numbers. A given number above the requested bound is
     * replaced by the bound. After the last given number, the object uses 0 for each further number}
     *
     * @param numbers the numbers, unsigned
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
     * {@return a random integer from {@code min} to {@code max}. Shrinking moves the integer toward 0}
     *
     * @param min the smallest integer
     * @param max the largest integer
     */
    public int between(int min, int max) {
        long number = draw((long) max - min, true);
        if (min >= 0) {
            return (int) (min + number);
        }
        if (max <= 0) {
            return (int) (max - number);
        }
        // The random numbers 0, 1, 2, 3, ... select the integers 0, 1, -1, 2, ... until `min` or `max` is reached.
        // After one bound is reached, the selected integers continue one by one to the other bound.
        long nearer = Math.min(max, -(long) min);
        long value = number <= 2 * nearer ? alternating(number) : max > nearer ? number - nearer : nearer - number;
        return (int) value;
    }

    private static long alternating(long number) {
        return (number & 1) == 0 ? -(number >>> 1) : (number >>> 1) + 1;
    }

    /** {@return any 64-bit integer} */
    public long anyLong() {
        return alternating(draw(-1, true));
    }

    /**
     * {@return a random number from 0 to {@code bound} - 1; all numbers of this range have the same probability}
     *
     * @param bound the exclusive upper bound of the random number, at least 1
     */
    public int below(int bound) {
        return (int) draw(bound - 1, false);
    }

    /**
     * {@return one of the given values, selected at random; all given values have the same probability}
     *
     * @param values one or more values; shrinking moves the result toward the first value
     * @param <T> the type of the values
     */
    @SafeVarargs
    public final <T> T of(T... values) {
        return values[below(values.length)];
    }

    /**
     * {@return a list with random elements}
     *
     * @param min the minimum number of elements of the returned list
     * @param max the maximum number of elements of the returned list
     * @param element creates one random element of the list
     * @param <T> the type of the elements
     */
    public <T> List<T> list(int min, int max, Arbitrary<? extends T> element) {
        int sizeAt = draws.size();
        int size = between(min, max);
        List<T> list = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            int from = draws.size();
            list.add(element.draw(this));
            if (min < max) {
                elements.add(new Element(sizeAt, from, draws.size()));
            }
        }
        return list;
    }

    /** {@return the recorded numbers, unsigned} */
    public List<Long> numbers() {
        return draws.stream().map(Draw::number).toList();
    }

    /**
     * {@return the number sequence that follows the recorded sequence in lexicographic order; empty if each recorded number
     * equals its bound}
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
     * {@return shorter sequences of the recorded numbers. Each returned sequence omits the numbers of one list element, so
     * that the generated list is shorter by one element. Sequences that omit later list elements precede sequences that
     * omit earlier list elements}
     */
    public List<List<Long>> shorter() {
        List<List<Long>> shorter = new ArrayList<>();
        for (Element element : elements.reversed()) {
            List<Long> numbers = new ArrayList<>(numbers());
            if (numbers.get(element.size) != 0) {
                numbers.set(element.size, numbers.get(element.size) - 1);
                numbers.subList(element.from, element.to).clear();
                shorter.add(numbers);
            }
        }
        return shorter;
    }
}
