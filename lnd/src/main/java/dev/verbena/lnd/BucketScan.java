// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import dev.verbena.lnet.Nid;
import java.time.Duration;

/** Divides peers by NID into buckets, and selects the buckets to check for timeouts. Source: {@code kiblnd_connd}. */
final class BucketScan {

    static final int BUCKETS = 128;

    private static final int TURNS = 4;

    private final int perSecond;
    private int first;

    BucketScan(Duration timeout) {
        long seconds = timeout.toSeconds();
        perSecond = seconds <= TURNS ? BUCKETS : (int) Math.max(1, BUCKETS * TURNS / seconds);
    }

    static int bucketOf(Nid nid) {
        return (Long.hashCode(nid.value()) & Integer.MAX_VALUE) % BUCKETS;
    }

    boolean isDue(Nid nid) {
        return Math.floorMod(bucketOf(nid) - first, BUCKETS) < perSecond;
    }

    void next() {
        first = (first + perSecond) % BUCKETS;
    }
}
