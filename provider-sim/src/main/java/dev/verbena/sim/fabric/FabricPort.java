// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.fabric;

import dev.verbena.verbs.Gid;
import dev.verbena.verbs.VerbsException;
import org.jspecify.annotations.Nullable;

/** The sending side of a port. Thread-safe. */
public interface FabricPort extends AutoCloseable {
    /**
     * Takes an empty packet from the pool.
     *
     * @return a packet for {@link #send} or {@link SimPacket#release()}; never null
     */
    SimPacket newPacket();

    /**
     * Sends a packet to its destination. The fabric owns the packet afterwards, and drops it silently if no port has
     * the address. Each port that {@linkplain #join joined} a multicast group gets a copy of a packet to the group, in
     * the order of joining. The sender need not be a member, and gets a copy only if it is one.
     *
     * @param packet a packet from {@link #newPacket()}, complete, and sealed if {@link Fabric#looksAtBytes()}, unless
     *     it is a segment batch
     */
    void send(SimPacket packet);

    /**
     * Sends a packet as {@link #send} does, by the next {@link #flush()} at the latest, so that packets can be sent
     * together.
     *
     * @param packet as for {@link #send}
     */
    default void add(SimPacket packet) {
        send(packet);
    }

    /** Sends all {@linkplain #add added} packets, of every thread. Costs little if there are none. */
    default void flush() {}

    /** As {@link #flush()}, but also sends packets that may wait for a later {@link #progress()}. */
    default void drain() {
        flush();
    }

    /**
     * Receives the packets that have arrived, in the calling thread, unless another thread is receiving. For threads
     * that poll. The caller must not hold a lock that a receiver takes.
     *
     * @return true if a packet had arrived
     */
    default boolean progress() {
        return false;
    }

    /**
     * Returns whether calls of {@link #progress()} can find packets.
     *
     * @return false if packets never wait to be received
     */
    default boolean findsByLooking() {
        return false;
    }

    /**
     * Returns whether a packet may have a zero-copy payload. This requires one of two conditions to hold before {@link
     * #send} or {@link #add} returns. Either the port has passed the packet to its receiver in the same thread, and no
     * other code reads it. Or the port has copied its bytes.
     *
     * @return false by default
     */
    default boolean carriesZeroCopy() {
        return false;
    }

    /**
     * Returns whether a packet may be a {@linkplain SimPacket#count() segment batch}, which has zero-copy payloads. Its
     * sender does not seal it.
     *
     * @return {@link #carriesZeroCopy()} by default
     */
    default boolean carriesSegmentBatches() {
        return carriesZeroCopy();
    }

    /**
     * Returns the receiver that {@link #send} calls with packets of a route, if it does so in the sender's thread and no
     * other code sees the packets.
     *
     * @param route the route of a connection
     * @return null if there is none at present, or packets take another way
     */
    default @Nullable PacketReceiver receiver(Route route) {
        return null;
    }

    /**
     * Joins a multicast group, as IGMP and MLD do: this port then receives packets to the group. Joining again has no
     * effect.
     *
     * @param group the group's address
     * @throws VerbsException {@code EADDRNOTAVAIL} if the network does not let this port join the group
     */
    void join(Gid group) throws VerbsException;

    /**
     * Leaves a multicast group. No effect if the port has not joined it.
     *
     * @param group the group's address
     */
    void leave(Gid group);

    /**
     * Returns the greatest length of an IP datagram.
     *
     * @return the interface MTU in bytes
     */
    int mtu();

    /** Detaches the port, which leaves all its groups. Packets in flight to it are lost. Idempotent. */
    @Override
    void close();
}
