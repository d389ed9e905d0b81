package dev.verbena.lnet.selftest;

import java.time.Duration;
import java.util.List;

/**
 * How far a test is.
 *
 * @param phase what is being done
 * @param done requests that ended well
 * @param errors requests that did not
 * @param bytes data moved by those that did
 * @param elapsed since the first request of the test, until the last one ended
 * @param complaints what went wrong, the first few
 * @param serverErrors errors that the target counted in this session; -1 if it was not asked or did not say
 */
public record SelftestProgress(
        Phase phase, long done, long errors, long bytes, Duration elapsed, List<String> complaints, long serverErrors) {

    /** Where a test is. */
    public enum Phase {
        /** The target is told of the session and the test. */
        STARTING,
        /** Requests are under way. */
        RUNNING,
        /** The target is asked what it saw, and the session taken back. */
        ENDING,
        /** It is over. */
        OVER
    }

    /**
     * Whether the test is over and all of it went well.
     *
     * @return true if there was no complaint on either side
     */
    public boolean isGood() {
        return phase == Phase.OVER && errors == 0 && complaints.isEmpty() && serverErrors == 0 && done > 0;
    }
}
