// SPDX-License-Identifier: Apache-2.0
package dev.verbena.benchmarks;

/**
 * Waits without sleeping and without the processor's spin-wait hint, like the C programs to which the benchmarks
 * compare Java. If there are fewer processors than threads, the waiting thread yields at intervals.
 */
final class Spin {
    private static final int TURNS = 20_000;

    private Spin() {}

    /**
     * Calls {@link Thread#yield} in one of every {@link #TURNS} checks of the awaited condition. The parameter {@code
     * looks} is the number of earlier checks.
     */
    @SuppressWarnings("ThreadPriorityCheck") // Waiting works even if the scheduler ignores Thread.yield.
    static void turn(int looks) {
        if (looks % TURNS == TURNS - 1) {
            Thread.yield();
        }
    }
}
