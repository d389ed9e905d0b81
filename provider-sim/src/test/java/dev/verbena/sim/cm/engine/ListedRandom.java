// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm.engine;

import java.util.ArrayDeque;
import java.util.random.RandomGenerator;

/** A random generator that returns the numbers that a capture shows. */
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
