package dev.verbena.sim.fabric;

import dev.verbena.verbs.Gid;
import dev.verbena.verbs.VerbsException;

/** A port's way to send. May be used from several threads. */
public interface FabricPort extends AutoCloseable {
    /**
     * Takes an empty packet from the pool.
     *
     * @return a packet for {@link #send} or {@link SimPacket#release()}; never null
     */
    SimPacket newPacket();

    /**
     * Sends a packet to its destination; the packet belongs to the fabric afterwards. It is lost without a word if
     * nobody is there. A packet to a multicast group goes, as a copy for each, to every port that {@linkplain #join joined},
     * in the order of their joining; the sender need not be one of them, and gets a copy only if it is.
     *
     * @param packet a packet from {@link #newPacket()}, complete, and sealed if {@link Fabric#looksAtBytes()}, unless it is a train
     */
    void send(SimPacket packet);

    /**
     * Sends a packet as {@link #send} does, by the next {@link #flush()} at the latest, so that packets can leave together.
     *
     * @param packet as for {@link #send}
     */
    default void add(SimPacket packet) {
        send(packet);
    }

    /** Lets what was {@linkplain #add added} go, whoever added it. Cheap if there is nothing. */
    default void flush() {}

    /** As {@link #flush()}, but for everything, also what may wait for the next time that somebody takes what has come. */
    default void drain() {
        flush();
    }

    /**
     * Takes what has come, in the calling thread, unless another one is about it: for those who wait by looking again and again.
     * The caller may hold no lock that a receiver takes.
     *
     * @return true if something had come
     */
    default boolean progress() {
        return false;
    }

    /**
     * Tells whether there is any use in {@link #progress()}.
     *
     * @return false if nothing ever waits to be taken
     */
    default boolean findsByLooking() {
        return false;
    }

    /**
     * Tells whether a packet may refer to its payload instead of carrying it: whether before {@link #send} or {@link #add}
     * returns its receiver gets it in the same thread, and nobody else looks at it, or its bytes are taken.
     *
     * @return false unless a port says otherwise
     */
    default boolean carriesReferences() {
        return false;
    }

    /**
     * Tells whether a packet may be a {@linkplain SimPacket#count() train}, which refers to its payloads. Its sender does not seal it.
     *
     * @return what {@link #carriesReferences()} says unless a port says otherwise
     */
    default boolean carriesTrains() {
        return carriesReferences();
    }

    /**
     * Tells whether packets may be {@linkplain SimPacket#run said to be of a run}: whether a packet, before {@link #send} or
     * {@link #add} returns, has come to its receiver in the same thread, or never will in this form, as its bytes have been taken. A
     * port that gives packets on later must not say so.
     *
     * @return what {@link #carriesReferences()} says unless a port says otherwise
     */
    default boolean carriesRuns() {
        return carriesReferences();
    }

    /**
     * Lets packets to a multicast group come to this port, as IGMP and MLD do. Joining again has no effect.
     *
     * @param group the group's address
     * @throws VerbsException {@code EADDRNOTAVAIL} if the network does not let this port join the group
     */
    void join(Gid group) throws VerbsException;

    /**
     * Ends what {@link #join} began; without it this has no effect.
     *
     * @param group the group's address
     */
    void leave(Gid group);

    /**
     * Returns how long an IP datagram may be.
     *
     * @return the interface MTU in bytes
     */
    int mtu();

    /** Detaches the port, which leaves all its groups; packets on their way to it are lost. Idempotent. */
    @Override
    void close();
}
