package dev.verbena.sim.fabric;

import dev.verbena.wire.GidAddress;
import dev.verbena.wire.RocePacket;
import org.jspecify.annotations.Nullable;

/**
 * The way of a packet: what its IP and UDP headers say. One that is made by {@link #of} is for all packets of a connection and
 * never changes; a packet has one of its own besides.
 */
public final class Route {
    private final boolean lasting;
    private long sourceHi;
    private long sourceLo;
    private long destinationHi;
    private long destinationLo;
    private int udpSourcePort;
    private int trafficClass;
    private int hopLimit;
    private boolean ipv6;
    private boolean multicast;

    /** What was found at the end of a lasting route, of any thread's last look. */
    private @Nullable Object end;

    private Route(boolean lasting) {
        this.lasting = lasting;
    }

    /** The own route of a packet, to be set for each use. */
    static Route ofPacket() {
        return new Route(false);
    }

    /**
     * Makes the route of a connection.
     *
     * @param sourceHi first eight bytes of the source GID
     * @param sourceLo last eight bytes of the source GID
     * @param destinationHi first eight bytes of the destination GID
     * @param destinationLo last eight bytes of the destination GID
     * @param udpSourcePort the UDP source port
     * @param trafficClass the traffic class, 0..255
     * @param hopLimit the hop limit, 0..255
     * @return a route that does not change
     */
    public static Route of(
            long sourceHi,
            long sourceLo,
            long destinationHi,
            long destinationLo,
            int udpSourcePort,
            int trafficClass,
            int hopLimit) {
        Route route = new Route(true);
        route.set(sourceHi, sourceLo, destinationHi, destinationLo, udpSourcePort, trafficClass, hopLimit);
        return route;
    }

    void set(
            long newSourceHi,
            long newSourceLo,
            long newDestinationHi,
            long newDestinationLo,
            int newUdpSourcePort,
            int newTrafficClass,
            int newHopLimit) {
        sourceHi = newSourceHi;
        sourceLo = newSourceLo;
        destinationHi = newDestinationHi;
        destinationLo = newDestinationLo;
        udpSourcePort = newUdpSourcePort;
        trafficClass = newTrafficClass;
        hopLimit = newHopLimit;
        ipv6 = !GidAddress.isIpv4(newDestinationHi, newDestinationLo);
        multicast = GidAddress.isMulticast(newDestinationHi, newDestinationLo);
    }

    /** Makes it equal to another one; this. */
    Route copy(Route other) {
        set(
                other.sourceHi,
                other.sourceLo,
                other.destinationHi,
                other.destinationLo,
                other.udpSourcePort,
                other.trafficClass,
                other.hopLimit);
        return this;
    }

    /** Writes the IP and UDP headers of a packet. */
    void begin(RocePacket packet) {
        packet.begin(sourceHi, sourceLo, destinationHi, destinationLo, udpSourcePort, trafficClass, hopLimit);
    }

    /** Takes the addresses of a packet that came as bytes. */
    void read(RocePacket packet) {
        sourceHi = packet.sourceHi();
        sourceLo = packet.sourceLo();
        destinationHi = packet.destinationHi();
        destinationLo = packet.destinationLo();
        ipv6 = packet.ipv6();
        multicast = GidAddress.isMulticast(destinationHi, destinationLo);
    }

    /** Whether it may be remembered what is at its end. */
    boolean isLasting() {
        return lasting;
    }

    /** What was remembered of its end. */
    @Nullable Object end() {
        return end;
    }

    /** Remembers what is at the end of a lasting route: an object that never changes, as threads see it without a lock. */
    void end(Object found) {
        end = found;
    }

    /**
     * Tells the version of its addresses.
     *
     * @return true if packets have an IPv6 header
     */
    public boolean isIpv6() {
        return ipv6;
    }

    /**
     * Tells whether it leads to a multicast group.
     *
     * @return true if the destination is a group's address
     */
    public boolean isMulticast() {
        return multicast;
    }

    /**
     * Tells whether another route leads between the same two addresses, back.
     *
     * @param other the route of a packet that came
     * @return true if each begins where the other ends
     */
    public boolean isReverseOf(Route other) {
        return sourceLo == other.destinationLo
                && destinationLo == other.sourceLo
                && sourceHi == other.destinationHi
                && destinationHi == other.sourceHi;
    }

    /**
     * Returns where it begins.
     *
     * @return the first eight bytes of the source GID
     */
    public long sourceHi() {
        return sourceHi;
    }

    /**
     * Returns where it begins.
     *
     * @return the last eight bytes of the source GID
     */
    public long sourceLo() {
        return sourceLo;
    }

    /**
     * Returns where it ends.
     *
     * @return the first eight bytes of the destination GID
     */
    public long destinationHi() {
        return destinationHi;
    }

    /**
     * Returns where it ends.
     *
     * @return the last eight bytes of the destination GID
     */
    public long destinationLo() {
        return destinationLo;
    }
}
