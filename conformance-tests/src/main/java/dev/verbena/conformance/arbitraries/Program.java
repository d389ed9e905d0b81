// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.arbitraries;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A random sequence of operations on two connected queue pairs. An operation that is impossible in the current state is
 * skipped, so removing operations yields another valid sequence.
 *
 * @param steps the operations, in order
 */
public record Program(List<Step> steps) {
    private static final int LONGEST = 20;
    private static final int MOST_REQUESTS = 5;
    private static final int MOST_RECEIVES = 6;

    // The relative frequency of each type of operation in a random sequence.
    private static final int RECEIVES = 3;
    private static final int POSTS = 4;
    private static final int OTHERS = 3;

    /** Copies the list. */
    public Program {
        steps = List.copyOf(steps);
    }

    /** One of the two connected queue pairs on which a random sequence of operations is executed. */
    public enum Who {
        /** The queue pair on the first tested device, {@code ProviderRig.first()}. */
        FIRST,
        /** The queue pair on the second tested device, {@code ProviderRig.second()}. */
        SECOND
    }

    /** An operation of a random sequence. */
    public sealed interface Step {
        /** {@return the queue pair on which this operation is executed} */
        Who who();
    }

    /**
     * Posts a list of work requests in one call, as ibv_post_send(3) does.
     *
     * @param who the queue pair to which the work requests are posted
     * @param requests one or more work requests
     */
    public record Post(Who who, List<WorkRequest> requests) implements Step {
        /** Copies the list. */
        public Post {
            requests = List.copyOf(requests);
        }

        @Override
        public String toString() {
            return who + " posts " + requests;
        }
    }

    /**
     * Posts receive requests.
     *
     * @param who the queue pair to which the receive requests are posted
     * @param count the number of receive requests
     */
    public record Receive(Who who, int count) implements Step {
        @Override
        public String toString() {
            return who + " posts receives: " + count;
        }
    }

    /**
     * Executes an action that has no parameters, such as polling.
     *
     * @param who the queue pair on which this operation is executed
     * @param what the action
     */
    public record Do(Who who, What what) implements Step {
        @Override
        public String toString() {
            return who + " " + what.words;
        }
    }

    /** An action that has no parameters. */
    public enum What {
        /** Waits for all requests that can complete, and checks the completions. */
        POLL("polls"),
        /** Modifies the queue pair to SQD, or from SQD back to RTS. */
        PAUSE("modifies its queue pair to SQD, or back to RTS"),
        /** Modifies both queue pairs to ERR, polls the flushed completions, and connects them again. */
        FAIL("modifies its queue pair to ERR; both are connected again"),
        /** Posts an RDMA WRITE with an invalid rkey, and connects both queue pairs again. */
        TRESPASS("writes with a wrong key; both are connected again"),
        /** Binds a type 2 memory window to a range of the local memory region. */
        BIND("binds a window"),
        /** Posts an RDMA WRITE through the peer's memory window, which must succeed while this memory window is bound. */
        WRITE_THROUGH("writes through the peer's window"),
        /** Posts a LOCAL_INV, which invalidates the local memory window. */
        INVALIDATE("invalidates its window"),
        /** Posts a SEND with Invalidate, which invalidates the peer's memory window. */
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

    /** Creates a random sequence of up to twenty operations. */
    public static final class Any implements Arbitrary<Program> {
        /** The annotation {@link From} needs this constructor. */
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
