// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.fabric;

import dev.verbena.verbs.Gid;
import dev.verbena.verbs.VerbsException;
import java.util.List;

/** Carries packets between attached ports, by destination GID or multicast group. Thread-safe. */
public interface Fabric {
    /**
     * Attaches a port.
     *
     * @param name the device's name, for captures and messages
     * @param gids the addresses of the port
     * @param receiver receives the packets to these addresses
     * @return the sending side of the port
     * @throws VerbsException {@code EADDRINUSE} if an address is already attached
     */
    FabricPort attach(String name, List<Gid> gids, PacketReceiver receiver) throws VerbsException;

    /**
     * Returns whether a port would receive a packet, as routing, ARP and neighbour discovery determine.
     *
     * @param source the address of the sender
     * @param destination the address of the receiver, or a multicast group
     * @return true if a port has the address and a route from the source leads there, or if a port is in the group
     */
    boolean reaches(Gid source, Gid destination);

    /**
     * Returns whether senders must seal their packets because a receiver or decorator may read all of their bytes.
     *
     * @return false if ICRC and checksums are never read
     */
    boolean looksAtBytes();
}
