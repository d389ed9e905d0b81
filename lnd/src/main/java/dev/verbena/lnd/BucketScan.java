// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import dev.verbena.lnet.Nid;
import java.time.Duration;

/**
 * Selects the peers to check in each second. A peer's NID determines its bucket. Each second the scan covers enough
 * buckets that each has its turn {@link #TURNS} times within the timeout. Source: {@code kiblnd_connd}.
 */
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

    /** Returns whether a peer is checked in this second. */
    boolean isDue(Nid nid) {
        return Math.floorMod(bucketOf(nid) - first, BUCKETS) < perSecond;
    }

    /** The second is over. */
    void next() {
        first = (first + perSecond) % BUCKETS;
    }
}
