// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * The common part of batches of send and receive requests. For one thread at a time.
 *
 * @since 1.0
 */
public interface WorkRequests {
    /**
     * Returns how many requests the batch holds.
     *
     * @return the number given at creation
     */
    int capacity();

    /**
     * Returns why the last post of this batch stopped.
     *
     * @return {@link PostRefusal#NONE} if it accepted every request
     */
    PostRefusal refusal();

    /**
     * Returns which request the last post stopped at: C's {@code bad_wr}.
     *
     * @return the index of the first request not taken, or -1 if all were
     */
    int refusedIndex();

    /**
     * Turns the last refusal into an exception, for a caller that treats every refusal as fatal.
     *
     * @param verb the verb in its C spelling
     * @return an exception that names the request and the cure
     * @throws IllegalStateException if nothing was refused
     */
    default VerbsException refusalAsException(String verb) {
        PostRefusal why = refusal();
        if (why == PostRefusal.NONE) {
            throw new IllegalStateException("the last post of this batch refused nothing");
        }
        return new VerbsException(
                why.errno(), verb, "work request " + refusedIndex() + " was not taken: " + why.explanation());
    }
}
