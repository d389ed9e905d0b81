// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.fabric;

import dev.verbena.wire.GidAddress;
import dev.verbena.wire.RocePacket;
import org.jspecify.annotations.Nullable;

/**
 * The route of a packet: the addresses and parameters in its IP and UDP headers. A route made by {@link #of} belongs to
 * all packets of a connection and never changes. In addition each packet has a route of its own.
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

    /** The cached destination of a lasting route; any thread may have written it. */
    private @Nullable Object end;

    private Route(boolean lasting) {
        this.lasting = lasting;
    }

    /** Makes the own route of a packet, to be set for each use. */
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

    /** Copies another route, and returns this. */
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

    /** Reads the addresses of a packet that arrived as bytes. */
    void read(RocePacket packet) {
        sourceHi = packet.sourceHi();
        sourceLo = packet.sourceLo();
        destinationHi = packet.destinationHi();
        destinationLo = packet.destinationLo();
        ipv6 = packet.ipv6();
        multicast = GidAddress.isMulticast(destinationHi, destinationLo);
    }

    /** Returns whether the destination may be cached. */
    boolean isLasting() {
        return lasting;
    }

    /** Returns the cached destination. */
    @Nullable Object end() {
        return end;
    }

    /** Caches the destination of a lasting route: an immutable object, because other threads read it without a lock. */
    void end(Object found) {
        end = found;
    }

    /**
     * Returns whether the addresses are IPv6 addresses.
     *
     * @return true if packets have an IPv6 header
     */
    public boolean isIpv6() {
        return ipv6;
    }

    /**
     * Returns whether the destination is a multicast group.
     *
     * @return true if the destination is a group's address
     */
    public boolean isMulticast() {
        return multicast;
    }

    /**
     * Returns whether this route leads back along another one.
     *
     * @param other the route of a received packet
     * @return true if each route's source is the other's destination
     */
    public boolean isReverseOf(Route other) {
        return sourceLo == other.destinationLo
                && destinationLo == other.sourceLo
                && sourceHi == other.destinationHi
                && destinationHi == other.sourceHi;
    }

    /**
     * Returns the source GID, high half.
     *
     * @return the first eight bytes of the source GID
     */
    public long sourceHi() {
        return sourceHi;
    }

    /**
     * Returns the source GID, low half.
     *
     * @return the last eight bytes of the source GID
     */
    public long sourceLo() {
        return sourceLo;
    }

    /**
     * Returns the destination GID, high half.
     *
     * @return the first eight bytes of the destination GID
     */
    public long destinationHi() {
        return destinationHi;
    }

    /**
     * Returns the destination GID, low half.
     *
     * @return the last eight bytes of the destination GID
     */
    public long destinationLo() {
        return destinationLo;
    }
}
