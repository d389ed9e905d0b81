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

    /** {@return the number of requests that have succeeded} */
    public long done() {
        return values.done;
    }

    /** {@return the number of requests that have failed} */
    public long errors() {
        return values.errors;
    }

    /** {@return the number of bytes that successful requests have transferred} */
    public long bytes() {
        return values.bytes;
    }

    /** {@return the time from the start of the first request of the test to the end of the last request} */
    public Duration elapsed() {
        return values.elapsed;
    }

    /** {@return descriptions of the first errors of the test} */
    public List<String> complaints() {
        return values.complaints;
    }

    /** {@return the number of errors that the tested node counted in this session; -1 if unknown} */
    public long serverErrors() {
        return values.serverErrors;
    }

    /** The phase of a test. */
    public enum Phase {
        /** The testing node asks the tested node to create the selftest session and the test. */
        STARTING,
        /** Requests are in flight. */
        RUNNING,
        /** The node that started the LNet selftest queries the tested node's counters, and removes the session. */
        ENDING,
        /** The test is over. */
        OVER
    }

    /** {@return whether the LNet selftest is over, a request has succeeded, and both nodes have reported zero errors} */
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
