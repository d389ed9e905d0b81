// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.fabric;

import dev.verbena.verbs.Gid;
import dev.verbena.verbs.VerbsException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * A fabric that wraps another fabric, intercepts every sent packet, and stores a state for each link. A link is one
 * direction between two ports: the link from the port sim0 to the port sim1 is named {@code sim0->sim1}. If the destination
 * of a link is a multicast group, or is not attached to this fabric, the link's name contains the GID of the destination. A
 * packet to a multicast group is intercepted once, before it is copied for the members. A link exists as long as the
 * fabric, even if its ports are closed and attached again.
 *
 * @param <L> the type of the state that is stored for each link
 */
public final class LinkFabric<L> implements Fabric {
    private final Fabric inner;
    private final Function<String, L> newLink;
    private final Sender<L> sender;

    /**
     * Maps each GID of a port to the port's name. A thread must own this fabric's monitor to access the fields {@link
     * #names} and {@link #links}.
     */
    private GidTable<String> names = GidTable.empty();

    private final Map<String, L> links = new HashMap<>();
    private final List<Port> ports = new ArrayList<>();

    /**
     * Decides about an intercepted packet: sends, drops, delays or changes it.
     *
     * @param <L> the type of the state that is stored for each link
     */
    @FunctionalInterface
    public interface Sender<L> {
        /**
         * Handles a packet that a port sends. Any thread may call this method, concurrently and without a lock.
         *
         * @param link the state of the packet's link
         * @param packet the packet, which this method owns
         * @param port the sending port, attached to the wrapped fabric
         */
        void send(L link, SimPacket packet, FabricPort port);
    }

    /**
     * Makes a fabric that wraps another fabric.
     *
     * @param inner the wrapped fabric, which transmits the packets
     * @param newLink the function that gets a link's name at the first packet on the link, and returns the link's state
     * @param sender the handler of every sent packet
     */
    public LinkFabric(Fabric inner, Function<String, L> newLink, Sender<L> sender) {
        this.inner = inner;
        this.newLink = newLink;
        this.sender = sender;
    }

    @Override
    public synchronized FabricPort attach(String name, List<Gid> gids, PacketReceiver receiver) throws VerbsException {
        // This thread holds the lock until the port's name is stored, so that a packet to the new port finds the name.
        Port port = new Port(name, List.copyOf(gids), inner.attach(name, gids, receiver));
        for (Gid gid : gids) {
            names = names.with(gid, name);
        }
        ports.add(port);
        forgetRoutes();
        return port;
    }

    private synchronized void detach(Port port) {
        if (ports.remove(port)) {
            for (Gid gid : port.gids) {
                names = names.without(gid);
            }
            forgetRoutes();
        }
    }

    private void forgetRoutes() {
        for (Port port : ports) {
            port.routes = GidTable.empty();
        }
    }

    /** Finds a link by its name, and caches the link for the destination GID. */
    private synchronized L findLink(Port source, Gid gid) {
        String known = names.get(gid.high(), gid.low());
        String name = source.name + "->" + (known == null ? gid.toString() : known);
        L link = links.get(name);
        if (link == null) {
            link = newLink.apply(name);
            links.put(name, link);
        }
        source.routes = source.routes.with(gid, link);
        return link;
    }

    @Override
    public boolean reaches(Gid source, Gid destination) {
        return inner.reaches(source, destination);
    }

    @Override
    public boolean looksAtBytes() {
        return inner.looksAtBytes();
    }

    private final class Port implements FabricPort {
        private final String name;
        private final List<Gid> gids;
        private final FabricPort port;

        /** The states of the links from this port, keyed by destination GID. Writers hold the fabric's lock. */
        private volatile GidTable<L> routes = GidTable.empty();

        Port(String name, List<Gid> gids, FabricPort port) {
            this.name = name;
            this.gids = gids;
            this.port = port;
        }

        @Override
        public SimPacket newPacket() {
            return port.newPacket();
        }

        @Override
        public void send(SimPacket packet) {
            long hi = packet.destinationHi();
            long lo = packet.destinationLo();
            L link = routes.get(hi, lo);
            sender.send(link == null ? findLink(this, new Gid(hi, lo)) : link, packet, port);
        }

        @Override
        public void drain() {
            port.drain();
        }

        @Override
        public boolean needsPolling() {
            return port.needsPolling();
        }

        @Override
        public boolean progress() {
            return port.progress();
        }

        @Override
        public void join(Gid group) throws VerbsException {
            port.join(group);
        }

        @Override
        public void leave(Gid group) {
            port.leave(group);
        }

        @Override
        public int mtu() {
            return port.mtu();
        }

        @Override
        public int mtu(Gid destination) {
            return port.mtu(destination);
        }

        @Override
        public void close() {
            port.close();
            detach(this);
        }
    }
}
