// SPDX-License-Identifier: Apache-2.0
package dev.verbena.benchmarks;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Group;
import org.openjdk.jmh.annotations.GroupThreads;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Control;

/**
 * Two spinning threads set and reset a shared flag; one operation is a transfer of the flag to the other core and back. Any
 * communication between two threads costs at least one transfer between cores.
 */
@State(Scope.Group)
public class HandoffBenchmark extends Piece {
    private volatile boolean away;

    /**
     * Sets the shared flag to the value for which the other benchmark thread waits, and waits until the other benchmark
     * thread has reset the flag. If the measurement ends, this method returns without waiting any longer.
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
     * Waits until the other benchmark thread has set the shared flag, and resets the flag. If the measurement ends,
     * this method returns without waiting any longer.
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
