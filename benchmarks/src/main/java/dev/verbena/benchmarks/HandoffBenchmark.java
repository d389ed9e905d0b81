// SPDX-License-Identifier: Apache-2.0
package dev.verbena.benchmarks;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Group;
import org.openjdk.jmh.annotations.GroupThreads;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Control;

/**
 * Two spinning threads pass a flag to each other; one operation is a handoff to the other thread and a handoff back.
 * Any data exchange between two threads costs at least one handoff.
 */
@State(Scope.Group)
public class HandoffBenchmark extends Piece {
    private volatile boolean away;

    /**
     * Passes the flag to the other thread, and waits until that thread returns the flag. The parameter {@code control}
     * reports the end of the measurement, after which the other thread no longer returns the flag.
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
     * Waits for the flag, and returns the flag to the other thread. The parameter {@code control} reports the end of
     * the measurement, after which the other thread no longer passes the flag.
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
