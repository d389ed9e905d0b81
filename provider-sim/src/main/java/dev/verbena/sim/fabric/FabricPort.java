// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.fabric;

import dev.verbena.verbs.Gid;
import dev.verbena.verbs.VerbsException;
import org.jspecify.annotations.Nullable;

/** The sending interface of a port that is attached to a {@link Fabric}. Implementations are thread-safe. */
public interface FabricPort extends AutoCloseable {
    /** {@return an empty packet from the pool; the caller must pass it to {@link #send} or {@link SimPacket#release()}} */
    SimPacket newPacket();

    /**
     * Sends a packet to its destination. The fabric owns the packet afterwards, and silently drops it if no port has the
     * destination GID. Every member of a multicast group gets a copy of a packet to the group, in the order in which the
     * members joined. A sender that is not a member of the group gets no copy.
     *
     * @param packet a complete packet from {@link #newPacket()}; if {@link Fabric#looksAtBytes()} returns true, the caller must
     *     have called {@code packet.seal()}, except if {@link SimPacket#count()} exceeds 1
     */
    void send(SimPacket packet);

    /**
     * Sends a packet as {@link #send} does, but possibly only at the next {@link #flush()}, so that several packets can be sent
     * together.
     *
     * @param packet a packet that meets the conditions of {@link #send}
     */
    default void add(SimPacket packet) {
        send(packet);
    }

    /** Sends all packets that any thread has passed to {@link #add}. A flush without such packets costs little. */
    default void flush() {}

    /**
     * Sends all added packets, as {@link #flush()} does, and also packets that the port may delay until a later
     * {@link #progress()}.
     */
    default void drain() {
        flush();
    }

    /**
     * Receives the packets that have arrived, in the calling thread, unless another thread is receiving. Polling threads call
     * this method. The caller must not hold a lock that a receiver acquires.
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
     * Returns whether a packet may have a zero-copy payload. If the result is true, the port guarantees that no code reads the
     * payload after {@link #send} or {@link #add} returns. A port for zero-copy payloads passes the packet to its receiver in
     * the same thread, or copies the payload.
     *
     * @return false by default
     */
    default boolean carriesZeroCopy() {
        return false;
    }

    /**
     * Returns whether one {@link SimPacket} may represent several packets with zero-copy payloads (a segment batch, see
     * {@link SimPacket#count()}). The sender need not call {@code seal()} for several packets in one {@link SimPacket}.
     *
     * @return by default, the result of {@link #carriesZeroCopy()}
     */
    default boolean carriesSegmentBatches() {
        return carriesZeroCopy();
    }

    /**
     * Returns the receiver of a route's destination, if {@link #send} calls that receiver in the sender's thread and no other
     * code sees the packets.
     *
     * @param route the route of a connection
     * @return the receiver; null if the destination is not attached, or if packets to it are delayed, captured or checked
     */
    default @Nullable PacketReceiver receiver(Route route) {
        return null;
    }

    /**
     * Joins a multicast group, as IGMP and MLD do: this port then receives packets to the group. Joining a group again has no
     * effect.
     *
     * @param group the GID of the group
     * @throws VerbsException {@code EADDRNOTAVAIL} if the network does not let this port join the group
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
     * @return at most {@link #mtu()}; less if the destination is an address of another interface of this machine that has a smaller
     *     MTU
     */
    default int mtu(Gid destination) {
        return mtu();
    }

    /**
     * Detaches the port, which leaves all its multicast groups. Packets in flight to the port are lost. Closing again has no
     * effect.
     */
    @Override
    void close();
}
