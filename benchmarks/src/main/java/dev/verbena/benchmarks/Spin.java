// SPDX-License-Identifier: Apache-2.0
package dev.verbena.benchmarks;

/**
 * Waiting without sleeping, and without the processor's hint that a loop waits, as the programs that this is compared with do. Where
 * there are fewer processors than threads, another one is let run now and then.
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
