package dev.verbena.benchmarks;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Group;
import org.openjdk.jmh.annotations.GroupThreads;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Control;

/**
 * Two threads that spin hand a flag to each other: an operation of each is one handoff there and one back. It is what anything
 * between two threads costs at least.
 */
@State(Scope.Group)
public class HandoffBenchmark extends Piece {
    private volatile boolean away;

    /**
     * Gives the flag away, and waits until it is back.
     *
     * @param control says when measuring ends, and nobody answers any more
     */
    @Benchmark
    @Group("handoff")
    @GroupThreads(1)
    public void thereAndBack(Control control) {
        away = true;
        while (away && !control.stopMeasurement) {
            Thread.onSpinWait();
        }
    }

    /**
     * Waits for the flag, and gives it back.
     *
     * @param control says when measuring ends, and nobody asks any more
     */
    @Benchmark
    @Group("handoff")
    @GroupThreads(1)
    public void back(Control control) {
        while (!away && !control.stopMeasurement) {
            Thread.onSpinWait();
        }
        away = false;
    }
}
