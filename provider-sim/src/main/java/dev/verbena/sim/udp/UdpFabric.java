// SPDX-License-Identifier: Apache-2.0
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
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;

/**
 * RoCEv2 through the machine's UDP sockets, over IPv4 and IPv6, to other processes and machines: devices of this
 * library, kernels with rdma_rxe, adapters. Works under wall time only.
 *
 * <p>A GID is an IP address, and its endpoint is that address with port 4791. A table overrides this where needed:
 * {@link #endpoint(Gid, InetSocketAddress)} maps a GID to any address and port. So two devices can share 127.0.0.1, and
 * tests can use ports that the system chose (port 0). Headers and ICRC of each packet contain the GIDs and port 4791 in
 * any case. Devices with such a table can communicate only with devices that have the same table.
 *
 * <p>The ICRC covers two fields that a socket neither sets nor shows: the IPv4 identification and "don't fragment".
 * From the sockets used here Linux sends 0 and true, so every peer accepts the packets. Other systems may send other
 * values. Two devices of this library still accept each other's packets, because both assume 0 and true.
 *
 * <p>A peer that sends other identifications, as rdma_rxe does, is recognised. The identification of its packets is
 * recovered from their ICRC, which leaves 17 of the 32 bits to detect damage. IPv6 has no identification.
 *
 * <p>Closing the fabric closes the ports. Thread-safe.
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
     * Makes a fabric without ports that uses native calls where they are {@linkplain NativeUse#AUTO available}.
     *
     * @param runtime the runtime of the devices
     * @throws IllegalArgumentException if the runtime has virtual time, in which no packet can arrive from outside
     */
    public UdpFabric(SimRuntime runtime) {
        this(runtime, NativeUse.AUTO);
    }

    /**
     * Makes a fabric without ports.
     *
     * @param runtime the runtime of the devices
     * @param nativeUse whether to call the operating system for functions that Java lacks
     * @throws IllegalArgumentException if the runtime has virtual time, in which no packet can arrive from outside
     */
    public UdpFabric(SimRuntime runtime, NativeUse nativeUse) {
        this(runtime, nativeUse, DatagramBatching.SEGMENTS);
    }

    /**
     * Makes a fabric without ports.
     *
     * @param runtime the runtime of the devices
     * @param nativeUse whether to call the operating system for functions that Java lacks
     * @param most the largest unit that one system call may send or receive; a smaller one is used where the system, or
     *     {@code nativeUse}, requires it
     * @throws IllegalArgumentException if the runtime has virtual time, in which no packet can arrive from outside
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
     * Maps a GID to an endpoint in place of its own address and port 4791. A device here that has the GID binds to the
     * endpoint. Ports that are already attached keep their endpoints.
     *
     * @param gid the GID of a device here or elsewhere, or a multicast group
     * @param address its endpoint, of the same IP version; for a device here, port 0 lets the system choose
     */
    public void endpoint(Gid gid, InetSocketAddress address) {
        endpoints.put(gid, address);
    }

    /**
     * Returns the endpoint of a GID.
     *
     * @param gid the GID
     * @return the endpoint in the table, else the default one; for port 0 with the port that the operating system chose
     */
    public InetSocketAddress endpoint(Gid gid) {
        return endpoints.find(gid.high(), gid.low());
    }

    /**
     * Assigns the next sender whose endpoint is not in the table to this GID. For a peer whose port is not known in
     * advance. The peer must send from its endpoint's port, as devices of this library with an endpoint in the table
     * do. Every host that can send to this machine may claim the GID, so all of them must be trusted.
     *
     * @param gid the peer's GID
     */
    public void learnEndpoint(Gid gid) {
        endpoints.learn(gid);
    }

    /**
     * Assigns each further sender whose endpoint is not in the table to this GID. The last sender replaces the one
     * before it. For a device whose peers are successive processes that share this GID and send from ports not known in
     * advance. As with {@link #learnEndpoint}, they must send from their endpoint's port.
     *
     * @param gid the peers' GID
     */
    public void followEndpoint(Gid gid) {
        endpoints.follow(gid);
    }

    /**
     * Reads a counter.
     *
     * @param counter the counter
     * @return the number of events, on all ports together
     */
    public long count(UdpCounter counter) {
        return counters.get(counter);
    }

    /**
     * {@inheritDoc}
     *
     * <p>Opens a socket for each GID and starts the receive thread. Skips a link-local GID that no interface has,
     * because devices make one from their GUID.
     *
     * @throws VerbsException also {@code EADDRNOTAVAIL} if no interface has one of the addresses, and {@code
     *     EOPNOTSUPP} if native calls are {@linkplain NativeUse#ALWAYS demanded} and do not work
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
            port.start();
            ports.add(port);
            opened = List.of();
            return port;
        } catch (IOException e) {
            throw new VerbsException(Errno.EIO, "attach", "device " + name + ": " + e.getMessage(), e);
        } finally {
            opened.forEach(Endpoint::close);
        }
    }

    /** Returns the largest unit that the sockets of all these endpoints support. */
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
     * Returns whether a route to an address exists. Does not contact the address. A loopback address has a route to the addresses of
     * this machine only.
     *
     * @param source the GID of a port here
     * @param destination the address, or a multicast group
     * @return true if the endpoint of the destination is in the table, or a route leads from the source to it
     */
    @Override
    public boolean reaches(Gid source, Gid destination) {
        return endpoints.contains(destination) || leadsTo(source, destination);
    }

    private synchronized boolean leadsTo(Gid source, Gid destination) {
        return source.isIpv4() == destination.isIpv4()
                && ports.stream()
                        .flatMap(port -> port.endpoints().stream())
                        .filter(endpoint -> endpoint.gid().equals(source))
                        .anyMatch(endpoint -> destination.isMulticast()
                                || !endpoint.socket().address().getAddress().isLoopbackAddress()
                                || isHere(destination.toAddress()));
    }

    /** Whether packets to an address stay on this machine. */
    private static boolean isHere(InetAddress address) {
        try {
            return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
        } catch (SocketException e) {
            return false;
        }
    }

    /**
     * Returns false: the ICRC of a packet is computed when it is sent, because the source port is not known earlier.
     */
    @Override
    public boolean looksAtBytes() {
        return false;
    }

    /** Returns how a port's receive thread waits for further datagrams after it received one. */
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

    /** Counts and reports an exception from sending or receiving. The thread continues. */
    void failed(Throwable thrown) {
        counters.count(UdpCounter.FAILURES);
        runtime.failed(thrown);
    }

    /** Closes all ports. No receiver is called after this method has returned. */
    @Override
    public void close() {
        List<UdpPort> open;
        synchronized (this) {
            open = List.copyOf(ports);
        }
        open.forEach(UdpPort::close);
    }
}
