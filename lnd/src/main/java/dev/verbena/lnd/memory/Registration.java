// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.memory;

import dev.verbena.lnd.engine.FragmentList;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SendRequests;

/** The registration of one RDMA transfer's destination buffer, with the fragments for the peer. Not thread-safe. */
public abstract class Registration {

    private final FragmentList wire = new FragmentList();

    protected Registration() {}

    /** Returns the R_Key for the peer, which is valid after the work requests of {@link #chain} have been posted. */
    public abstract int rkey();

    /** Returns the addresses and lengths of the fragments, as they are sent to the peer. */
    public final FragmentList wire() {
        return wire;
    }

    /**
     * Sets the queue pair of the RDMA transfer. The caller must call {@code join} before {@link #rkey}. Returns 0 or a
     * negative errno.
     */
    public int join(QueuePair queuePair) {
        return 0;
    }

    /** Builds the work requests that must precede the transfer's first SEND. Returns the number of work requests. */
    public int chain(SendRequests sends, long id) {
        return 0;
    }

    /** Releases the registration. After a failed transfer, invalidates the R_Key, unless other transfers share it. */
    public abstract void release(boolean failed);
}
