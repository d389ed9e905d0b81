// SPDX-License-Identifier: Apache-2.0
package dev.verbena.spi;

import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The checked arguments of {@link CompletionQueue#moderate} in the units of {@code struct ibv_moderate_cq}.
 *
 * @param count the number of completions after which one completion event occurs, 0 to
 *     {@link CompletionQueue#MOST_MODERATION}
 * @param micros the maximum delay of a completion event in microseconds, 0 to {@link CompletionQueue#MOST_MODERATION}
 * @since 1.0
 */
public record CqModeration(int count, int micros) {
    /**
     * Checks the arguments of {@link CompletionQueue#moderate}.
     *
     * @param count the number of completions after which one completion event occurs
     * @param period the maximum delay of a completion event; a fraction of a microsecond is cut off
     * @return the checked arguments
     * @throws VerbsException {@code EINVAL} if one of the arguments is out of range
     */
    public static CqModeration check(int count, Duration period) throws VerbsException {
        // `Duration.toNanos` throws an exception for a period of more than 292 years. `TimeUnit.convert` throws no
        // exception, and returns at most `Long.MAX_VALUE`.
        long micros = TimeUnit.MICROSECONDS.convert(period);
        if (count < 0
                || count > CompletionQueue.MOST_MODERATION
                || period.isNegative()
                || micros > CompletionQueue.MOST_MODERATION) {
            throw new VerbsException(
                    Errno.EINVAL,
                    "ibv_modify_cq",
                    "a count of " + count + " and a period of " + period + "; both are 0 to "
                            + CompletionQueue.MOST_MODERATION + ", the period in microseconds");
        }
        return new CqModeration(count, (int) micros);
    }

    /** {@return whether the device may delay completion events; if false, each completion causes an event at once} */
    public boolean delays() {
        return count > 1 && micros > 0;
    }
}
