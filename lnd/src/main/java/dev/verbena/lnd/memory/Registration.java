// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.memory;

import dev.verbena.lnd.engine.FragmentList;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SendRequests;

/** The registration of the sink of one transfer, and the fragments that are sent to the peer. Not thread-safe. */
public abstract class Registration {

    private final FragmentList wire = new FragmentList();

    protected Registration() {}

    /** Returns the key to send to the peer, which is valid after the work requests of {@link #chain} are posted. */
    public abstract int rkey();

    /** Returns the addresses and lengths that are sent to the peer. */
    public final FragmentList wire() {
        return wire;
    }

    /** Sets the queue pair of the transfer, before {@link #rkey} is called. Returns 0 or a negative errno. */
    public int join(QueuePair queuePair) {
        return 0;
    }

    /** Fills the work requests that must precede the first SEND of the transfer, and returns their number. */
    public int chain(SendRequests sends, long id) {
        return 0;
    }

    /** Releases the registration. After a failed transfer the peer's key is invalidated in every case. */
    public abstract void release(boolean failed);
}
