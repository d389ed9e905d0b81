// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * A batch of completions that a provider fills and the caller reads and reuses. For one thread at a time.
 *
 * @since 1.0
 */
public interface WorkCompletions {
    /**
     * Returns how many completions fit.
     *
     * @return the number given at creation
     */
    int capacity();

    /**
     * Returns how many the last poll put in.
     *
     * @return 0 to {@link #capacity()}
     */
    int count();

    /**
     * Returns one completion of the last poll.
     *
     * @param index 0 to {@link #count()} - 1
     * @return a view that is valid until the next poll into this batch
     * @throws IndexOutOfBoundsException for any other index; the message says how many completions the last poll returned
     */
    WorkCompletion get(int index);
}
