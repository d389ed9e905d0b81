package dev.verbena.sim.fabric;

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
     * nobody is there.
     *
     * @param packet a packet from {@link #newPacket()}, complete, and sealed if {@link Fabric#looksAtBytes()}
     */
    void send(SimPacket packet);

    /**
     * Returns how long an IP datagram may be.
     *
     * @return the interface MTU in bytes
     */
    int mtu();

    /** Detaches the port; packets on their way to it are lost. Idempotent. */
    @Override
    void close();
}
