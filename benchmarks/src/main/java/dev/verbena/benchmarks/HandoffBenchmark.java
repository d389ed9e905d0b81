// SPDX-License-Identifier: Apache-2.0
package dev.verbena.benchmarks;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Group;
import org.openjdk.jmh.annotations.GroupThreads;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Control;

/**
 * Two spinning threads hand a flag to each other: an operation of each is one handoff there and one back. A handoff is
 * the least cost of any exchange between two threads.
 */
@State(Scope.Group)
public class HandoffBenchmark extends Piece {
    private volatile boolean away;

    /**
     * Hands the flag over, and waits until it is back.
     *
     * @param control reports the end of the measurement, after which the other thread no longer answers
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
     * Waits for the flag, and hands it back.
     *
     * @param control reports the end of the measurement, after which the other thread no longer hands the flag over
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
