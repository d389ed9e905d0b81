// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm;

import dev.verbena.verbs.Device;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.PathMtu;
import dev.verbena.verbs.QueuePair;
import java.util.List;

/** A device as the connection manager uses it. */
public interface CmDevice {
    /**
     * Returns the context that ids of this device show to their users.
     *
     * @return an open device, which the connection manager owns
     */
    Device context();

    /**
     * Returns the addresses of the device's port 1, with the index of each in the GID table.
     *
     * @return GIDs that are IP addresses; never the zero GID
     */
    List<Gid> addresses();

    /**
     * Returns the index of an address in the GID table.
     *
     * @param gid one of {@link #addresses()}
     * @return its index
     */
    int gidIndex(Gid gid);

    /**
     * Returns the largest path MTU to accept.
     *
     * @return the largest that fits the interface with the headers that rdma_cm counts
     */
    PathMtu pathMtu();

    /**
     * Returns the path MTU to offer to a peer.
     *
     * @param destination the address of the peer
     * @return at most {@link #pathMtu()}; less if the destination is an address of another interface of this machine that has a
     *     smaller MTU
     */
    PathMtu pathMtu(Gid destination);

    /**
     * Returns whether this device can reach an address.
     *
     * @param source the address of this device to send from
     * @param destination the address
     * @return false if its resolution fails
     */
    boolean reaches(Gid source, Gid destination);

    /**
     * Returns whether a queue pair of this device is open. An id can only be destroyed after its queue pair.
     *
     * @param queuePair a queue pair made by a domain of {@link #context()}
     * @return false after it has been closed
     */
    boolean isOpen(QueuePair queuePair);

    /**
     * Returns the device's QP1.
     *
     * @return the port to send and receive MADs
     */
    MadPort madPort();
}
