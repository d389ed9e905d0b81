// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/** Shrinks a failing program as long as it still fails: fewer faults and actions, and each as simple as possible. */
final class ProgramShrinker {
    private static final int MOST_RUNS = 4000;

    private final Predicate<Program> fails;
    private Program best;
    private int runs;

    private ProgramShrinker(Program program, Predicate<Program> fails) {
        best = program;
        this.fails = fails;
    }

    /**
     * Runs a program. If it fails, throws the failure of the smallest failing program found. If that program, which may
     * be the original one, does not fail again, throws the first failure.
     */
    static void check(Program program, Consumer<Program> run) {
        Optional<Throwable> first = failure(program, run);
        if (first.isEmpty()) {
            return;
        }
        Program smallest = of(program, candidate -> failure(candidate, run).isPresent());
        Throwable thrown = failure(smallest, run)
                .orElseGet(() -> new AssertionError(
                        "this program failed once and not when it ran again: " + program + ", then: " + first.get(),
                        first.get()));
        if (thrown instanceof Error error) {
            throw error;
        }
        throw new AssertionError("an unexpected exception in " + smallest, thrown);
    }

    private static Optional<Throwable> failure(Program program, Consumer<Program> run) {
        try {
            run.accept(program);
            return Optional.empty();
        } catch (AssertionError | RuntimeException failure) {
            return Optional.of(failure);
        }
    }

    private static Program of(Program program, Predicate<Program> fails) {
        ProgramShrinker smallest = new ProgramShrinker(program, fails);
        Program before;
        do {
            before = smallest.best;
            smallest.pass();
        } while (!smallest.best.equals(before));
        return smallest.best;
    }

    private void pass() {
        drop(Program::faults, (program, faults) -> program.with(program.actions(), faults));
        drop(Program::actions, (program, actions) -> program.with(actions, program.faults()));
        for (int i = 0; i < best.actions().size(); i++) {
            int index = i;
            best.actions().get(i).plainer().forEach(action -> {
                List<Action> actions = new ArrayList<>(best.actions());
                actions.set(index, action);
                attempt(best.with(actions, best.faults()));
            });
        }
    }

    /** Removes half of a list, a quarter, and so on to single elements. */
    private <T> void drop(Function<Program, List<T>> part, BiFunction<Program, List<T>, Program> with) {
        for (int size = part.apply(best).size(); size > 0; size /= 2) {
            for (int from = part.apply(best).size() - 1; from >= 0; from -= size) {
                List<T> fewer = new ArrayList<>(part.apply(best));
                fewer.subList(Math.max(0, from - size + 1), Math.min(fewer.size(), from + 1))
                        .clear();
                attempt(with.apply(best, fewer));
            }
        }
    }

    private void attempt(Program candidate) {
        if (!candidate.equals(best) && runs++ < MOST_RUNS && fails.test(candidate)) {
            best = candidate;
        }
    }
}
