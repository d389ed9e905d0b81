// SPDX-License-Identifier: Apache-2.0
package dev.verbena.benchmarks;

/**
 * Waits without sleeping and without the processor's spin-wait hint, like the C programs with which Java is compared.
 * If there are fewer processors than threads, the thread yields from time to time.
 */
final class Spin {
    private static final int TURNS = 20_000;

    private Spin() {}

    /** Pauses between two checks of a condition, depending on the number of checks. */
    @SuppressWarnings("ThreadPriorityCheck") // A courtesy; nothing relies on it.
    static void turn(int looks) {
        if (looks % TURNS == TURNS - 1) {
            Thread.yield();
        }
    }
}
