// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.fabric;

import dev.verbena.wire.GidAddress;
import dev.verbena.wire.RocePacket;
import org.jspecify.annotations.Nullable;

/**
 * The addresses and parameters in the IP and UDP headers of a packet. The requester and the responder of a connected queue
 * pair send all packets with one immutable {@code Route}, made by {@link #of}. A packet that belongs to no connection, or
 * that was decoded from bytes, has its own mutable {@code Route}.
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

    /** The cached destination of a connection's packets. Any thread may replace the cached destination. */
    private @Nullable Object end;

    private Route(boolean lasting) {
        this.lasting = lasting;
    }

    /** Creates the mutable {@code Route} of a pooled packet, which is set before each use of the packet. */
    static Route ofPacket() {
        return new Route(false);
    }

    /**
     * {@return an immutable {@code Route} for the packets of a connection}
     *
     * @param sourceHi the first eight bytes of the source GID
     * @param sourceLo the last eight bytes of the source GID
     * @param destinationHi the first eight bytes of the destination GID
     * @param destinationLo the last eight bytes of the destination GID
     * @param udpSourcePort the UDP source port
     * @param trafficClass the traffic class, 0 to 255
     * @param hopLimit the hop limit, 0 to 255
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

    /** Reads the source and destination GID from the IP header of a packet that arrived as bytes. */
    void read(RocePacket packet) {
        sourceHi = packet.sourceHi();
        sourceLo = packet.sourceLo();
        destinationHi = packet.destinationHi();
        destinationLo = packet.destinationLo();
        ipv6 = packet.ipv6();
        multicast = GidAddress.isMulticast(destinationHi, destinationLo);
    }

    /** Returns whether this {@code Route} is immutable. Only an immutable {@code Route} may cache its destination. */
    boolean isLasting() {
        return lasting;
    }

    @Nullable Object end() {
        return end;
    }

    /**
     * Caches the destination of a connection's packets. The argument {@code found} must be immutable, because other threads
     * read it without a lock.
     */
    void end(Object found) {
        end = found;
    }

    /** {@return whether packets with this {@code Route} have an IPv6 header} */
    public boolean isIpv6() {
        return ipv6;
    }

    /** {@return whether the destination is a multicast group} */
    public boolean isMulticast() {
        return multicast;
    }

    /**
     * {@return whether the source and destination GIDs of the two {@code Route} objects are exchanged}
     *
     * @param other the other {@code Route}, such as that of a received packet
     */
    public boolean isReverseOf(Route other) {
        return sourceLo == other.destinationLo
                && destinationLo == other.sourceLo
                && sourceHi == other.destinationHi
                && destinationHi == other.sourceHi;
    }

    /** {@return the first eight bytes of the source GID} */
    public long sourceHi() {
        return sourceHi;
    }

    /** {@return the last eight bytes of the source GID} */
    public long sourceLo() {
        return sourceLo;
    }

    /** {@return the first eight bytes of the destination GID} */
    public long destinationHi() {
        return destinationHi;
    }

    /** {@return the last eight bytes of the destination GID} */
    public long destinationLo() {
        return destinationLo;
    }
}
