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
 * RoCEv2 through the host's UDP sockets, over IPv4 and IPv6. A peer device, in another process or on another host, can be a
 * device of this library, an rdma_rxe device, or an RDMA adapter (RNIC). A {@code UdpFabric} works only in wall-clock time.
 *
 * <p>By default, the UDP endpoint of a GID is the GID's IP address with UDP port 4791. An application can map a GID to any
 * other UDP endpoint ({@link #endpoint(Gid, InetSocketAddress)}). Devices can share 127.0.0.1 if their GIDs are mapped to
 * different UDP ports. If a GID is mapped to UDP port 0, the operating system chooses the port. The ICRC covers the GIDs
 * and UDP destination port 4791, even if datagrams go to another UDP endpoint. For communication between two {@code
 * UdpFabric} objects, a GID must have the same UDP endpoint in both.
 *
 * <p>The ICRC covers two fields that a socket neither sets nor returns: the IPv4 Identification (IP ID) and "don't
 * fragment" (DF). On every operating system, devices of this library compute the ICRC with Linux's values of the IP ID and
 * DF. Linux sets DF, and sends IP ID 0, or the IP IDs 0, 1, 2, ... within a GSO batch. Every peer accepts packets that a
 * {@code UdpFabric} sends from Linux. Other operating systems may set the IP ID and DF differently from Linux. Devices of
 * this library accept each other's packets on every operating system.
 *
 * <p>If a peer, like rdma_rxe, sends IP IDs other than 0, the {@code UdpFabric} computes each packet's IP ID from its ICRC.
 * Computing the IP ID uses 17 of the ICRC's 32 bits; only the other 15 bits detect corruption. IPv6 headers have no IP ID.
 *
 * <p>Closing a {@code UdpFabric} closes its ports. This class is thread-safe.
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
     * Makes a fabric without ports. The {@code UdpFabric} makes native calls if they work ({@link NativeUse#AUTO}).
     *
     * @param runtime the runtime of the devices
     * @throws IllegalArgumentException if the runtime has virtual time, in which packets from other processes cannot arrive
     */
    public UdpFabric(SimRuntime runtime) {
        this(runtime, NativeUse.AUTO);
    }

    /**
     * Makes a fabric without ports.
     *
     * @param runtime the runtime of the devices
     * @param nativeUse whether to call the operating system for functions that Java lacks
     * @throws IllegalArgumentException if the runtime has virtual time, in which packets from other processes cannot arrive
     */
    public UdpFabric(SimRuntime runtime, NativeUse nativeUse) {
        this(runtime, nativeUse, DatagramBatching.SEGMENTS);
    }

    /**
     * Makes a fabric without ports.
     *
     * @param runtime the runtime of the devices
     * @param nativeUse whether to call the operating system for functions that Java lacks
     * @param most the largest batch of datagrams that one system call may transfer. If the operating system or {@code
     *     nativeUse} does not permit batches as large as {@code most}, the {@code UdpFabric} uses smaller batches
     * @throws IllegalArgumentException if the runtime has virtual time, in which packets from other processes cannot arrive
     */
    public UdpFabric(SimRuntime runtime, NativeUse nativeUse, DatagramBatching most) {
        if (runtime.isVirtual()) {
            throw new IllegalArgumentException("a UdpFabric needs wall time, but the runtime uses virtual time; use a"
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
     * Maps a GID to a UDP endpoint; the default is the GID's IP address with UDP port 4791. A local device with this GID
     * binds its UDP socket to the endpoint. The call does not rebind the UDP sockets of attached device ports.
     *
     * @param gid the GID of a local or remote device, or a multicast group
     * @param address the IP address, of the same IP version as the GID, and the UDP port; for a local device, UDP port 0
     *     lets the operating system choose the UDP port
     */
    public void endpoint(Gid gid, InetSocketAddress address) {
        endpoints.put(gid, address);
    }

    /**
     * {@return the UDP endpoint to which a GID is mapped, or by default the GID's IP address with UDP port 4791} If a GID
     * is mapped to UDP port 0, {@link #attach} replaces 0 by the UDP port that the operating system chooses.
     *
     * @param gid the GID to look up
     */
    public InetSocketAddress endpoint(Gid gid) {
        return endpoints.find(gid.high(), gid.low());
    }

    /**
     * Learns the UDP endpoint of a GID once. When the next datagram arrives from a UDP endpoint to which no GID is mapped,
     * the {@code UdpFabric} maps the GID to that endpoint. Use this method for a peer whose UDP port is not known in
     * advance. The peer must send from the UDP port on which it receives, as devices of this library do if their GID is
     * mapped. Call only if all hosts that can send to this host are trusted: any of them can claim the GID by a datagram.
     *
     * @param gid the peer's GID
     */
    public void learnEndpoint(Gid gid) {
        endpoints.learn(gid);
    }

    /**
     * Adds a GID whose UDP endpoint changes to the source of each datagram from a UDP endpoint to which no GID is mapped.
     * Use {@code followEndpoint} if a device's peers are processes that run one after the other, share one GID, and have
     * UDP ports not known in advance. Each peer must send from the UDP port on which it receives.
     *
     * @param gid the peers' GID
     */
    public void followEndpoint(Gid gid) {
        endpoints.follow(gid);
    }

    /**
     * {@return the number of events that a counter has counted, on all ports together}
     *
     * @param counter the counter to read
     */
    public long count(UdpCounter counter) {
        return counters.get(counter);
    }

    /**
     * {@inheritDoc}
     *
     * <p>This method opens a socket for each GID and starts the receive thread. If no interface has the address of a
     * link-local GID, this method opens no socket for this GID, and reports no error. A device derives its link-local
     * GID from its GUID, not from an interface.
     *
     * @throws VerbsException also {@code EADDRNOTAVAIL} if one of the addresses belongs to no interface, and
     *     {@code EOPNOTSUPP} if {@link NativeUse#ALWAYS} requires native calls that do not work
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
                        Errno.EADDRNOTAVAIL, "attach", "no network interface has an address of device " + name);
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

    /** Returns the largest {@link DatagramBatching} that the socket of each {@link Endpoint} supports. */
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
                        "device " + name + " cannot receive datagrams without UDP checksum at " + gid + ": "
                                + e.getMessage() + "; or use NativeUse.AUTO, which ignores this",
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
                        "port " + name + " cannot use GID " + gid + ", because " + port
                                + " has it; give each port its own address");
            }
        }
    }

    synchronized void detach(UdpPort port) {
        ports.remove(port);
    }

    /**
     * Returns whether packets can be sent from a GID to a destination, without contacting the destination. From a loopback
     * address, packets can be sent only to addresses of this host.
     *
     * @param source the GID of a local port
     * @param destination the GID of the receiver, or a multicast group
     * @return true if the destination is mapped to a UDP endpoint, or the device port of the source can send to it
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

    /** Returns whether an IP address belongs to this host. */
    private static boolean isHere(InetAddress address) {
        try {
            return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
        } catch (SocketException e) {
            return false;
        }
    }

    /** {@return false; senders need not seal packets, because the fabric computes the ICRC of each sent packet} */
    @Override
    public boolean looksAtBytes() {
        return false;
    }

    /** Returns the policy by which a port's receive thread waits for further datagrams. */
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

    /** Closes all ports. The {@code UdpFabric} calls no {@link PacketReceiver} after this method has returned. */
    @Override
    public void close() {
        List<UdpPort> open;
        synchronized (this) {
            open = List.copyOf(ports);
        }
        open.forEach(UdpPort::close);
    }
}
