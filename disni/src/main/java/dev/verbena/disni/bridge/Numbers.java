// SPDX-License-Identifier: Apache-2.0
package dev.verbena.disni.bridge;

import java.util.concurrent.atomic.AtomicInteger;

/** Assigns numbers to objects in place of file descriptors and handles; all numbers are positive and different. */
final class Numbers {
    private static final AtomicInteger LAST = new AtomicInteger();

    private Numbers() {}

    static int next() {
        return LAST.incrementAndGet();
    }
}
