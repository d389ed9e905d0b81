package dev.verbena.ibverbs.disni;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The queue pairs of a device by a number of this provider's, which their requests carry instead of the users' ids: DiSNI leaves
 * the queue pair of a completion with an error unset, and numbers of the device are used again.
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
