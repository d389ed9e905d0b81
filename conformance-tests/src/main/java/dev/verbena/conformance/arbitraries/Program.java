package dev.verbena.conformance.arbitraries;

import dev.verbena.verbs.SendOpcode;
import java.util.List;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ArbitrarySupplier;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

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
    public static final class Any implements ArbitrarySupplier<Program> {
        /** For jqwik. */
        public Any() {}

        @Override
        public Arbitrary<Program> get() {
            Arbitrary<Who> who = Arbitraries.of(Who.class);
            Arbitrary<List<WorkRequest>> requests =
                    WorkRequest.among(SendOpcode.values()).list().ofMinSize(1).ofMaxSize(MOST_REQUESTS);
            Arbitrary<Step> post = Combinators.combine(who, requests).as(Post::new);
            Arbitrary<Step> receive = Combinators.combine(
                            who, Arbitraries.integers().between(1, MOST_RECEIVES))
                    .as(Receive::new);
            Arbitrary<Step> other =
                    Combinators.combine(who, Arbitraries.of(What.class)).as(Do::new);
            return Arbitraries.frequencyOf(Tuple.of(3, receive), Tuple.of(4, post), Tuple.of(3, other))
                    .list()
                    .ofMinSize(1)
                    .ofMaxSize(LONGEST)
                    .map(Program::new)
                    .withoutEdgeCases();
        }
    }
}
