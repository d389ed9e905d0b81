// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * A batch of completions, which a poll fills and the program reads, any number of times. For one thread at a time.
 *
 * @since 1.0
 */
public interface WorkCompletions {
    /** {@return the capacity in completions, as set at creation} */
    int capacity();

    /** {@return the number of completions of the last poll, 0 to {@link #capacity()}} */
    int count();

    /**
     * Returns a completion of the last poll.
     *
     * @param index 0 to {@link #count()} - 1
     * @return a view that is valid until the next poll into this batch
     * @throws IndexOutOfBoundsException for any other index; the message has the number of completions of the last poll
     */
    WorkCompletion get(int index);
}
