// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.arbitraries;

import java.util.List;
import java.util.stream.Collectors;

/**
 * The steps of two connected endpoints. A step that is impossible when its turn comes is left out, so that any part of
 * a program is a program, too.
 *
 * @param steps the steps, in order
 */
public record Program(List<Step> steps) {
    private static final int LONGEST = 20;
    private static final int MOST_REQUESTS = 5;
    private static final int MOST_RECEIVES = 6;

    // How often steps are of each kind.
    private static final int RECEIVES = 3;
    private static final int POSTS = 4;
    private static final int OTHERS = 3;

    /** Keeps its own copy. */
    public Program {
        steps = List.copyOf(steps);
    }

    /** The side that executes a step. */
    public enum Who {
        /** The requesting side of the rig. */
        FIRST,
        /** The responding side of the rig. */
        SECOND
    }

    /** A step. */
    public sealed interface Step {
        /**
         * Returns the side that executes the step.
         *
         * @return a side
         */
        Who who();
    }

    /**
     * Posts requests in one list.
     *
     * @param who the poster
     * @param requests one or more
     */
    public record Post(Who who, List<WorkRequest> requests) implements Step {
        /** Keeps its own copy. */
        public Post {
            requests = List.copyOf(requests);
        }

        @Override
        public String toString() {
            return who + " posts " + requests;
        }
    }

    /**
     * Posts receives.
     *
     * @param who the poster
     * @param count how many
     */
    public record Receive(Who who, int count) implements Step {
        @Override
        public String toString() {
            return who + " posts receives: " + count;
        }
    }

    /**
     * Does one thing.
     *
     * @param who the doer
     * @param what the thing
     */
    public record Do(Who who, What what) implements Step {
        @Override
        public String toString() {
            return who + " " + what.words;
        }
    }

    /** A step without parameters. */
    public enum What {
        /** Waits for all requests that can complete, and checks their completions. */
        POLL("polls"),
        /** Modifies the queue pair to SQD, or back to RTS. */
        PAUSE("goes to SQD, or back to RTS"),
        /** Modifies both queue pairs to ERR; both flush, are reset and connected again. */
        FAIL("goes to ERR; both are connected again"),
        /** Writes where it may not; both are connected again. */
        TRESPASS("writes with a wrong key; both are connected again"),
        /** Binds a window of type 2 to a part of its memory. */
        BIND("binds a window"),
        /** Writes through the peer's window, which must work while it is bound. */
        WRITE_THROUGH("writes through the peer's window"),
        /** Invalidates its window. */
        INVALIDATE("invalidates its window"),
        /** Invalidates the peer's window by a SEND. */
        SEND_INVALIDATE("invalidates the peer's window by a SEND");

        private final String words;

        What(String words) {
            this.words = words;
        }
    }

    @Override
    public String toString() {
        return steps.stream()
                .map(step -> System.lineSeparator() + "                   " + step)
                .collect(Collectors.joining());
    }

    /** Programs of up to twenty steps. */
    public static final class Any implements Arbitrary<Program> {
        /** For {@link From}. */
        public Any() {}

        @Override
        public Program draw(Choices choices) {
            return new Program(choices.list(1, LONGEST, Any::step));
        }

        private static Step step(Choices choices) {
            int kind = choices.below(RECEIVES + POSTS + OTHERS);
            Who who = choices.of(Who.values());
            if (kind < RECEIVES) {
                return new Receive(who, choices.between(1, MOST_RECEIVES));
            }
            return kind < RECEIVES + POSTS
                    ? new Post(who, choices.list(1, MOST_REQUESTS, WorkRequest::any))
                    : new Do(who, choices.of(What.values()));
        }
    }
}
