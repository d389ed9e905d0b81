package dev.verbena.sim.runtime;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How a thread waits for what others bring about: it looks without a pause for some time, then lets other threads run between
 * its looks, then sleeps until it is woken up. Looking takes a processor; sleeping takes tens of microseconds to wake up from.
 * Nobody looks where nothing is awaited, but for a worker that has had work a moment ago.
 *
 * <p>A runtime is given a policy when it is made, or takes the one in the system property {@value #PROPERTY}: two durations such
 * as {@code 50us,50us}, of looking and of yielding, in {@code ns}, {@code us} or {@code ms}.
 *
 * @param spinning how long to look without a pause, 0 to 1 s; on a machine with one processor all of it is spent yielding
 * @param yielding how long to go on looking while yielding, 0 to 1 s
 */
public record WaitPolicy(Duration spinning, Duration yielding) {
    /** The system property that says how runtimes wait that were not given a policy. */
    public static final String PROPERTY = "verbena.sim.wait";

    private static final Duration MOST = Duration.ofSeconds(1);

    /** 50 microseconds of each, what a thread that sleeps would take to wake up. */
    public static final WaitPolicy DEFAULT = new WaitPolicy(Duration.ofNanos(50_000), Duration.ofNanos(50_000));

    /** Sleeps at once, for programs that would rather have the processor than the time. */
    public static final WaitPolicy PARKING = new WaitPolicy(Duration.ZERO, Duration.ZERO);

    private static final boolean MAY_SPIN = Runtime.getRuntime().availableProcessors() > 1;
    private static final Pattern TEXT = Pattern.compile("(\\d{1,9})(ns|us|ms),(\\d{1,9})(ns|us|ms)");

    /** What to do between two looks. */
    public enum Step {
        /** Nothing but a hint to the processor. */
        SPIN,
        /** Let other threads run. */
        YIELD,
        /** Sleep until woken up. */
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
     * Reads a policy.
     *
     * @param text two durations, such as {@code 50us,50us}
     * @return the policy
     * @throws IllegalArgumentException if the text is something else, or a duration is out of range
     */
    public static WaitPolicy parse(String text) {
        Matcher found = TEXT.matcher(text);
        if (!found.matches()) {
            throw new IllegalArgumentException(
                    "'" + text + "' is no way to wait; write how long to spin and how long to"
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
     * Returns the policy of runtimes that are not given one.
     *
     * @return what the system property {@value #PROPERTY} says, or {@link #DEFAULT}
     * @throws IllegalArgumentException if the property is set to something else than a policy
     */
    public static WaitPolicy configured() {
        String text = System.getProperty(PROPERTY);
        return text == null ? DEFAULT : parse(text);
    }

    /**
     * Tells what to do after a look that found nothing.
     *
     * @param waitedNanos how long it has been waited for by now, in nanoseconds
     * @return the next step
     */
    public Step after(long waitedNanos) {
        long spins = spinning.toNanos();
        if (waitedNanos < spins && MAY_SPIN) {
            return Step.SPIN;
        }
        return waitedNanos < spins + yielding.toNanos() ? Step.YIELD : Step.PARK;
    }
}
