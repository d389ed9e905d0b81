// SPDX-License-Identifier: Apache-2.0
package dev.verbena.benchmarks;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Group;
import org.openjdk.jmh.annotations.GroupThreads;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Control;

/**
 * Two spinning threads pass a flag to each other: an operation of each thread is one handoff to the other thread and
 * one back. A handoff is the least cost of any exchange between two threads.
 */
@State(Scope.Group)
public class HandoffBenchmark extends Piece {
    private volatile boolean away;

    /**
     * Passes the flag, and waits until it is back. {@code control} reports the end of the measurement, after which the
     * other thread no longer returns the flag.
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
     * Waits for the flag, and passes it back. {@code control} reports the end of the measurement, after which the other
     * thread no longer passes the flag.
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
