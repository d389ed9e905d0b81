// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Logs the details of failed verbs, because the LNet event of a failed message contains only an errno. At most one failure
 * is logged in each {@link #INTERVAL}, so that a peer that causes failures neither fills the log nor delays other peers.
 * Source: the rate limit of Lustre's macro {@code CERROR}.
 */
final class FailureLog {

    static final Duration INTERVAL = Duration.ofSeconds(1);

    private static final System.Logger LOGGER = System.getLogger(FailureLog.class.getName());

    private final LongSupplier clock;
    private @Nullable Long last;
    private long omitted;

    FailureLog(LongSupplier clock) {
        this.clock = clock;
    }

    /** Logs the failure of a verb, and the number of failures that were not logged since the last message. */
    void report(Object subject, Exception failure) {
        long before;
        synchronized (this) {
            long now = clock.getAsLong();
            if (last != null && now - last < INTERVAL.toNanos()) {
                omitted++;
                return;
            }
            last = now;
            before = omitted;
            omitted = 0;
        }
        LOGGER.log(
                System.Logger.Level.WARNING,
                before == 0 ? "{0}: {1}" : "{0}: {1} ({2} earlier failures were not logged)",
                subject,
                failure.getMessage(),
                Long.toString(before));
    }
}
