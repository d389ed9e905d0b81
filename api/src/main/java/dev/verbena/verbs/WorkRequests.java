// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * The common part of batches of send and receive requests. For one thread at a time.
 *
 * @since 1.0
 */
public interface WorkRequests {
    /** {@return the number of requests in the batch, as set at creation} */
    int capacity();

    /**
     * {@return the reason for which the last post of this batch refused a request; {@link PostRefusal#NONE} if it accepted every
     * request}
     */
    PostRefusal refusal();

    /** {@return the index of the request that the last post refused (C: {@code bad_wr}), or -1 if it accepted every request} */
    int refusedIndex();

    /**
     * Creates an exception from the last refusal, for a program that treats every refusal as fatal.
     *
     * @param verb the verb in its C spelling
     * @return an exception that names the request and the remedy
     * @throws IllegalStateException if no request was refused
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
