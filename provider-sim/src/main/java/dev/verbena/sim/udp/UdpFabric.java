package dev.verbena.sim.udp;

import dev.verbena.sim.fabric.Fabric;
import dev.verbena.sim.fabric.FabricPort;
import dev.verbena.sim.fabric.PacketPool;
import dev.verbena.sim.fabric.PacketReceiver;
import dev.verbena.sim.runtime.SimRuntime;
import dev.verbena.sim.runtime.WaitPolicy;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.UdpHeader;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * RoCEv2 through the machine's UDP sockets, over IPv4 and IPv6, to other processes and machines: devices of this library,
 * kernels with rdma_rxe, adapters. Works under wall time only.
 *
 * <p>A GID is an IP address, and its endpoint is that address with port 4791. A table says otherwise where it must:
 * {@link #endpoint(Gid, InetSocketAddress)} puts a GID at any address and port, so that two devices can live on 127.0.0.1, and
 * tests on ports that the system chose (port 0). Packets are made for the GIDs and for port 4791 in any case, in
 * headers and ICRC; devices behind such a table talk only to those that have the same one.
 *
 * <p>The ICRC covers two fields that a socket neither sets nor shows: the IPv4 identification and "don't fragment". Linux sends
 * 0 and true from the sockets used here, and so packets are right for everybody. Other systems may not; two devices of this
 * library understand each other all the same, as both take 0 and true for granted. A peer that sends other identifications,
 * as rdma_rxe does, is recognised, and the identification of its packets is found from their ICRC, which leaves 17 of its 32
 * bits to tell a damaged packet. Over IPv6 there is no identification.
 *
 * <p>Closing it closes the ports. May be used from several threads.
 */
public final class UdpFabric implements Fabric, AutoCloseable {
    private final PacketPool pool = new PacketPool(Arena.ofAuto());
    private final UdpCounters counters = new UdpCounters();
    private final EndpointTable endpoints = new EndpointTable(UdpHeader.ROCE_PORT);
    private final List<UdpPort> ports = new ArrayList<>();
    private final SimRuntime runtime;
    private final NativeUse nativeUse;
    private final DatagramBatching batching;
    private final WaitPolicy waitPolicy;

    /**
     * Makes a fabric without ports that asks the operating system for what {@link NativeUse#AUTO can be had}.
     *
     * @param runtime the time that the devices live in
     * @throws IllegalArgumentException if that is virtual time, in which no packet of the outside can come
     */
    public UdpFabric(SimRuntime runtime) {
        this(runtime, NativeUse.AUTO);
    }

    /**
     * Makes a fabric without ports.
     *
     * @param runtime the time that the devices live in
     * @param nativeUse whether to ask the operating system for what Java cannot do
     * @throws IllegalArgumentException if that is virtual time, in which no packet of the outside can come
     */
    public UdpFabric(SimRuntime runtime, NativeUse nativeUse) {
        this(runtime, nativeUse, DatagramBatching.SEGMENTS);
    }

    /**
     * Makes a fabric without ports.
     *
     * @param runtime the time that the devices live in
     * @param nativeUse whether to ask the operating system for what Java cannot do
     * @param most the most that one system call may send or take; less where the system, or {@code nativeUse}, does not allow it
     * @throws IllegalArgumentException if that is virtual time, in which no packet of the outside can come
     */
    public UdpFabric(SimRuntime runtime, NativeUse nativeUse, DatagramBatching most) {
        if (runtime.isVirtual()) {
            throw new IllegalArgumentException(
                    "packets over UDP come in wall time, and this runtime's is virtual; use a"
                            + " ThreadRuntime, or an InProcessFabric");
        }
        this.runtime = runtime;
        this.nativeUse = nativeUse;
        waitPolicy = runtime.waitPolicy();
        boolean possible = nativeUse != NativeUse.NEVER
                && NativeSocketOptions.unavailable().isEmpty()
                && ValueLayout.ADDRESS.byteSize() == Long.BYTES;
        batching = possible ? most : DatagramBatching.NONE;
    }

    /**
     * Says where a GID is to be found, or bound if it is one of a device here, in place of its own address and port 4791. What
     * is attached already stays where it is.
     *
     * @param gid the GID of a device here or elsewhere, or a multicast group
     * @param address its endpoint, of the same IP version; port 0, for a device here, for any that is free
     */
    public void endpoint(Gid gid, InetSocketAddress address) {
        endpoints.put(gid, address);
    }

    /**
     * Tells where a GID is.
     *
     * @param gid the GID
     * @return the endpoint in the table, with the port that the system chose if it did, or the default one
     */
    public InetSocketAddress endpoint(Gid gid) {
        return endpoints.find(gid.high(), gid.low());
    }

    /**
     * Lets the next sender whose endpoint is not in the table be this GID's, for a peer whose port nobody can know before. Only
     * for peers that send from their endpoint's port, as devices of this library with an endpoint in the table do, and where
     * everybody who can send to this machine may be that peer.
     *
     * @param gid the peer's GID
     */
    public void learnEndpoint(Gid gid) {
        endpoints.learn(gid);
    }

    /**
     * Lets each further sender whose endpoint is not in the table be this GID's, the last one counting: for a device that stays
     * while processes come and go that have this GID, one at a time, from ports that nobody can know before. As with
     * {@link #learnEndpoint}, these must send from their endpoint's port.
     *
     * @param gid the peers' GID
     */
    public void followEndpoint(Gid gid) {
        endpoints.follow(gid);
    }

    /**
     * Reads a counter.
     *
     * @param counter which
     * @return how often it happened, on all ports together
     */
    public long count(UdpCounter counter) {
        return counters.get(counter);
    }

    /**
     * {@inheritDoc}
     *
     * <p>Opens a socket for each GID and starts a thread that receives. A link-local GID that no interface has, as devices make
     * one from their GUID, is left out.
     *
     * @throws VerbsException also {@code EADDRNOTAVAIL} if no interface has one of the addresses, and {@code EOPNOTSUPP} if
     *     native calls are {@linkplain NativeUse#ALWAYS demanded} and do not work
     */
    @Override
    public synchronized FabricPort attach(String name, List<Gid> gids, PacketReceiver receiver) throws VerbsException {
        List<Endpoint> opened = new ArrayList<>();
        try {
            for (Gid gid : gids) {
                checkFree(name, gid);
                InetSocketAddress address = endpoint(gid);
                boolean listed = endpoints.contains(gid);
                if (gid.isLinkLocal() && !listed && UdpSocket.interfaceOf(address.getAddress()) == null) {
                    continue;
                }
                UdpSocket socket = open(name, gid, address);
                if (listed) {
                    endpoints.put(gid, socket.address());
                }
                boolean byFlow = !listed && Gid.ofAddress(address.getAddress()).equals(gid);
                opened.add(new Endpoint(gid, socket, byFlow, counters));
            }
            if (opened.isEmpty()) {
                throw new VerbsException(
                        Errno.EADDRNOTAVAIL, "attach", "device " + name + " has no address that an interface has");
            }
            UdpPort port = new UdpPort(this, name, opened, receiver, prepare(opened));
            ports.add(port);
            port.start();
            opened = List.of();
            return port;
        } catch (IOException e) {
            throw new VerbsException(Errno.EIO, "attach", "device " + name + ": " + e.getMessage(), e);
        } finally {
            opened.forEach(Endpoint::close);
        }
    }

    /** What all of these endpoints can do. */
    private DatagramBatching prepare(List<Endpoint> opened) {
        DatagramBatching possible = batching;
        for (Endpoint endpoint : opened) {
            UdpSocket socket = endpoint.socket();
            if (batching != DatagramBatching.NONE) {
                socket.findDescriptor();
            }
            if (possible == DatagramBatching.SEGMENTS && !(socket.hasDescriptor() && socket.mergesDatagrams())) {
                possible = DatagramBatching.MESSAGES;
            }
        }
        return possible;
    }

    private UdpSocket open(String name, Gid gid, InetSocketAddress address) throws VerbsException {
        UdpSocket socket = UdpSocket.open(name, gid, address);
        if (gid.isIpv4() || nativeUse == NativeUse.NEVER) {
            return socket;
        }
        try {
            NativeSocketOptions.enable(socket.address(), NativeSocketOptions.NO_CHECK6_RX);
            counters.count(UdpCounter.CHECKSUMS_OPTIONAL);
        } catch (IOException e) {
            if (nativeUse == NativeUse.ALWAYS) {
                socket.close();
                throw new VerbsException(
                        Errno.EOPNOTSUPP,
                        "attach",
                        "device " + name + " cannot take datagrams without UDP checksum at " + gid + ": "
                                + e.getMessage() + "; or do without them, by NativeUse.AUTO",
                        e);
            }
        }
        return socket;
    }

    private void checkFree(String name, Gid gid) throws VerbsException {
        for (UdpPort port : ports) {
            if (port.endpoints().stream().anyMatch(endpoint -> endpoint.gid().equals(gid))) {
                throw new VerbsException(
                        Errno.EADDRINUSE,
                        "attach",
                        "port " + name + " cannot have GID " + gid + ", for " + port
                                + " has it; give each port its own address");
            }
        }
    }

    synchronized void detach(UdpPort port) {
        ports.remove(port);
    }

    /**
     * Tells whether there is any way to an address. Nobody is asked whether somebody is there.
     *
     * @param gid the address, or a multicast group
     * @return true if its endpoint is in the table, or a port here has an address of its kind
     */
    @Override
    public boolean reaches(Gid gid) {
        return endpoints.contains(gid) || leadsTo(gid);
    }

    private synchronized boolean leadsTo(Gid gid) {
        InetAddress target = gid.toAddress();
        return ports.stream()
                .flatMap(port -> port.endpoints().stream())
                .filter(endpoint -> endpoint.gid().isIpv4() == gid.isIpv4())
                .anyMatch(endpoint -> gid.isMulticast()
                        || !endpoint.socket().address().getAddress().isLoopbackAddress()
                        || target.isLoopbackAddress());
    }

    /** Returns false: packets are sealed when they are sent, as only then their source port is known. */
    @Override
    public boolean looksAtBytes() {
        return false;
    }

    /** How a port's own thread waits for more after something has come. */
    WaitPolicy waitPolicy() {
        return waitPolicy;
    }

    PacketPool pool() {
        return pool;
    }

    UdpCounters counters() {
        return counters;
    }

    EndpointTable endpoints() {
        return endpoints;
    }

    /** Counts and reports what sending or receiving threw; the thread goes on. */
    void failed(Throwable thrown) {
        counters.count(UdpCounter.FAILURES);
        runtime.failed(thrown);
    }

    /** Closes all ports, and returns when nothing is received any more. */
    @Override
    public void close() {
        List<UdpPort> open;
        synchronized (this) {
            open = List.copyOf(ports);
        }
        open.forEach(UdpPort::close);
    }
}
