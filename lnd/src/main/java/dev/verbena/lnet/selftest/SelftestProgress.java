// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet.selftest;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How far a test is.
 */
public final class SelftestProgress {

    private final Values values;

    /** The attributes, of which a later release may have more. */
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

    /** {@return what is being done} */
    public Phase phase() {
        return values.phase;
    }

    /** {@return requests that ended well} */
    public long done() {
        return values.done;
    }

    /** {@return requests that did not} */
    public long errors() {
        return values.errors;
    }

    /** {@return data moved by those that did} */
    public long bytes() {
        return values.bytes;
    }

    /** {@return since the first request of the test, until the last one ended} */
    public Duration elapsed() {
        return values.elapsed;
    }

    /** {@return what went wrong, the first few} */
    public List<String> complaints() {
        return values.complaints;
    }

    /** {@return errors that the target counted in this session; -1 if it was not asked or did not say} */
    public long serverErrors() {
        return values.serverErrors;
    }

    /** The phase of a test. */
    public enum Phase {
        /** The driving node sends the session and the test to the target. */
        STARTING,
        /** Requests are in flight. */
        RUNNING,
        /** The driving node queries the target's counters and removes the session. */
        ENDING,
        /** The test is over. */
        OVER
    }

    /**
     * Returns whether the test is over and succeeded completely.
     *
     * @return true if neither side has a complaint
     */
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
