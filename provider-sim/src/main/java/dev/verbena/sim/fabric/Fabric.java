package dev.verbena.sim.fabric;

import dev.verbena.verbs.Gid;
import dev.verbena.verbs.VerbsException;
import java.util.List;

/** Carries packets between the ports that are attached to it, by destination GID or multicast group. May be used from several threads. */
public interface Fabric {
    /**
     * Attaches a port.
     *
     * @param name the device's name, for captures and messages
     * @param gids the addresses by which it is reached
     * @param receiver what takes packets for these addresses
     * @return the port's way to send
     * @throws VerbsException {@code EADDRINUSE} if an address is attached already
     */
    FabricPort attach(String name, List<Gid> gids, PacketReceiver receiver) throws VerbsException;

    /**
     * Tells whether a packet to an address would find a port: what ARP and neighbour discovery find out.
     *
     * @param gid the address, or a multicast group
     * @return true if some port is reached by it, or is in the group
     */
    boolean reaches(Gid gid);

    /**
     * Tells whether senders must seal their packets because somebody may look at all of their bytes.
     *
     * @return false if ICRC and checksums are never looked at
     */
    boolean looksAtBytes();
}
