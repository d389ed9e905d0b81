// SPDX-License-Identifier: Apache-2.0
package dev.verbena.disni.bridge;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Creates positive, unique numbers, which DiSNI programs get in place of the file descriptors and handles of verbs objects.
 */
final class Numbers {
    private static final AtomicInteger LAST = new AtomicInteger();

    private Numbers() {}

    static int next() {
        return LAST.incrementAndGet();
    }
}
