// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm;

import dev.verbena.verbs.Device;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.PathMtu;
import dev.verbena.verbs.QueuePair;
import java.util.List;

/** The device operations that the connection manager uses. */
public interface CmDevice {
    /** Returns the device context that applications get from an rdma_cm ID of this device. */
    Device context();

    /** Returns the IP addresses of the device's port 1 as GIDs, without the zero GID. */
    List<Gid> addresses();

    int gidIndex(Gid gid);

    /** Returns the largest path MTU that the device accepts: the interface MTU less the headers that rdma_cm counts. */
    PathMtu pathMtu();

    /**
     * Returns the path MTU to offer to a peer: normally {@link #pathMtu()}. If {@code destination} belongs to another
     * interface of this machine, the MTU of that interface also limits the path MTU.
     */
    PathMtu pathMtu(Gid destination);

    boolean reaches(Gid source, Gid destination);

    /** Returns whether the queue pair is open. An rdma_cm ID with an open queue pair cannot be destroyed. */
    boolean isOpen(QueuePair queuePair);

    MadPort madPort();
}
