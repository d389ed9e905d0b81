// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.runtime;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The policy by which a thread waits for other threads: the thread first spins, then yields between polls, then sleeps
 * until another thread wakes it. Polling occupies a processor. A wake-up from sleep takes tens of microseconds. A thread
 * that waits for a completion or another event polls its condition. While the task rate is high, an idle worker thread
 * polls for tasks. After a datagram has arrived, the receive thread of a UDP port polls the port's sockets.
 *
 * <p>A runtime gets its wait policy from its creator, or from the system property {@value #PROPERTY}. The system property
 * has two durations, of spinning and of yielding, in {@code ns}, {@code us} or {@code ms}, such as {@code 50us,50us}.
 *
 * @param spinning the time to busy-poll, 0 to 1 s; on a host with one processor the thread yields instead
 * @param yielding the time to poll with a {@link Thread#yield} between polls, 0 to 1 s; this time begins after the spinning
 */
public record WaitPolicy(Duration spinning, Duration yielding) {
    /**
     * The name of the system property that contains a wait policy. The system property applies to a {@code SimRuntime}
     * that was created without a wait policy.
     */
    public static final String PROPERTY = "verbena.sim.wait";

    private static final Duration MOST = Duration.ofSeconds(1);

    /**
     * A waiting thread spins for 50 microseconds, then yields for 50 microseconds, then sleeps. A sleeping thread needs
     * about 50 microseconds to wake up.
     */
    public static final WaitPolicy DEFAULT = new WaitPolicy(Duration.ofNanos(50_000), Duration.ofNanos(50_000));

    /** A waiting thread sleeps immediately, which frees the processor but can make the wait longer. */
    public static final WaitPolicy PARKING = new WaitPolicy(Duration.ZERO, Duration.ZERO);

    private static final boolean MAY_SPIN = Runtime.getRuntime().availableProcessors() > 1;
    private static final Pattern TEXT = Pattern.compile("(\\d{1,9})(ns|us|ms),(\\d{1,9})(ns|us|ms)");

    /** The actions of a waiting thread between two polls. */
    public enum Step {
        /** The thread polls again after a spin hint for the processor ({@link Thread#onSpinWait}). */
        SPIN,
        /** The thread lets other threads run ({@link Thread#yield}). */
        YIELD,
        /** The thread sleeps until it is woken. */
        PARK
    }

    /**
     * Makes a policy.
     *
     * @throws IllegalArgumentException if a duration is out of range
     */
    public WaitPolicy {
        check("spinning", spinning);
        check("yielding", yielding);
    }

    private static void check(String what, Duration value) {
        if (value.isNegative() || value.compareTo(MOST) > 0) {
            throw new IllegalArgumentException(what + " for " + value + "; it can be 0 to " + MOST.toSeconds() + " s");
        }
    }

    /**
     * {@return a wait policy with the durations in the given text}
     *
     * @param text two durations, such as {@code 50us,50us}
     * @throws IllegalArgumentException if the text does not have the form of the system property, or a duration is out of range
     */
    public static WaitPolicy parse(String text) {
        Matcher found = TEXT.matcher(text);
        if (!found.matches()) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not a wait policy; write how long to spin and how long to"
                            + " yield before sleeping, such as 50us,50us, or 0us,0us to sleep at once");
        }
        return new WaitPolicy(duration(found, 1), duration(found, 3));
    }

    private static Duration duration(Matcher found, int group) {
        long count = Long.parseLong(found.group(group));
        return switch (found.group(group + 1)) {
            case "ns" -> Duration.ofNanos(count);
            case "us" -> Duration.ofNanos(Math.multiplyExact(count, 1_000L));
            default -> Duration.ofMillis(count);
        };
    }

    /**
     * {@return the policy in the system property {@value #PROPERTY}, or {@link #DEFAULT} if the property is not set}
     *
     * @throws IllegalArgumentException if the value of the system property {@value #PROPERTY} does not specify a wait policy
     */
    public static WaitPolicy configured() {
        String text = System.getProperty(PROPERTY);
        return text == null ? DEFAULT : parse(text);
    }

    /**
     * {@return the action of a waiting thread after a poll that did not end the wait}
     *
     * @param waitedNanos the time that the thread has waited until now, in nanoseconds
     */
    public Step after(long waitedNanos) {
        long spins = spinning.toNanos();
        if (waitedNanos < spins && MAY_SPIN) {
            return Step.SPIN;
        }
        return waitedNanos < spins + yielding.toNanos() ? Step.YIELD : Step.PARK;
    }
}
