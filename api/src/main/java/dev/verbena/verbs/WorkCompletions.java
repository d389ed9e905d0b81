// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * A batch of completions. Each poll into the batch replaces the completions of the previous poll. Not thread-safe.
 *
 * @since 1.0
 */
public interface WorkCompletions {
    /** {@return the maximum number of completions in the batch, which the program set when it created the batch} */
    int capacity();

    /** {@return the number of completions of the last poll, 0 to {@link #capacity()}} */
    int count();

    /**
     * Returns a completion of the last poll.
     *
     * @param index 0 to {@link #count()} - 1
     * @return the completion, valid until the next poll into this batch
     * @throws IndexOutOfBoundsException if the last poll returned no completion at the index; the message has the number of
     *     completions
     */
    WorkCompletion get(int index);
}
