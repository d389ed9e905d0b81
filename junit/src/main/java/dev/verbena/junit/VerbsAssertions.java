// SPDX-License-Identifier: Apache-2.0
package dev.verbena.junit;

import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.WorkCompletion;
import java.lang.foreign.MemorySegment;

/**
 * Assertions about completions, queue pairs, memory and networks, in the style of AssertJ but without its classes. A
 * failed assertion throws an {@link AssertionError}.
 */
public final class VerbsAssertions {
    private VerbsAssertions() {}

    /**
     * Begins assertions about a completion.
     *
     * @param completion the completion
     * @return assertions about the completion
     */
    public static CompletionAssert assertThat(WorkCompletion completion) {
        return new CompletionAssert(completion);
    }

    /**
     * Begins assertions about a queue pair.
     *
     * @param queuePair the queue pair
     * @return assertions about the queue pair
     */
    public static QueuePairAssert assertThat(QueuePair queuePair) {
        return new QueuePairAssert(queuePair);
    }

    /**
     * Begins assertions about memory.
     *
     * @param memory the memory
     * @return assertions about the memory
     */
    public static MemoryAssert assertThat(MemorySegment memory) {
        return new MemoryAssert(memory);
    }

    /**
     * Begins assertions about a network.
     *
     * @param network the network
     * @return assertions about the network
     */
    public static NetworkAssert assertThat(VerbsNetwork network) {
        return new NetworkAssert(network);
    }

    static void expect(boolean held, String expected, Object found) {
        if (!held) {
            throw new AssertionError("expected " + expected + ", but it was " + found);
        }
    }
}
