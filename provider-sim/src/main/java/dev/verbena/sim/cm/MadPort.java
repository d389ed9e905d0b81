// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm;

import dev.verbena.verbs.Gid;
import java.lang.foreign.MemorySegment;

/** Sends and receives the connection manager's MADs on the QP1 of a port. */
public interface MadPort {
    /**
     * Sends a MAD of 256 bytes to another QP1 without reliable delivery. The MAD is copied before this method returns.
     * The source GID and the destination GID have the same IP version.
     */
    void send(Gid source, Gid destination, MemorySegment mad);

    /** Sets the callback for MADs. Different threads call {@code onMad}, but one at a time and with no lock held. */
    void receiver(Receiver receiver);

    @FunctionalInterface
    interface Receiver {
        /** Receives a MAD. The segment {@code mad} has 256 untrusted bytes and is valid during the call. */
        void onMad(Gid source, Gid destination, MemorySegment mad);
    }
}
