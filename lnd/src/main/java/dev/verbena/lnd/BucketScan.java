package dev.verbena.lnd;

import dev.verbena.lnet.Nid;
import java.time.Duration;

/**
 * Which peers to look at in which second: they are spread over buckets by their NIDs, and as many buckets are looked at each
 * second that each has its turn four times within the timeout. Source: {@code kiblnd_connd}.
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

    /** Whether it is a peer's turn in this second. */
    boolean isDue(Nid nid) {
        return Math.floorMod(bucketOf(nid) - first, BUCKETS) < perSecond;
    }

    /** The second is over. */
    void next() {
        first = (first + perSecond) % BUCKETS;
    }
}
