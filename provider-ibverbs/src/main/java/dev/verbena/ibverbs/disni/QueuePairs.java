// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.disni;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The queue pairs of a device by a serial number, which their requests carry instead of the users' ids. The device's
 * own QP number does not work: DiSNI does not set it in a completion with an error, and the device reuses numbers.
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

    /** Null for one that was closed. */
    @Nullable DisniQp find(int serial) {
        return open.get(serial);
    }
}
