// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm;

import dev.verbena.sim.cm.engine.CmListener;
import dev.verbena.sim.cm.engine.CmService;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.mad.ServiceId;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The local and peer addresses of an rdma_cm ID, its device and its address options. Guarded by the CM lock. */
final class IdAddress {
    /** The default and maximum backlog of pending CONNECT_REQUEST events, Linux's default {@code max_backlog}. */
    private static final int DEFAULT_BACKLOG = 1024;

    private final CmAgents agents;
    private final PortTable ports;
    private final IdLife life;

    private @Nullable CmAgent agent;
    private @Nullable InetSocketAddress local;
    private @Nullable InetSocketAddress peer;
    private boolean holdsPort;
    private boolean reuse;
    private boolean ipv6Only;
    private int typeOfService;

    IdAddress(CmAgents agents, PortTable ports, IdLife life) {
        this.agents = agents;
        this.ports = ports;
        this.life = life;
    }

    Optional<CmAgent> agent() {
        return Optional.ofNullable(agent);
    }

    CmAgent requireAgent(String verb) throws VerbsException {
        life.requireOpen(verb);
        return agent().orElseThrow(
                        () -> life.wrongState(verb, "the id has no device yet; bind or resolve an address first"));
    }

    Optional<InetSocketAddress> local() {
        return Optional.ofNullable(local);
    }

    Optional<InetSocketAddress> peer() {
        return Optional.ofNullable(peer);
    }

    int typeOfService() {
        return typeOfService;
    }

    void setTypeOfService(int value) {
        typeOfService = value;
    }

    void setReuse(boolean value) {
        reuse = value;
    }

    void setIpv6Only(boolean value) {
        ipv6Only = value;
    }

    /**
     * Returns whether a listener on this rdma_cm ID accepts requests to IPv4 addresses. A listener on the IPv6 wildcard address
     * accepts requests to IPv4 addresses unless the option IPv6-only is set.
     */
    private boolean takesIpv4() {
        Gid own = boundGid();
        return own == null ? !ipv6Only : own.isIpv4();
    }

    /** Stores the addresses of a received request. The rdma_cm ID's local port is the port of the listener. */
    void ofRequest(long serviceId, Gid own, Gid source, int sourcePort, CmAgent requested) {
        agent = requested;
        local = new InetSocketAddress(own.toAddress(), ServiceId.port(serviceId));
        peer = new InetSocketAddress(source.toAddress(), sourcePort);
    }

    void bind(String verb, InetSocketAddress wanted) throws VerbsException {
        InetAddress address = requireResolved(verb, wanted);
        CmAgent found = null;
        if (!address.isAnyLocalAddress()) {
            Gid gid = Gid.ofAddress(address);
            found = agents.withAddress(gid)
                    .orElseThrow(() -> new VerbsException(
                            Errno.EADDRNOTAVAIL,
                            verb,
                            "no device has address " + gid + "; there are " + allAddresses()));
        }
        local = wanted;
        int port = ports.bind(this, wanted.getPort());
        if (port == PortTable.TAKEN) {
            local = null;
            throw new VerbsException(
                    Errno.EADDRINUSE,
                    verb,
                    "port " + wanted.getPort() + " is in use at " + address.getHostAddress()
                            + "; choose another port, or 0 for any free port");
        }
        agent = found;
        local = new InetSocketAddress(address, port);
        holdsPort = true;
    }

    /** Binds an rdma_cm ID to {@code source}, if that is not null, and ensures that the ID has a port. */
    void bindSource(String verb, boolean bound, @Nullable InetSocketAddress source, InetSocketAddress destination)
            throws VerbsException {
        InetAddress target = requireResolved(verb, destination);
        if (target.isAnyLocalAddress() || target.isMulticastAddress()) {
            throw new VerbsException(
                    Errno.EINVAL,
                    verb,
                    "destination " + target.getHostAddress()
                            + " is a wildcard or multicast address; use the address of one host");
        }
        if (bound && source != null) {
            throw new VerbsException(
                    Errno.EINVAL, verb, life.id() + " is already bound; pass null as the source address");
        }
        InetSocketAddress own = source != null ? source : local;
        if (own != null) {
            InetAddress ownAddress = requireResolved(verb, own);
            boolean mixed =
                    Gid.ofAddress(ownAddress).isIpv4() != Gid.ofAddress(target).isIpv4();
            if (mixed && !ownAddress.isAnyLocalAddress()) {
                throw new VerbsException(
                        Errno.EINVAL,
                        verb,
                        "source " + ownAddress.getHostAddress() + " and destination " + target.getHostAddress()
                                + " are of different IP versions");
            }
        }
        if (!bound) {
            bind(verb, source != null ? source : new InetSocketAddress(0));
        }
    }

    /** Finds the device and the local address that reach a destination. Returns 0 or a negative errno. */
    int resolve(InetSocketAddress destination) {
        Gid target = Gid.ofAddress(destination.getAddress());
        List<CmAgent> candidates = agent == null ? agents.all() : List.of(agent);
        boolean speaks = false;
        for (CmAgent candidate : candidates) {
            Optional<Gid> source = source(candidate, target);
            speaks |= source.isPresent();
            if (source.isPresent() && candidate.device().reaches(source.get(), target)) {
                agent = candidate;
                if (boundGid() == null) {
                    // A bound ID keeps its local address. An address made from a GID would lack the IPv6 zone.
                    local = new InetSocketAddress(source.get().toAddress(), localPort());
                }
                peer = destination;
                return 0;
            }
        }
        return -(speaks ? Errno.EHOSTUNREACH : Errno.ENODEV).number();
    }

    /** Returns 0, or a negative errno if the destination of the rdma_cm ID is no longer reachable. */
    int reachesPeer() {
        Gid target = peerGid();
        Gid own = boundGid();
        boolean reached =
                agent != null && own != null && target != null && agent.device().reaches(own, target);
        return reached ? 0 : -Errno.EHOSTUNREACH.number();
    }

    /**
     * Returns the local address for a target. For a bound rdma_cm ID, returns the bound address. For an unbound rdma_cm
     * ID, returns an address of the same IP version, preferably one with a route to the target and with the same scope.
     */
    Optional<Gid> source(CmAgent candidate, Gid target) {
        Gid bound = boundGid();
        if (bound != null) {
            return Optional.of(bound);
        }
        List<Gid> sameVersion = candidate.device().addresses().stream()
                .filter(own -> own.isIpv4() == target.isIpv4())
                .toList();
        Predicate<Gid> routed = own -> candidate.device().reaches(own, target);
        return sameVersion.stream()
                .filter(routed.and(own -> sameScope(own, target)))
                .findFirst()
                .or(() -> sameVersion.stream().filter(routed).findFirst())
                .or(() -> sameVersion.stream().findFirst());
    }

    private static boolean sameScope(Gid own, Gid target) {
        return own.isLinkLocal() == target.isLinkLocal()
                && own.toAddress().isLoopbackAddress() == target.toAddress().isLoopbackAddress();
    }

    void listen(CmService service, int backlog) throws VerbsException {
        if (!ports.isAlone(this, localPort())) {
            throw new VerbsException(
                    Errno.EADDRINUSE,
                    "rdma_listen",
                    "another id uses port " + localPort() + "; close that id, or bind to another port");
        }
        int limit = backlog <= 0 ? DEFAULT_BACKLOG : Math.min(backlog, DEFAULT_BACKLOG);
        CmListener listener =
                new CmListener(life.id().portSpace().serviceId(localPort()), boundGid(), takesIpv4(), limit, service);
        agents.addListener(listener, agent);
        life.listen(listener);
    }

    void release() {
        if (holdsPort) {
            ports.release(this, localPort());
            holdsPort = false;
        }
    }

    int localPort() {
        return local == null ? 0 : local.getPort();
    }

    int peerPort() {
        return peer == null ? 0 : peer.getPort();
    }

    /** Returns the local address, or null if the rdma_cm ID is unbound or bound to a wildcard address. */
    @Nullable Gid boundGid() {
        return local == null || local.getAddress().isAnyLocalAddress() ? null : Gid.ofAddress(local.getAddress());
    }

    @Nullable Gid peerGid() {
        return peer == null ? null : Gid.ofAddress(peer.getAddress());
    }

    /** Returns whether this rdma_cm ID and another ID on the same port have a common local address. */
    boolean overlaps(IdAddress other) {
        Gid own = boundGid();
        Gid others = other.boundGid();
        if (own != null && others != null) {
            return own.equals(others);
        }
        return (own == null || !own.isIpv4() || other.takesIpv4())
                && (others == null || !others.isIpv4() || takesIpv4());
    }

    boolean excludes(IdAddress other) {
        boolean shared = reuse && other.reuse && life.state() != IdState.LISTEN;
        return !shared && overlaps(other);
    }

    private String allAddresses() {
        List<Gid> all = agents.all().stream()
                .flatMap(each -> each.device().addresses().stream())
                .toList();
        return all.isEmpty() ? "none" : all.toString();
    }

    private static InetAddress requireResolved(String verb, InetSocketAddress address) throws VerbsException {
        if (address.isUnresolved()) {
            throw new VerbsException(
                    Errno.EINVAL,
                    verb,
                    "host name " + address.getHostString() + " is not resolved; pass an IP address");
        }
        return address.getAddress();
    }

    @Override
    public String toString() {
        return (local == null ? "unbound" : text(local)) + (peer == null ? "" : " -> " + text(peer));
    }

    private static String text(InetSocketAddress address) {
        String host = address.getAddress().getHostAddress();
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + address.getPort();
    }
}
