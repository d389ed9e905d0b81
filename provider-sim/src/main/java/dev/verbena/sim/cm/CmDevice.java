// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm;

import dev.verbena.verbs.Device;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.PathMtu;
import dev.verbena.verbs.QueuePair;
import java.util.List;

/** The operations of a device that the connection manager uses. */
public interface CmDevice {
    /** Returns the device context that applications get from an rdma_cm ID of this device. */
    Device context();

    /** Returns the GIDs of the device's port 1 that are IP addresses other than the zero GID. */
    List<Gid> addresses();

    int gidIndex(Gid gid);

    /** Returns the largest path MTU that the device accepts: the interface MTU less the headers that rdma_cm counts. */
    PathMtu pathMtu();

    /**
     * Returns the path MTU to offer to a peer: less than {@link #pathMtu()} if the parameter {@code destination} is an address
     * of another interface of this machine that has a smaller MTU.
     */
    PathMtu pathMtu(Gid destination);

    boolean reaches(Gid source, Gid destination);

    /** Returns whether a queue pair of this device is open, which prevents its rdma_cm ID from being destroyed. */
    boolean isOpen(QueuePair queuePair);

    MadPort madPort();
}
