// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.fabric;

import dev.verbena.verbs.Gid;
import dev.verbena.verbs.VerbsException;
import java.util.List;

/**
 * A network of attached ports. A fabric transmits a packet to the port with the destination GID, or to the ports in the
 * multicast group. Implementations are thread-safe.
 */
public interface Fabric {
    /**
     * Attaches a port.
     *
     * @param name the device's name, for captures and messages
     * @param gids the GIDs of the port
     * @param receiver the receiver of the packets that are sent to the port's GIDs
     * @return the object that sends packets for the port
     * @throws VerbsException {@code EADDRINUSE} if another attached port has one of the GIDs
     */
    FabricPort attach(String name, List<Gid> gids, PacketReceiver receiver) throws VerbsException;

    /**
     * Returns whether a packet from the source would reach a port (the role of routing, ARP and neighbour discovery).
     *
     * @param source the GID of the sender
     * @param destination the GID of the receiver, or a multicast group
     * @return true if a port has the destination GID and a route from the source leads to that port, or if the destination is
     *     a group with a member
     */
    boolean reaches(Gid source, Gid destination);

    /**
     * {@return whether a receiver or decorator may read all bytes of a packet} If the result is true, a sender must write
     * the ICRC and checksums of a packet by {@link SimPacket#seal()}.
     */
    boolean looksAtBytes();
}
