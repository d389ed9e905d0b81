// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm;

import dev.verbena.verbs.Gid;
import java.lang.foreign.MemorySegment;

/** A port's QP1 as the connection manager sees it. */
public interface MadPort {
    /**
     * Sends a MAD from this port's QP1 to another's, unreliably.
     *
     * @param source one of the port's GIDs
     * @param destination the peer's GID, of the same IP version
     * @param mad 256 bytes, copied before this returns
     */
    void send(Gid source, Gid destination, MemorySegment mad);

    /**
     * Sets the receiver of MADs.
     *
     * @param receiver called from any thread, one call at a time, with no lock held
     */
    void receiver(Receiver receiver);

    /** Receives MADs. */
    @FunctionalInterface
    interface Receiver {
        /**
         * Receives a MAD.
         *
         * @param source the sender's GID
         * @param destination the GID of this port that the MAD was sent to
         * @param mad 256 bytes, valid during the call; they are untrusted
         */
        void onMad(Gid source, Gid destination, MemorySegment mad);
    }
}
