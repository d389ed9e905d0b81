// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * A batch of send requests ({@link SendRequests}) or of receive requests ({@link ReceiveRequests}). Not thread-safe.
 *
 * @since 1.0
 */
public interface WorkRequests {
    /** {@return the maximum number of requests in the batch, which the application set when it created the batch} */
    int capacity();

    /** {@return the reason why the last post of this batch refused a request, or {@link PostRefusal#NONE}} */
    PostRefusal refusal();

    /**
     * {@return the index of the request that the last post refused ({@code bad_wr} in C), or -1 if the post accepted every
     * request}
     */
    int refusedIndex();

    /**
     * Creates an exception from the refusal of the last post, for an application that treats every refusal as fatal.
     *
     * @param verb the C name of the verb, such as {@code ibv_post_send}
     * @return an exception that states the index of the refused request, the reason and the remedy
     * @throws IllegalStateException if the last post refused no request
     */
    default VerbsException refusalAsException(String verb) {
        PostRefusal why = refusal();
        if (why == PostRefusal.NONE) {
            throw new IllegalStateException("the last post of this batch refused no request");
        }
        return new VerbsException(
                why.errno(), verb, "work request " + refusedIndex() + " was not taken: " + why.explanation());
    }
}
