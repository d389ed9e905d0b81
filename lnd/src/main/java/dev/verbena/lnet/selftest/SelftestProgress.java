// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet.selftest;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The progress of a test. */
public final class SelftestProgress {

    private final Values values;

    record Values(
            Phase phase,
            long done,
            long errors,
            long bytes,
            Duration elapsed,
            List<String> complaints,
            long serverErrors) {}

    SelftestProgress(Values values) {
        this.values = values;
    }

    /** {@return the phase of the test} */
    public Phase phase() {
        return values.phase;
    }

    /** {@return the number of requests that succeeded} */
    public long done() {
        return values.done;
    }

    /** {@return the number of requests that failed} */
    public long errors() {
        return values.errors;
    }

    /** {@return the number of bytes transferred by successful requests} */
    public long bytes() {
        return values.bytes;
    }

    /** {@return the time from the first request of the test until its last one ended} */
    public Duration elapsed() {
        return values.elapsed;
    }

    /** {@return descriptions of the first few errors} */
    public List<String> complaints() {
        return values.complaints;
    }

    /** {@return the number of errors that the target counted in this session; -1 if it is unknown} */
    public long serverErrors() {
        return values.serverErrors;
    }

    /** The phase of a test. */
    public enum Phase {
        /** The driving node sends the session and the test to the target. */
        STARTING,
        /** Requests are in flight. */
        RUNNING,
        /** The driving node queries the counters of the target and removes the session. */
        ENDING,
        /** The test is over. */
        OVER
    }

    /** {@return whether the test is over and neither node has reported an error} */
    public boolean isGood() {
        return values.phase == Phase.OVER
                && values.errors == 0
                && values.complaints.isEmpty()
                && values.serverErrors == 0
                && values.done > 0;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SelftestProgress same && values.equals(same.values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    @Override
    public String toString() {
        return "SelftestProgress" + values.toString().substring("Values".length());
    }
}
