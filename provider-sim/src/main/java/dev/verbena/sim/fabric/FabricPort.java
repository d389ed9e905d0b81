// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.fabric;

import dev.verbena.verbs.Gid;
import dev.verbena.verbs.VerbsException;
import org.jspecify.annotations.Nullable;

/** Sends packets for a port that is attached to a {@link Fabric}. Implementations are thread-safe. */
public interface FabricPort extends AutoCloseable {
    /** {@return an empty packet from the pool; the caller must pass it to {@link #send} or {@link SimPacket#release()}} */
    SimPacket newPacket();

    /**
     * Sends a packet to its destination, and passes the ownership of the packet to the fabric. The fabric silently drops a
     * packet if no port has the destination GID. If the destination is a multicast group, every member gets a copy. The
     * members get their copies in the order in which they joined the group. A sender outside the group gets no copy.
     *
     * @param packet a complete packet from {@link #newPacket()}; if {@link Fabric#looksAtBytes()} returns true and
     *     {@link SimPacket#count()} is 1, the caller must have called {@code packet.seal()}
     */
    void send(SimPacket packet);

    /**
     * Sends a packet like {@link #send}. The port may queue the packet until the next {@link #flush()}, to send several
     * packets with one system call.
     *
     * @param packet a packet that could be passed to {@link #send}
     */
    default void add(SimPacket packet) {
        send(packet);
    }

    /** Sends the packets that {@link #add} has queued in any thread. Returns quickly if no packet is queued. */
    default void flush() {}

    /**
     * Sends all packets that {@link #add} has queued, including those that {@link #flush()} leaves queued until a later
     * {@link #progress()}.
     */
    default void drain() {
        flush();
    }

    /**
     * Receives the packets that have arrived, in the calling thread, unless another thread is receiving. Polling
     * threads call this method. The caller must hold no lock that the handling of a received packet acquires.
     *
     * @return true if a packet had arrived
     */
    default boolean progress() {
        return false;
    }

    /** {@return whether packets may wait for {@link #progress()}; false if the fabric delivers every packet by itself} */
    default boolean needsPolling() {
        return false;
    }

    /**
     * Returns whether a packet may have a zero-copy payload. If this method returns true, the memory of a zero-copy payload
     * is not read after {@link #send} or {@link #add} returns. Before {@code send} or {@code add} returns, the port
     * delivers the packet in the calling thread or copies the payload.
     *
     * @return false by default
     */
    default boolean carriesZeroCopy() {
        return false;
    }

    /**
     * Returns whether the port accepts one {@link SimPacket} for several packets with zero-copy payloads (a segment batch,
     * see {@link SimPacket#count()}). The caller of {@link #send} or {@link #add} need not call {@code seal()} for a {@link
     * SimPacket} that represents several packets.
     *
     * @return by default, the result of {@link #carriesZeroCopy()}
     */
    default boolean carriesSegmentBatches() {
        return carriesZeroCopy();
    }

    /**
     * Returns the {@link PacketReceiver} of the destination port, if {@link #send} calls it in the calling thread.
     *
     * @param route the addresses in the IP and UDP headers of a connection's packets
     * @return the receiver, or null if the destination port is not attached, or if the fabric delays, captures or checks
     *     packets
     */
    default @Nullable PacketReceiver receiver(Route route) {
        return null;
    }

    /**
     * Joins a multicast group, as IGMP and MLD do: this port then receives packets to the group. Joining a group again has no
     * effect.
     *
     * @param group the GID of the group
     * @throws VerbsException {@code EADDRNOTAVAIL} if the fabric cannot add this port to the group
     */
    void join(Gid group) throws VerbsException;

    /**
     * Leaves a multicast group. Leaving a group has no effect if the port has not joined the group.
     *
     * @param group the GID of the group
     */
    void leave(Gid group);

    /** {@return the MTU of the network interface: the maximum length of an IP datagram in bytes} */
    int mtu();

    /**
     * Returns the MTU of the path to a peer.
     *
     * @param destination the address of the peer
     * @return at most {@link #mtu()}; less if the destination is an address of another interface of this machine, and
     *     that interface has a smaller MTU
     */
    default int mtu(Gid destination) {
        return mtu();
    }

    /**
     * Detaches the port, which leaves all its multicast groups. Packets that are in flight to a port when it is closed
     * are lost. Closing again has no effect.
     */
    @Override
    void close();
}
