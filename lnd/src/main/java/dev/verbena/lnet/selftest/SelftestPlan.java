package dev.verbena.lnet.selftest;

import dev.verbena.lnet.Lnd;
import dev.verbena.lnet.ProcessId;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A test of one node by another.
 *
 * @param target the node that is tested
 * @param kind what is asked of it
 * @param size bytes of one transfer, 8 to 1 MiB and a multiple of 8; 0 for pings
 * @param check which words of the data are looked at
 * @param concurrency requests under way at once, 1 or more
 * @param loop how many requests each of these makes one after the other, or null for no end
 * @param duration when to start no further request, or null for no end; one of the two must be given
 * @param force whether to end the session of another console, if the target has one
 * @param stopOnError whether the first error ends the test
 */
public record SelftestPlan(
        ProcessId target,
        Kind kind,
        int size,
        DataCheck check,
        int concurrency,
        @Nullable Integer loop,
        @Nullable Duration duration,
        boolean force,
        boolean stopOnError) {

    private static final int MAX_CONCURRENCY = 1024;

    /** What a test does. */
    public enum Kind {
        /** Small requests with small answers. */
        PING,
        /** The target puts data to the node that drives. */
        READ,
        /** The target gets data from the node that drives. */
        WRITE;

        SelftestService service() {
            return this == PING ? SelftestService.PING : SelftestService.BRW;
        }

        int opcode() {
            return this == READ ? SelftestRequest.Brw.READ : SelftestRequest.Brw.WRITE;
        }
    }

    /**
     * Checks the numbers.
     *
     * @throws IllegalArgumentException if one is out of range, or the test would have no end
     */
    public SelftestPlan {
        if (kind != Kind.PING && (size < Long.BYTES || size > Lnd.MAX_PAYLOAD || size % Long.BYTES != 0)) {
            throw new IllegalArgumentException("size " + size
                    + " is not a multiple of 8 in 8..1048576; lnet_selftest fills and looks at whole words");
        }
        if (concurrency < 1 || concurrency > MAX_CONCURRENCY) {
            throw new IllegalArgumentException("concurrency " + concurrency + " is not in 1.." + MAX_CONCURRENCY);
        }
        if (loop != null && loop < 1 || loop == null && duration == null) {
            throw new IllegalArgumentException(
                    "a test needs an end: a loop of 1 or more requests, or a duration; loop is " + loop);
        }
    }
}
