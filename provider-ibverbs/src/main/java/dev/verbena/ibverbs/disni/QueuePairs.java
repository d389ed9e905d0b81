// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.disni;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A table of the queue pairs of a device. In this table, the key of a queue pair is a serial number that the DiSNI
 * provider assigns. The work requests that the provider passes to DiSNI contain the serial number of their queue pair,
 * not the application's work request ids. The QP number cannot replace the serial number of a queue pair: DiSNI does
 * not set the QP number of a failed completion, and the device reuses QP numbers.
 */
final class QueuePairs {
    private final AtomicInteger next = new AtomicInteger();
    private final Map<Integer, DisniQp> open = new ConcurrentHashMap<>();

    int newSerial() {
        return next.incrementAndGet();
    }

    void add(DisniQp queuePair) {
        open.put(queuePair.serial(), queuePair);
    }

    void remove(DisniQp queuePair) {
        open.remove(queuePair.serial());
    }

    /** Returns null if the queue pair with the given serial number was closed. */
    @Nullable DisniQp find(int serial) {
        return open.get(serial);
    }
}
