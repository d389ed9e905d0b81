// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.memory;

import dev.verbena.lnd.engine.FragmentList;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SendRequests;

/**
 * The registration of one transfer's sink, and its description for the peer that writes to it. Used again for other transfers. Not thread-safe.
 */
public abstract class Registration {

    private final FragmentList wire = new FragmentList();

    /** Creates a registration of nothing. */
    protected Registration() {}

    /**
     * Returns the key to send to the peer; valid after {@link #chain} was posted.
     *
     * @return an rkey
     */
    public abstract int rkey();

    /** {@return the memory as the peer is to address it: addresses and lengths in order} */
    public final FragmentList wire() {
        return wire;
    }

    /**
     * Sets the queue pair of the transfer, before {@link #rkey} is called.
     *
     * @param queuePair the queue pair
     * @return 0, or a negative errno if the resources for it are not available
     */
    public int join(QueuePair queuePair) {
        return 0;
    }

    /**
     * Fills the work requests that must precede the message. Only the first message of a transfer has such requests.
     *
     * @param sends where to put them, from the first on
     * @param id the id they get
     * @return how many
     */
    public int chain(SendRequests sends, long id) {
        return 0;
    }

    /**
     * Releases the registration. No queue pair uses it any more.
     *
     * @param failed whether the transfer failed, so that the peer's key must die now
     */
    public abstract void release(boolean failed);
}
