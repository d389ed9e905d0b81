package dev.verbena.sim.cm;

import java.util.ArrayDeque;
import java.util.random.RandomGenerator;

/** A source of chance that draws what a capture shows to have been drawn. */
final class ListedRandom implements RandomGenerator {
    private final ArrayDeque<Integer> draws = new ArrayDeque<>();

    ListedRandom then(int draw) {
        draws.add(draw);
        return this;
    }

    @Override
    public int nextInt() {
        return draws.isEmpty() ? 0 : draws.remove();
    }

    @Override
    public long nextLong() {
        throw new UnsupportedOperationException("the engine draws ints");
    }
}
