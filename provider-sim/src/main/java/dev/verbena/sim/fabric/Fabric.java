// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.fabric;

import dev.verbena.verbs.Gid;
import dev.verbena.verbs.VerbsException;
import java.util.List;

/**
 * Transfers packets between device ports. A fabric transmits a packet to the port with the destination GID, or to the ports
 * in the multicast group. Implementations are thread-safe.
 */
public interface Fabric {
    /**
     * Attaches a port.
     *
     * @param name the device's name, for captures and messages
     * @param gids the GIDs of the port
     * @param receiver the callback for the packets that arrive at the port
     * @return the object that sends packets for the port
     * @throws VerbsException {@code EADDRINUSE} if another attached port has one of the GIDs
     */
    FabricPort attach(String name, List<Gid> gids, PacketReceiver receiver) throws VerbsException;

    /**
     * Returns whether a packet from the source would reach a port (the role of routing, ARP and neighbour discovery).
     *
     * @param source the GID of the sender
     * @param destination the GID of the receiver, or a multicast group
     * @return true if a port has the destination GID, or if the destination is a group with a member. {@code UdpFabric}
     *     returns true if the destination is mapped to a UDP endpoint, or if the device port of the source can send to it
     */
    boolean reaches(Gid source, Gid destination);

    /**
     * {@return whether this fabric, a fabric that it wraps, or a packet receiver may read all bytes of a packet} If the
     * result is true, the caller of {@link FabricPort#send} must first write ICRC and checksums by {@link
     * SimPacket#seal()}, unless {@link SimPacket#count()} is above 1.
     */
    boolean looksAtBytes();
}
