// SPDX-License-Identifier: Apache-2.0
package dev.verbena.disni.bridge;

import java.util.concurrent.atomic.AtomicInteger;

/** Creates the positive, unique numbers of the bridge's objects, in place of file descriptors and handles. */
final class Numbers {
    private static final AtomicInteger LAST = new AtomicInteger();

    private Numbers() {}

    static int next() {
        return LAST.incrementAndGet();
    }
}
